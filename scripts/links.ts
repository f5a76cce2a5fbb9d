/**
 * Checks that every relative link in the docs leads to an existing file and anchor, and that every source file that
 * the architecture or a package's README names exists. Exit code 1, and one line per broken link or name. External
 * links are not checked, because tests and checks need no network.
 */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { filesOf, read, ROOT } from "./repository.ts";

/** Of another project of the compiler, so loaded by its path. */
const { slugger } = (await import(path.join(ROOT, "packages/server/scripts/anchors.ts"))) as {
  readonly slugger: () => (heading: string) => string;
};

const FENCED = /^(?<fence>`{3,}|~{3,})[^\n]*\n[\s\S]*?^\k<fence>/gmu;
const CODE = /`[^`\n]*`/gu;
const LINK = /\[[^\]]*\]\((?<target>[^()\s]+)\)/gu;
const HEADING = /^#{1,6} (?<text>.+)$/gmu;
const OWN_ANCHOR = /<a id="(?<id>[^"]+)"><\/a>/gu;

const textOf = (file: string): string => read(file).replaceAll(FENCED, "");

/** The page's own anchors, and those that GitHub makes of its headings. */
const anchorsOf = (file: string): ReadonlySet<string> => {
  const text = textOf(file);
  const slugOf = slugger();
  return new Set([
    ...[...text.matchAll(OWN_ANCHOR)].map(({ groups }) => groups?.["id"] ?? ""),
    ...[...text.matchAll(HEADING)].map(({ groups }) => slugOf(groups?.["text"] ?? ""))
  ]);
};

const known = new Map<string, ReadonlySet<string>>();

/** Computed once per page. */
const knownAnchorsOf = (file: string): ReadonlySet<string> => {
  const anchors = known.get(file) ?? anchorsOf(file);
  known.set(file, anchors);
  return anchors;
};

const faultOf = (page: string, target: string): string | null => {
  if (/^[a-z][a-z0-9+.-]*:/iu.test(target)) return null;
  const [place = "", anchor] = target.split("#");
  const file = place === "" ? page : path.join(path.dirname(page), decodeURIComponent(place));
  if (!existsSync(path.join(ROOT, file))) return "no such file";
  if (anchor === undefined || anchor === "") return null;
  if (statSync(path.join(ROOT, file)).isDirectory() || !file.endsWith(".md")) return null;
  return knownAnchorsOf(file).has(anchor) ? null : "no such anchor";
};

const pages = filesOf("*.md");
let links = 0;
let broken = 0;
for (const page of pages) {
  for (const { groups } of textOf(page).replaceAll(CODE, "code").matchAll(LINK)) {
    const target = groups?.["target"] ?? "";
    links += 1;
    const fault = faultOf(page, target);
    if (fault === null) continue;
    broken += 1;
    console.error(`${page}: ${target}: ${fault}`);
  }
}

/** Sources named in text, code and diagrams: `SubmitBody.ts`, or with as many of its folders as tell which. */
const SOURCE_NAME = /(?<![\w./…-])(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:tsx?|mjs|py|sql|tsv)\b/gu;
const files = filesOf().map((file) => `/${file}`);
for (const page of pages.filter((each) =>
  /^(?:docs\/architecture|CONTRIBUTING|packages\/[^/]+\/README)\.md$/u.test(each)
))
  for (const [name] of read(page).matchAll(SOURCE_NAME)) {
    if (files.some((file) => file.endsWith(`/${name}`))) continue;
    broken += 1;
    console.error(`${page}: ${name}: no such file`);
  }
console.log(`links: ${links} in ${pages.length} pages, ${broken} broken`);
process.exitCode = broken === 0 ? 0 : 1;
