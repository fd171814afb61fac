import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawPage } from "../src/app/report/page/draw-page.js";
import { attacksOn, evaluate } from "./attack-entries.js";
import { findBrowser, startBrowser } from "./browser.js";
import { longSession, reportWith, richReport, richSession } from "./report-samples.js";

// The report in a real Chromium, opened from its file as a person does.

const path = findBrowser();
const folder = mkdtempSync(join(tmpdir(), "milepost-page-"));
let browser: Browser | undefined;

beforeAll(async () => {
  browser = path === undefined ? undefined : await startBrowser(path);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  /** Whatever a page must not do: errors, dialogs, requests but for itself. */
  readonly troubles: readonly string[];
  readonly milliseconds: number;
}

async function open(html: string, width: number): Promise<Opened> {
  if (!browser) throw new Error("no browser");
  const file = join(folder, "report.html");
  writeFileSync(file, html);
  const address = pathToFileURL(file).href;
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: "light" });
  const troubles: string[] = [];
  page.on("console", (message) => troubles.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("request", (request) => request.url() !== address && troubles.push(`request: ${request.url()}`));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const begun = performance.now();
  await page.goto(address);
  // What is laid out has a height.
  await page.evaluate("document.body.getBoundingClientRect().height");
  return { page, troubles, milliseconds: performance.now() - begun };
}

/** By how much the page is wider than the screen. */
const overhang = (page: Page) =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
const backdrop = (page: Page) => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
/** How much wider than its box the first timeline is. */
const moved = (page: Page) =>
  page.evaluate<number>("(box => box.scrollWidth - box.clientWidth)(document.querySelector('.time'))");

const hostile = [
  ...attacksOn("terminal", "web").map(({ input }) => String(evaluate(input)).slice(0, 2000)),
  "x".repeat(3000),
];

/** Each text of the page is one of these. */
function hostilePage(): string {
  const plain = richSession();
  let at = 0;
  const next = () => hostile[at++ % hostile.length] ?? "";
  const sessions = Array.from({ length: 4 }, () => ({
    ...plain,
    title: next(),
    project: next(),
    todos: plain.todos.map((todo) => ({ ...todo, text: next(), reason: next() })),
    alerts: plain.alerts.map((alert) => ({ ...alert, message: next() })),
    calls: plain.calls.map((call) => ({ ...call, tool: next(), subject: next() })),
    files: plain.files.map((file) => ({ ...file, path: next() })),
  }));
  return drawPage(reportWith(sessions));
}

describe.skipIf(path === undefined)("the report in Chromium (skipped where there is none)", () => {
  test.each([1280, 390])("at %i, light and dark: fits, loads nothing and says nothing", async (width) => {
    const { page, troubles } = await open(drawPage(richReport()), width);
    expect(await backdrop(page)).toBe("rgb(246, 247, 248)");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await backdrop(page)).toBe("rgb(14, 17, 22)");
    expect(troubles).toEqual([]);
    expect(await overhang(page)).toBe(0);
    // The timeline is wider than a phone, and is moved inside its own box.
    expect((await moved(page)) > 0).toBe(width === 390);
    expect(await page.locator(".bar").count()).toBeGreaterThan(8);
    await page.locator("details.calls summary").last().click();
    expect(await page.locator(".chunk tr").last().isVisible()).toBe(true);
    await page.close();
  });

  test.each([1280, 390])("hostile texts at %i are texts, and push nothing aside", async (width) => {
    const { page, troubles } = await open(hostilePage(), width);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(troubles).toEqual([]);
    expect(await overhang(page)).toBe(0);
    expect(await page.locator("script, img, iframe, a, link, object, [onload], [onerror]").count()).toBe(0);
    const shown = await page.evaluate<string>("document.body.textContent");
    expect(shown).toContain("<img src=x onerror=alert(1)>");
    await page.close();
  });

  test("10,000 calls open at once", async () => {
    const { page, troubles, milliseconds } = await open(drawPage(reportWith([longSession(10_000)], true)), 1280);
    expect(troubles).toEqual([]);
    // Ten times what `npm run bench:report` allows: this machine may be busy.
    expect(milliseconds).toBeLessThan(15_000);
    await page.close();
  }, 60_000);
});
