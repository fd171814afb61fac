import { redact } from "../secrets/redact.js";

/** A pull request that a transcript names; elsewhere it is a merge request. */
export interface PullRequest {
  readonly number: number;
  readonly url: string;
  /** `owner/name`; null where nobody told. */
  readonly repository: string | null;
}

/** Neither a user's name nor a query: both can hold a secret, and a link to a pull request needs neither. */
const URL = /^https:\/\/[a-z0-9.-]{1,200}(?::\d{1,5})?(?:\/[\w.~-]{1,200}){1,12}\/?$/i;
const URL_MAX = 400;
const REPOSITORY = /^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,8}$/;

/** Undefined unless all of it can be true. */
export function pullRequestAt(number: unknown, url: unknown, repository: unknown): PullRequest | undefined {
  if (!Number.isSafeInteger(number) || Number(number) <= 0) return undefined;
  if (typeof url !== "string" || url.length > URL_MAX || !URL.test(url) || redact(url) !== url) return undefined;
  const isNamed = typeof repository === "string" && REPOSITORY.test(repository) && redact(repository) === repository;
  return { number: Number(number), url, repository: isNamed ? repository : null };
}

const OPENED = /^https:\/\/[^/\s]{1,200}\/([\w.-]{1,100}\/[\w.-]{1,100})\/pull\/(\d{1,9})$/;
/** A link and the newline behind it. */
const LOOKED_AT = 500;

/** The one that `gh pr create` has opened: it prints the link as its last line. */
export function openedPullRequest(output: string): PullRequest | undefined {
  const last = output.slice(-LOOKED_AT).trimEnd();
  const url = last.slice(last.lastIndexOf("\n") + 1).trim();
  const [, repository, number] = OPENED.exec(url) ?? [];
  return number === undefined ? undefined : pullRequestAt(Number(number), url, repository);
}
