/** Writes docs/decisions/README.md, the index of decisions; with --check fails if it is stale. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

const FOLDER = path.join(ROOT, "docs/decisions");

const entry = (file: string): string => {
  const [first = ""] = readFileSync(path.join(FOLDER, file), "utf8").split("\n");
  const title = first.replace(/^# (?:\d+[.:] )?/u, "");
  return `- [${Number(file.slice(0, 4))}. ${title}](${file})`;
};

const entries = readdirSync(FOLDER)
  .filter((file) => /^\d{4}-.*\.md$/u.test(file))
  .toSorted()
  .map(entry);

const page = [
  "<!-- Generated from the titles by scripts/reference/decisions.ts: do not edit. -->",
  "# Decisions",
  "Why Winnow is built as it is: context, decision, consequence and what lost, in at most 300 words each. A decision that changes is rewritten; the numbers that are missing were merged into others.",
  entries.join("\n")
];

writeOrCheck("docs/decisions/README.md", `${page.join("\n\n")}\n`);
