import { existsSync, readdirSync } from "node:fs";
import { dirname, posix } from "node:path";
import { root, textOf } from "./shown-commands.js";

/** Links of a document to files and headings that are not there; what is not in the package is not there for its readers. */
export function deadLinks(document: string, files: readonly string[]): readonly string[] {
  return linksIn(document).filter((link) => !isThere(document, link, files));
}

function linksIn(document: string): readonly string[] {
  const prose = textOf(document).replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, "`code`");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^\w+:/.test(link));
}

function isThere(document: string, link: string, files: readonly string[]): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : posix.join(dirname(document), path);
  if (!existsSync(new URL(target, root)) || !files.some((file) => target === file || target.startsWith(`${file}/`)))
    return false;
  return anchor === undefined || anchorsIn(target).includes(anchor);
}

/** As npm and GitHub make them of headings. */
function anchorsIn(document: string): readonly string[] {
  const prose = textOf(document).replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** What npm puts into the package: what the manifest names, and what npm takes in any case. */
export function packedFiles(): readonly string[] {
  const { files } = JSON.parse(textOf("package.json")) as { readonly files: readonly string[] };
  const always = readdirSync(root).filter((name) => /^(?:readme|licen[cs]e)\b/i.test(name));
  return [...always, "package.json", ...files.filter((name) => !name.startsWith("!"))];
}
