/**
 * Writes the table of JSON Schema keywords and their treatment into docs/schemas.md, from the list the code uses;
 * with --check fails if it is stale.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { read, ROOT } from "../repository.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

/** An entry of the code's list. */
interface Construct {
  readonly keywords: ReadonlyArray<string>;
  readonly enforced: "yes" | "part" | "no";
  readonly isChecked: boolean;
  readonly isDescribed: boolean;
  readonly note: string;
}

const CODE = path.join(ROOT, "packages/adapters/src/model/projection/Constructs.ts");

const { CONSTRUCTS } = (await import(pathToFileURL(CODE).href)) as {
  readonly CONSTRUCTS: ReadonlyArray<Construct>;
};

const PAGE = "docs/schemas.md";
const BEGINNING = "<!-- Generated from Constructs.ts by scripts/reference/constructs.ts: do not edit. -->";
const END = "<!-- End of the table. -->";

const ENFORCED: Readonly<Record<Construct["enforced"], string>> = { yes: "yes", part: "in part", no: "no" };

const howEnforced = ({ enforced, isChecked, isDescribed }: Construct): string => {
  if (!isChecked) return "no: a hint";
  if (!isDescribed) return ENFORCED[enforced];
  return enforced === "no" ? "in words" : `${ENFORCED[enforced]}, in words`;
};

const table = [
  ["keywords", "enforced by the provider", "notes"],
  ...CONSTRUCTS.map((construct) => [
    construct.keywords.map((keyword) => `\`${keyword}\``).join(", "),
    howEnforced(construct),
    construct.note
  ])
];
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
const line = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;

const [head = [], ...others] = table;
const rule = widths.map((width) => "-".repeat(width));
const written = [BEGINNING, "", ...[head, rule, ...others].map(line), "", END].join("\n");

const text = read(PAGE);
const [from, to] = [text.indexOf(BEGINNING), text.indexOf(END)];
if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the table of constructs`);

writeOrCheck(PAGE, text.slice(0, from) + written + text.slice(to + END.length));
