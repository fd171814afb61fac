import fc from "fast-check";
import { expect, test } from "vitest";
import { attacksOn, evaluate } from "../../../../test/attack-entries.js";
import { readMarkup } from "../../../../test/page-markup.js";
import { reportWith, richSession } from "../../../../test/report-samples.js";
import type { SessionWorkReport, WorkReport } from "../work-report.js";
import { drawPage } from "./draw-page.js";

const HOSTILE = [
  "</title><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)" x="',
  "' style='background:url(http://evil.example/x)'",
  "</style><style>@import url(http://evil.example)</style>",
  "javascript:alert(1)",
  "<!-- -->--><svg onload=alert(1)>",
  "&lt;b&gt;&#60;script&#62;",
  "a\u0000b\u202Egnp.exe\u0007\u001b[2J",
  "]]><![CDATA[",
];
const attacks = attacksOn("terminal", "web")
  .map(({ input }) => evaluate(input))
  .flatMap((input) => (typeof input === "string" ? [input.slice(0, 600)] : []));
const hostile = fc.oneof(fc.constantFrom(...HOSTILE, ...attacks), fc.string({ unit: "binary", maxLength: 40 }));

const plain = richSession();

/** Every text of it is another one: whoever wrote them may have written anything. */
function withTexts(text: () => string): WorkReport {
  const session: SessionWorkReport = {
    ...plain,
    id: text(),
    agent: text(),
    title: text(),
    project: text(),
    branch: text(),
    model: text(),
    todos: plain.todos.map((todo) => ({ ...todo, text: text(), reason: text() })),
    alerts: plain.alerts.map((alert) => ({ ...alert, detector: text(), message: text() })),
    calls: plain.calls.map((call) => ({ ...call, tool: text(), subject: text(), agent: text() })),
    files: plain.files.map((file) => ({ ...file, path: text() })),
  };
  const report = reportWith([session, session]);
  return {
    ...report,
    agents: report.agents.map((one) => ({ ...one, agent: text() })),
    tasks: report.tasks.map((task) => ({ ...task, subject: text(), list: text(), closedBy: text() })),
  };
}

/** All that the page is made of; whatever a text adds would be seen. */
const TAGS = new Set(
  "html head meta title style body main header h1 h2 h3 p div span b i section table thead tbody tr th td small ul li details summary svg path footer".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "lang charset name content http-equiv class style title role aria-label aria-hidden tabindex viewBox preserveAspectRatio d open".split(
    " ",
  ),
);

test("whatever texts say, the page is whole, runs nothing and loads nothing", () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 5, maxLength: 60 }), (texts) => {
      let at = 0;
      const next = () => texts[at++ % texts.length] ?? "";
      const page = drawPage(withTexts(next));
      const { tags, attributes, styles, problem } = readMarkup(page);
      expect(problem).toBeUndefined();
      expect([...tags].filter((tag) => !TAGS.has(tag))).toEqual([]);
      expect([...attributes].filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
      expect(styles.filter((style) => !/^[a-z0-9.%:;-]*$/.test(style))).toEqual([]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
    { numRuns: 12 },
  );
});

const texts = attacksOn("terminal", "web").filter(({ input }) => !input.startsWith("steps:"));

test.each(texts)("$id: is text and nothing else", ({ input }) => {
  const text = String(evaluate(input)).slice(0, 600);
  const page = drawPage(withTexts(() => text));
  const expected = readMarkup(drawPage(withTexts(() => "x")));
  const { problem, shape } = readMarkup(page);
  expect([problem, shape]).toEqual([undefined, expected.shape]);
});
