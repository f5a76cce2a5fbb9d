/**
 * Writes docs/reference/client.md from the declarations of @winnow/client emitted by `tsc -b`; with --check fails
 * if it is stale. Covers the public surface: the exports of the entry points and their comments.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "../repository.ts";
import { exportsOf, type Exported } from "./declarations.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

const EMITTED = path.join(ROOT, "packages/client/dist/src");

const INTRODUCTIONS = {
  index: [
    "@winnow/client",
    "Runs wherever there is `fetch`: Node (20.19, 22.12 or newer), Bun, Deno, edge workers."
  ],
  node: ["@winnow/client/node", "All of `@winnow/client`, and files saved to disk."],
  webhooks: [
    "@winnow/client/webhooks",
    "For receivers of deliveries; alone, without the rest. See [webhooks](../webhooks.md)."
  ]
} as const;

const isFromService = ({ file }: Exported): boolean => file.endsWith(path.join("generated", "types.d.ts"));

const section = ({ name, comment, declaration }: Exported): string =>
  [`### ${name}`, comment, `\`\`\`ts\n${declaration}\n\`\`\``].filter((part) => part !== "").join("\n\n");

const isClass = ({ declaration }: Exported): boolean => declaration.startsWith("class ");

const entryPoint = (entry: keyof typeof INTRODUCTIONS, known: ReadonlySet<string>): string => {
  const all = exportsOf(path.join(EMITTED, `${entry}.d.ts`)).filter(
    ({ name, file }) => !known.has(`${name} ${file}`)
  );
  const own = all.filter((exported) => !isFromService(exported));
  const sorted = [...own.filter(isClass), ...own.filter((exported) => !isClass(exported))];
  const shapes = all.filter(isFromService).map(({ name }) => `[${name}](http.md#${name.toLowerCase()})`);
  const [title, words] = INTRODUCTIONS[entry];
  return [
    `## ${title}`,
    words,
    shapes.length === 0 ? "" : `Types of requests and responses: ${shapes.join(", ")}.`,
    ...sorted.map(section)
  ]
    .filter((part) => part !== "")
    .join("\n\n");
};

// Up-to-date declarations, whatever was emitted before.
const { status } = spawnSync(path.join(ROOT, "node_modules/.bin/tsc"), ["-b", "packages/client"], {
  cwd: ROOT,
  stdio: "inherit"
});
if (status !== 0) throw new Error("The client does not compile.");

const main = new Set(exportsOf(path.join(EMITTED, "index.d.ts")).map(({ name, file }) => `${name} ${file}`));

const page = [
  "<!-- Generated from packages/client/src by scripts/reference/client.ts: do not edit. -->",
  "# Client reference",
  "The exports of each entry point of `@winnow/client`. To learn how to use it, [start here](../start.md).",
  entryPoint("index", new Set()),
  entryPoint("node", main),
  entryPoint("webhooks", new Set())
];

writeOrCheck("docs/reference/client.md", `${page.join("\n\n")}\n`, "npm run pnpm -- reference:client");
