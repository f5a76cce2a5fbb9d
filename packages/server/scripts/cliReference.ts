/** Prints docs/reference/cli.md: what each command of the program says with --help. */
import { stripVTControlCharacters } from "node:util";
import * as NodeServices from "@effect/platform-node/NodeServices";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { winnow } from "../src/cli/winnow.ts";
import { settingsHelp } from "../src/settings/Config.ts";

/** What `winnow … --help` prints. */
const helpOf = async (path: ReadonlyArray<string>): Promise<string> => {
  const lines: Array<string> = [];
  const listening = {
    ...globalThis.console,
    log: (...words: ReadonlyArray<unknown>) => lines.push(words.join(" "))
  };
  await Effect.runPromise(
    Command.runWith(winnow, { version: "" })([...path, "--help"]).pipe(
      Effect.provideService(Console.Console, listening as unknown as Console.Console),
      Effect.provide(NodeServices.layer)
    )
  );
  return stripVTControlCharacters(lines.join("\n")).trim();
};

const SUBCOMMANDS = "\n\nSUBCOMMANDS\n";

/** They are the same everywhere: the first page of help has them. */
const withoutGlobalFlags = (help: string): string =>
  help.replace(/\n\nGLOBAL FLAGS\n(?: .*\n?)*/u, "\n").trim();

/** Flags that many commands share are listed once, at the top of the page. */
const SHARED_FLAGS: ReadonlyArray<readonly [flag: string, meaning: string]> = [
  [
    "--url string",
    "URL of the server; by default WINNOW_URL, what winnow login stored, or the server on this machine"
  ],
  ["--admin-token string", "Admin token; by default WINNOW_ADMIN_TOKEN or the one in the data directory"],
  ["--api-key string", "An API key of the account; by default WINNOW_API_KEY or what winnow login stored"],
  ["--json", "Print JSON instead of text"]
];

const isShared = (line: string): boolean =>
  SHARED_FLAGS.some(([flag, meaning]) => line.startsWith(`  ${flag} `) && line.trim().endsWith(meaning));

const withoutSharedFlags = (help: string): string =>
  help
    .split("\n")
    .filter((line) => !isShared(line))
    .join("\n")
    .replace(/\n\nFLAGS(?=\n\n|$)/u, "")
    .trim();

/** They have a page of their own. */
const withoutSettings = (help: string): string => help.replace(settingsHelp(), "  [settings](settings.md).");

/** The description as a paragraph above the block, without subcommands, which have sections of their own. */
const section = (path: ReadonlyArray<string>, text: string): string => {
  const [described = "", usage = ""] = text.split("\n\nUSAGE\n");
  const description = described
    .replace(/^DESCRIPTION\n/u, "")
    .replaceAll(/^ {2}/gmu, "")
    .trim();
  const [block] = usage.split(SUBCOMMANDS);
  return `## winnow${path.map((part) => ` ${part}`).join("")}\n\n${description}\n\n\`\`\`\n${block?.replace(/^ {2}/u, "")}\n\`\`\``;
};

const sections = async (path: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const help = await helpOf(path);
  const text = withoutSettings(path.length === 0 ? help : withoutSharedFlags(withoutGlobalFlags(help)));
  const [, listed = ""] = help.split(SUBCOMMANDS);
  const names = [...listed.matchAll(/^ {2}([\w-]+) /gmu)].map(([, name = ""]) => name);
  const inner: Array<string> = [];
  for (const name of names) inner.push(...(await sections([...path, name])));
  return [section(path, text), ...inner];
};

const page = [
  "<!-- Generated from the program's --help by packages/server/scripts/cliReference.ts: do not edit. -->",
  "# The winnow program",
  "In a checkout, run `npm run winnow -- COMMAND`. This is the output of each command with `--help`. Commands that call a server share these flags, which are left out below; for an account that is named by its id, the operator's token takes the place of the key, and the stored login plays no part:",
  SHARED_FLAGS.filter(([flag], index) => SHARED_FLAGS.findIndex(([each]) => each === flag) === index)
    .map(([flag, meaning]) => `- \`${flag}\`: ${meaning}.`)
    .join("\n"),
  ...(await sections([]))
];

console.log(page.join("\n\n"));
