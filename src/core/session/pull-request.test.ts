import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openedPullRequest, pullRequestAt } from "./pull-request.js";

const URL = "https://github.com/acme/shop/pull/12";

describe("a record that names a pull request", () => {
  const known = { number: 12, url: URL, repository: "acme/shop" };
  const enterprise = "https://git.acme.example:8443/shop/-/merge_requests/3";
  const rows: readonly (readonly [string, unknown, unknown, unknown, object | undefined])[] = [
    ["all of it", 12, URL, "acme/shop", known],
    ["no repository", 12, URL, undefined, { ...known, repository: null }],
    ["a repository that is none", 12, URL, "acme shop\u001b[2J", { ...known, repository: null }],
    ["another server", 3, enterprise, null, { number: 3, url: enterprise, repository: null }],
    ["a number in words", "12", URL, "acme/shop", undefined],
    ["zero", 0, URL, "acme/shop", undefined],
    ["below zero", -1, URL, "acme/shop", undefined],
    ["half a number", 1.5, URL, "acme/shop", undefined],
    ["more than can be counted", 1e300, URL, "acme/shop", undefined],
    ["no link", 12, undefined, "acme/shop", undefined],
    ["a link without encryption", 12, URL.replace("https", "http"), "acme/shop", undefined],
    ["a script", 12, "javascript:alert(1)", "acme/shop", undefined],
    ["a user's name in it", 12, "https://me:pass@github.com/acme/shop/pull/12", "acme/shop", undefined],
    ["a query", 12, `${URL}?token=abc`, "acme/shop", undefined],
    ["control characters", 12, `${URL}\u001b]8;;x\u0007`, "acme/shop", undefined],
    ["a second line", 12, `${URL}\nrm -rf /`, "acme/shop", undefined],
    ["a very long one", 12, `https://github.com/${"a/".repeat(5000)}pull/12`, "acme/shop", undefined],
    ["a secret in it", 12, "https://x.example/ghp_0123456789abcdefghijABCDEFGHIJ012345/1", "a/b", undefined],
    ["an object", { toString: 0 }, { toString: 0 }, { toString: 0 }, undefined],
  ];
  test.each(rows)("%s", (_, number, url, repository, then) => {
    expect(pullRequestAt(number, url, repository)).toEqual(then);
  });
});

describe("what gh pr create prints", () => {
  const opened = { number: 12, url: URL, repository: "acme/shop" };
  test.each([
    ["the link alone", URL, opened],
    ["as the last line", `Creating pull request for x into main in acme/shop\n\n${URL}\n`, opened],
    ["something behind it", `${URL}\nand more`, undefined],
    ["a link to something else", "https://github.com/acme/shop/issues/12", undefined],
    ["nothing", "", undefined],
    ["a number that is too long", `https://github.com/acme/shop/pull/${"9".repeat(30)}`, undefined],
  ])("%s", (_, output, then) => expect(openedPullRequest(output)).toEqual(then));
});

test("whatever is told, it is a link that can be shown, or nothing", () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.oneof(fc.string(), fc.webUrl(), fc.anything()),
      fc.anything(),
      (number, url, name) => {
        const found = pullRequestAt(number, url, name);
        if (found) expect(found.url).toMatch(/^https:\/\/[!-~]+$/);
      },
    ),
    { numRuns: 100 },
  );
});
