/** Prints docs/reference/cli.md: what each command of the program says with --help. */
import { stripVTControlCharacters } from "node:util";
import * as NodeServices from "@effect/platform-node/NodeServices";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { winnow } from "../src/cli/winnow.ts";
import { settingsHelp } from "../src/Config.ts";

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

/** They have a page of their own. */
const withoutSettings = (help: string): string =>
  help.replace(settingsHelp(), "  docs/reference/settings.md lists them.");

const sections = async (path: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const help = await helpOf(path);
  const text = withoutSettings(path.length === 0 ? help : withoutGlobalFlags(help));
  const heading = `## winnow${path.map((part) => ` ${part}`).join("")}`;
  const [, listed = ""] = help.split(SUBCOMMANDS);
  const names = [...listed.matchAll(/^ {2}([\w-]+) /gmu)].map(([, name = ""]) => name);
  const inner: Array<string> = [];
  for (const name of names) inner.push(...(await sections([...path, name])));
  return [`${heading}\n\n\`\`\`\n${text}\n\`\`\``, ...inner];
};

const page = [
  "<!-- Generated from the program's --help by packages/server/scripts/cliReference.ts: do not edit. -->",
  "# The winnow program",
  "In a checkout, run `npm run winnow -- COMMAND`. This is the output of each command with `--help`:",
  ...(await sections([]))
];

console.log(page.join("\n\n"));
