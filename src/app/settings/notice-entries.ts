import type { NoticeSettings, Settings } from "../settings.js";
import { onOff, type SettingEntry } from "./setting-entry.js";

/** Only a person sets it, in their own file: the live view starts what it names. */
export const NOTIFY_COMMAND = "notify.command";

/** How a person hears that a session waits, is stuck or has ended. */
export const NOTICE_ENTRIES: readonly SettingEntry[] = [
  onOff(
    {
      name: "notify.bell",
      variable: "MILEPOST_NOTIFY_BELL",
      summary: "ring the terminal's bell when a session waits, is stuck or ends: on or off",
    },
    ({ notify }) => notify.bell,
    (settings, bell) => changed(settings, { bell }),
  ),
  onOff(
    {
      name: "notify.desktop",
      variable: "MILEPOST_NOTIFY_DESKTOP",
      summary: "a desktop notice then, where the terminal can show one: on or off",
    },
    ({ notify }) => notify.desktop,
    (settings, desktop) => changed(settings, { desktop }),
  ),
  {
    // No variable: an editor's or a container's settings in a repository can set those.
    name: NOTIFY_COMMAND,
    summary: "a program to start then, which gets a title and a text as its last two arguments, such as notify-send",
    takes: "use a program and its arguments, without variables, pipes or other signs of a shell, or none",
    read: ({ notify }) => notify.command,
    write: (settings, value) => {
      const command = asCommandLine(value);
      return command === undefined ? undefined : changed(settings, { command });
    },
  },
];

function changed(settings: Settings, notify: Partial<NoticeSettings>): Settings {
  return { ...settings, notify: { ...settings.notify, ...notify } };
}

const LONGEST = 1000;

/** Undefined for what a shell would have to make sense of: none is asked. `none` or nothing for none. */
function asCommandLine(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > LONGEST) return undefined;
  const line = value.trim();
  if (line === "" || line === "none") return "";
  // What stands in quotes is only text.
  const bare = line.replace(/'[^']*'|"[^"]*"/g, "Q");
  const isPlain = /^[\w./~\\:-]/.test(bare) && !/['"$|&;<>`]/.test(bare) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line);
  return isPlain ? line : undefined;
}
