import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import type { Terminal } from "../../test/terminal/pseudo-terminal.js";
import { terminalPage } from "./terminal-page.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser that this machine has; MILEPOST_CHROMIUM names another one. */
export async function openChromium(): Promise<Browser> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
  const executablePath = process.env.MILEPOST_CHROMIUM || found;
  if (!executablePath) throw new Error("There is no Chromium here. On Debian: apt-get install chromium");
  // Root has no sandbox; what is shown is a page of our own, without scripts.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: isRoot ? ["--no-sandbox"] : [] });
}

/** What a person sees at the terminal now, as a picture twice as fine as the page. */
export async function terminalPng(browser: Browser, terminal: Terminal, title: string): Promise<Buffer> {
  const rows = terminal.screen().map((_, row) => terminal.cells(row));
  const context = await browser.newContext({ deviceScaleFactor: 1.5, javaScriptEnabled: false, offline: true });
  try {
    const page = await context.newPage();
    await page.setContent(terminalPage(rows, title));
    return await page.locator("body").screenshot({ omitBackground: true });
  } finally {
    await context.close();
  }
}
