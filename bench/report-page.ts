import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { drawPage } from "../src/app/report/page/draw-page.js";
import { findBrowser, startBrowser } from "../test/browser.js";
import { longSession, reportWith, richReport } from "../test/report-samples.js";

// How long a report of 10,000 calls takes to be drawn and to open in a real Chromium.
// `--screens`: the pictures in docs/ instead.

const LIMIT_MS = 1500;
const CALLS = 10_000;
const ROUNDS = 5;

const path = findBrowser();
if (path === undefined) throw new Error("There is no Chromium: name one with CHROMIUM_PATH.");
const folder = mkdtempSync(join(tmpdir(), "milepost-bench-"));
const browser = await startBrowser(path);
try {
  if (process.argv.includes("--screens")) await takeScreens();
  else await measure();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

function put(html: string): string {
  const file = join(folder, "report.html");
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

async function measure(): Promise<void> {
  const report = reportWith([longSession(CALLS)], true);
  const begun = performance.now();
  const html = drawPage(report);
  const drawn = performance.now() - begun;
  const address = put(html);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await browser.newPage();
    const opened = performance.now();
    await page.goto(address);
    // Layout and the first frame are part of it.
    await page.screenshot();
    times.push(performance.now() - opened);
    await page.close();
  }
  times.sort((a, b) => a - b);
  const middle = times[Math.floor(ROUNDS / 2)] ?? 0;
  const size = (statSync(join(folder, "report.html")).size / 1e6).toFixed(1);
  console.log(`page of ${CALLS} calls: ${size} MB, drawn in ${Math.round(drawn)} ms`);
  console.log(`open with its first frame: ${Math.round(middle)} ms (limit ${LIMIT_MS})`);
  if (middle > LIMIT_MS) process.exitCode = 1;
}

async function takeScreens(): Promise<void> {
  const address = put(drawPage(richReport()));
  const screens = [
    { file: "docs/report-1280.png", width: 1280, height: 1500, colorScheme: "light" },
    { file: "docs/report-390-dark.png", width: 390, height: 1100, colorScheme: "dark" },
  ] as const;
  for (const { file, width, height, colorScheme } of screens) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    await page.goto(address);
    await page.screenshot({ path: file, fullPage: process.argv.includes("--whole") });
    console.log(`${file}: ${Math.round(statSync(file).size / 1000)} kB`);
    await page.close();
  }
}
