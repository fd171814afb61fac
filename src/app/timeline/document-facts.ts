import type { Observation } from "../../core/session/observation.js";
import { documentKind } from "../transcripts/document.js";
import { FollowedDocument } from "../transcripts/follow/followed-document.js";
import type { OpenBoard } from "../transcripts/open-session-board.js";

const SHARED = new WeakMap<OpenBoard, Map<string, DocumentFacts>>();

/**
 * What a document tells of each of its sessions. A database holds hundreds of them: it is read once for all timelines
 * of a board. Undefined for a file that is no document.
 */
export function documentFacts(board: OpenBoard, path: string): DocumentFacts | undefined {
  const kind = documentKind(path);
  if (kind === undefined) return undefined;
  const shared = SHARED.get(board) ?? new Map<string, DocumentFacts>();
  SHARED.set(board, shared);
  const facts = shared.get(path) ?? new DocumentFacts(new FollowedDocument(path, kind));
  shared.set(path, facts);
  return facts;
}

export class DocumentFacts {
  readonly document: FollowedDocument;
  /** All that is told of a session; another array when it is told anew. */
  readonly #told = new Map<string, Observation[]>();

  constructor(document: FollowedDocument) {
    this.document = document;
  }

  /** What is told of the sessions that are wanted, the same array for each as long as nothing is new. */
  async factsOf(isWanted: (session: string) => boolean): Promise<readonly (readonly Observation[])[]> {
    const fresh = new Set<string>();
    // Of a session that has changed everything is told again.
    await this.document.catchUp((observations) => {
      for (const fact of observations) {
        if (!fresh.has(fact.session)) this.#told.set(fact.session, []);
        fresh.add(fact.session);
        this.#told.get(fact.session)?.push(fact);
      }
    });
    return [...this.#told].flatMap(([session, facts]) => (isWanted(session) ? [facts] : []));
  }
}
