import { readFile } from "node:fs/promises";
import { isObject } from "../../src/core/json.js";
import { jsonMember, jsonParts } from "../../src/core/text/json-parts.js";
import type { Case, Mismatch } from "./case.js";
import { SUBJECTS } from "./subjects.js";

export interface Report {
  readonly passed: number;
  readonly failed: number;
  /** One block of text per failing case. */
  readonly failures: readonly string[];
}

/** Runs every case of a vector file; a case that cannot be run has failed, it is never left out. */
export async function conformFile(path: string): Promise<Report> {
  const { subject, cases, sources } = await readVectors(path);
  const check = SUBJECTS[subject];
  const failures: string[] = [];
  for (const [at, testCase] of cases.entries()) {
    const problem = check
      ? await runCase(check, testCase, sources[at] ?? "{}")
      : `  unknown subject ${JSON.stringify(subject)}`;
    if (problem !== undefined) failures.push(`${subject}: ${testCase.name}\n${problem}`);
  }
  return { passed: cases.length - failures.length, failed: failures.length, failures };
}

interface Vectors {
  readonly subject: string;
  readonly cases: readonly Case[];
  /** Each case as it is written. */
  readonly sources: readonly string[];
}

async function readVectors(path: string): Promise<Vectors> {
  const text = await readFile(path, "utf8");
  const file: unknown = JSON.parse(text);
  if (isObject(file) && typeof file.subject === "string" && Array.isArray(file.cases)) {
    const sources = jsonParts(jsonMember(text, "cases") ?? "[]").map((part) => part.text);
    return { subject: file.subject, cases: file.cases as readonly Case[], sources };
  }
  throw new Error(`${path} is no vector file: it needs "subject" and "cases".`);
}

async function runCase(check: (typeof SUBJECTS)[string], testCase: Case, source: string): Promise<string | undefined> {
  try {
    const mismatches = await check(testCase, source);
    return mismatches.length === 0 ? undefined : mismatches.map(describe).join("\n");
  } catch (error) {
    return `  threw: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

function describe({ call, expected, actual }: Mismatch): string {
  return `  call ${call + 1}\n${lines("-", expected)}\n${lines("+", actual)}`;
}

function lines(sign: string, value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? "nothing";
  return text
    .split("\n")
    .map((line) => `    ${sign} ${line}`)
    .join("\n");
}
