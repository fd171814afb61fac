import { type AskedName, isSameName, matchSessions, type NamedSession } from "../../../core/session/match-session.js";
import { counted } from "../../../core/text/length.js";
import type { CommandContext } from "../../command-definition.js";
import { nearestIn } from "../../session/find/this-project.js";
import { type OpenBoard, openBoard } from "../open-session-board.js";
import type { SeenSession } from "../seen-session.js";
import { idInName, isCalled } from "../transcript-name.js";

/** A session, or a sub-agent, of which there is a transcript. */
export interface SeenName extends NamedSession {
  readonly seen: SeenSession;
}

/** Of a person's own project the newest are likeliest; the rest is read where it is in none of them. */
const FIRST_LOOK = 100;

/** The transcripts of this machine, for whoever looks for one session. */
export class AskedTranscripts {
  readonly board: OpenBoard;
  readonly #context: CommandContext;

  private constructor(context: CommandContext, board: OpenBoard) {
    this.#context = context;
    this.board = board;
  }

  static async open(context: CommandContext): Promise<AskedTranscripts> {
    return new AskedTranscripts(context, await openBoard(context));
  }

  /** Files that could not be read, and why: what is looked for may be in one of them. */
  get troubles(): readonly string[] {
    return this.board.attachment.troubles;
  }

  /** What was read by now. */
  get names(): readonly SeenName[] {
    return this.board.attachment.sessions().map(nameOf);
  }

  /** Every id that a file is called after, or that was read in one. */
  get ids(): readonly string[] {
    const read = this.names.map(({ session, agent }) => agent ?? session);
    return [...new Set([...read, ...this.board.attachment.paths.map(idInName)])];
  }

  /** Sessions that are called so, or begin so. Files of those that are `known` already are not read. */
  async named(asked: AskedName, known: readonly NamedSession[]): Promise<readonly SeenName[]> {
    const isKnown = (id: string) => known.some(({ session }) => session === id);
    const isAsked = (id: string) => idsOf(asked).some((typed) => id.startsWith(typed));
    const find = () => matchSessions(this.names, asked);
    await this.#read(Number.MAX_SAFE_INTEGER, (path) => isCalled(path, isAsked) && !isCalled(path, isKnown));
    const found = known.length > 0 ? find() : await this.#orInside(asked, find);
    await this.board.keep();
    return found;
  }

  /** That very session or sub-agent. */
  async exactly(name: NamedSession): Promise<SeenSession | undefined> {
    const find = () => this.names.filter((one) => isSameName(one, name));
    await this.#read(Number.MAX_SAFE_INTEGER, (path) => isCalled(path, (id) => idsOf(name).includes(id)));
    const [found] = await this.#orInside(name, find);
    await this.board.keep();
    return found?.seen;
  }

  /** Where no file is called so, the first bytes of each one tell. */
  async #orInside(asked: AskedName, find: () => readonly SeenName[]): Promise<readonly SeenName[]> {
    const found = find();
    if (found.length > 0) return found;
    for (const typed of idsOf(asked)) await this.board.attachment.readAsked(typed);
    return find();
  }

  /** The newest in this project, without those that are `known` already. */
  async newestHere(known: readonly string[]): Promise<SeenName | undefined> {
    let found: SeenSession | undefined;
    for (const most of [FIRST_LOOK, Number.MAX_SAFE_INTEGER]) {
      await this.#read(most);
      const roots = this.board.attachment
        .sessions()
        .filter(({ view }) => view.parent === null && !known.includes(view.id));
      found = nearestIn(this.#context.folder, roots, ({ view }) => view.folder)[0];
      if (found) break;
    }
    await this.board.keep();
    return found && nameOf(found);
  }

  #read(most: number, isWanted?: (path: string) => boolean): Promise<void> {
    const progress = (done: number) => {
      if (done > 0) this.#context.progress(`Read ${counted(done, "transcript")}`);
    };
    return this.board.attachment.readNewest(most, { isWanted, progress });
  }
}

/** Some agents name their sub-agents in the session, others give them ids of their own. */
function nameOf(seen: SeenSession): SeenName {
  const { id, parent } = seen.view;
  const [session = id, agent] = id.split("/");
  if (agent !== undefined) return { session, agent, seen };
  return parent === null ? { session, seen } : { session: parent, agent: id, seen };
}

function idsOf({ session, agent }: NamedSession): readonly string[] {
  return agent === undefined ? [session] : [session, agent];
}
