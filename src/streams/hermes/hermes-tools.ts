import type { AcpToolKind } from "../acp/session-update.js";

/** `2026-08`: up to version 0.20.5. `2026-09`: what came after. */
export type HermesEdition = "2026-08" | "2026-09";

/** Tools whose calls Hermes shows in its own words: no raw arguments, and an `error` in an answer is a failure. */
const CURATED: ReadonlySet<string> = new Set(
  `todo todo_list memory session_search delegate_task read_file write_file patch search_files terminal process
  execute_code skill_view skills_list skill_manage web_search web_extract browser_navigate browser_click browser_type
  browser_press browser_scroll browser_back browser_snapshot browser_console browser_get_images browser_vision
  vision_analyze image_generate text_to_speech cronjob send_message clarify discord discord_admin feishu_doc_read
  feishu_drive_list_comments feishu_drive_list_comment_replies feishu_drive_reply_comment feishu_drive_add_comment
  kanban_create kanban_show kanban_comment kanban_complete kanban_block kanban_link kanban_heartbeat
  yb_query_group_info yb_query_group_members yb_search_sticker yb_send_dm yb_send_sticker`.split(/\s+/),
);

/** Each edition has a few more of them. */
const CURATED_IN: Readonly<Record<HermesEdition, ReadonlySet<string>>> = {
  "2026-08": new Set(["ha_list_entities", "ha_get_state", "ha_list_services", "ha_call_service"]),
  "2026-09": new Set(["kanban_request_review", "kanban_request_changes"]),
};

export function isCurated(tool: string, edition: HermesEdition): boolean {
  return CURATED.has(tool) || CURATED_IN[edition].has(tool);
}

const KINDS: ReadonlyMap<string, AcpToolKind> = new Map(
  Object.entries({
    read: "read_file skill_view skills_list browser_snapshot browser_vision browser_get_images vision_analyze",
    edit: "write_file patch skill_manage",
    search: "search_files",
    execute: `terminal process execute_code browser_click browser_type browser_scroll browser_press browser_back
      delegate_task image_generate text_to_speech`,
    fetch: "web_search web_extract browser_navigate",
    think: "_thinking",
  }).flatMap(([kind, tools]) => tools.split(/\s+/).map((tool) => [tool, kind as AcpToolKind] as const)),
);

export function hermesKind(tool: string): AcpToolKind {
  return KINDS.get(tool) ?? "other";
}

/** The list's tool by both of its names: the newer adapter still tests for the older one. */
export function isTodoTool(tool: string): boolean {
  return tool === "todo" || tool === "todo_list";
}
