import { readFile } from "node:fs/promises";
import { isObject } from "../../src/dialects/dialect.js";
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
  const { subject, cases } = await readVectors(path);
  const check = SUBJECTS[subject];
  const failures: string[] = [];
  for (const testCase of cases) {
    const problem = check ? await runCase(check, testCase) : `  unknown subject ${JSON.stringify(subject)}`;
    if (problem !== undefined) failures.push(`${subject}: ${testCase.name}\n${problem}`);
  }
  return { passed: cases.length - failures.length, failed: failures.length, failures };
}

async function readVectors(path: string): Promise<{ readonly subject: string; readonly cases: readonly Case[] }> {
  const file: unknown = JSON.parse(await readFile(path, "utf8"));
  if (isObject(file) && typeof file.subject === "string" && Array.isArray(file.cases))
    return { subject: file.subject, cases: file.cases as readonly Case[] };
  throw new Error(`${path} is no vector file: it needs "subject" and "cases".`);
}

async function runCase(check: (typeof SUBJECTS)[string], testCase: Case): Promise<string | undefined> {
  try {
    const mismatches = await check(testCase);
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
