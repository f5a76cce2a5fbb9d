/**
 * Checks that code in the docs comes from the examples: a block marked ```ts file=examples/x.ts must occur in that
 * file, completely or as consecutive lines, and every ```ts block must be marked. Exit code 1, and one line per
 * violation.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { filesOf, read, ROOT } from "./repository.ts";

const BLOCK = /^(?<fence>`{3,})(?<info>[^\n`]*)\n(?<code>[\s\S]*?)^\k<fence>$/gmu;
const FILE = /(?:^|\s)file=(?<file>\S+)/u;

/** Without the common indentation, so that a part of a function may start at the margin. */
const dedented = (code: string): string => {
  const lines = code.trimEnd().split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/u));
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join("\n");
};

const containsCode = (text: string, code: string): boolean => {
  const expected = dedented(code);
  const { length } = expected.split("\n");
  const lines = text.split("\n");
  return lines.some((_, start) => dedented(lines.slice(start, start + length).join("\n")) === expected);
};

const pages = filesOf("*.md");
let count = 0;
const faults: Array<string> = [];
for (const page of pages) {
  const text = read(page);
  for (const { index, groups = {} } of text.matchAll(BLOCK)) {
    const file = FILE.exec(groups["info"] ?? "")?.groups?.["file"];
    const place = `${page}:${text.slice(0, index).split("\n").length}`;
    if (file === undefined) {
      if (groups["info"] === "ts") faults.push(`${place}: from which example is this?`);
      continue;
    }
    count++;
    if (!existsSync(path.join(ROOT, file))) faults.push(`${place}: there is no ${file}`);
    else if (!containsCode(read(file), groups["code"] ?? "")) faults.push(`${place}: this is not in ${file}`);
  }
}

for (const fault of faults) console.error(fault);
console.log(`docs: ${count} blocks of code from files, ${faults.length} differ`);
process.exitCode = faults.length === 0 ? 0 : 1;
