/** Prints docs/reference/cli.md: what each command of the program says with --help. */
import { stripVTControlCharacters } from "node:util";
import * as NodeServices from "@effect/platform-node/NodeServices";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as UsageErrors from "../src/usageErrors.ts";
import { winnow } from "../src/winnow.ts";
import { settingsHelp } from "@winnow/server/settings/Config";

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
      Effect.provide([NodeServices.layer, UsageErrors.layer])
    )
  );
  return stripVTControlCharacters(lines.join("\n")).trim();
};

/** The root has groups of them, each under its own words. */
const SUBCOMMANDS = /\n\n(?:SUBCOMMANDS|Extractions on a server:)\n/u;

/** A line of FLAGS or ARGUMENTS: the name with its type, and the meaning. */
const PARAMETER = /^ {2}(\S.*?) {4,}(\S.*)$/u;

/** Described once, at the top of the page: what so many commands have, or several if nothing else has its name. */
const SHARED_BY = 3;

const parameterOf = (line: string): string | null => {
  const [, name, meaning = ""] = PARAMETER.exec(line) ?? [];
  return name === undefined ? null : `- \`${name}\`: ${meaning.replace(/ \(optional\)$/u, "")}.`;
};

const partsOf = (help: string): ReadonlyArray<string> =>
  help.split("\n\n").filter((part) => /^(?:FLAGS|ARGUMENTS)\n/u.test(part));

const sharedOf = (helps: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>();
  for (const line of helps.flatMap(partsOf).flatMap((part) => part.split("\n"))) {
    const parameter = parameterOf(line);
    if (parameter !== null) counts.set(parameter, (counts.get(parameter) ?? 0) + 1);
  }
  const nameOf = (parameter: string): string => parameter.split(" ", 2)[1] ?? "";
  const isOnly = (name: string): boolean =>
    [...counts.keys()].filter((each) => nameOf(each) === name).length === 1;
  return [...counts]
    .filter(([parameter, count]) => count >= SHARED_BY || (count > 1 && isOnly(nameOf(parameter))))
    .map(([parameter]) => parameter);
};

/** An argument whose name says what it is: `key-id`: Id of the key. */
const SAYS_ITS_NAME = /`[\w-]+ string`: (?:Id|Name) of [\w ]+\.$/u;

const withoutShared = (help: string, shared: ReadonlyArray<string>): string =>
  help
    .split("\n")
    .filter(
      (line) => !shared.includes(parameterOf(line) ?? "") && !SAYS_ITS_NAME.test(parameterOf(line) ?? "")
    )
    .join("\n");

/** They have a page of their own. */
const withoutSettings = (help: string): string =>
  help
    .replace(settingsHelp(), "")
    .replace(/\n\nSETTINGS .*\n\n/u, "")
    .replace("they are listed below", "[all of them](settings.md)");

/** They are for the terminal. */
const withoutExamples = (help: string): string => help.replace(/\n\nEXAMPLES\n[^]*$/u, "");

/** Which the flag itself names: `--log-level <all|trace>`. */
const withoutChoicesTwice = (help: string): string =>
  help.replaceAll(/(<\w+(?:\|\w+)+> .*?) \(choices: .*\)$/gmu, "$1");

const describedBy = new Map<string, string>();

/** What an earlier command says in the same words is said there only. */
const onceOf = (command: string, parameter: string): string => {
  const by = describedBy.get(parameter);
  describedBy.set(parameter, by ?? command);
  return by === undefined ? parameter : parameter.replace(/^- `([^ `]+).*$/u, `- \`$1\`: as for \`${by}\`.`);
};

/** The usage is the heading, the description a paragraph; subcommands have sections of their own. */
const section = (text: string): string => {
  const [described = "", usage = ""] = text.split("\n\nUSAGE\n");
  const description = described
    .replace(/^DESCRIPTION\n/u, "")
    .replaceAll(/^ {2}/gmu, "")
    .trim();
  const [line = "", ...parameters] = (usage.split(SUBCOMMANDS)[0] ?? "").split("\n\n");
  const heading = line
    .trim()
    .replace(/ <subcommand>/u, "")
    .replace(" [flags]", "");
  const command = heading.replace(/ [<[].*$/u, "");
  const list = parameters
    .join("\n")
    .split("\n")
    .map(parameterOf)
    .filter((each) => each !== null)
    .map((each) => onceOf(command, each))
    .join("\n");
  return `## ${heading.includes("<") ? `\`${heading}\`` : heading}\n\n${description}\n\n${list}`.trim();
};

interface CommandHelp {
  readonly path: ReadonlyArray<string>;
  readonly help: string;
}

/** Of the program and of each command that does something: a group only lists them. */
const allHelps = async (
  { subcommands }: Command.Command.Any,
  path: ReadonlyArray<string>
): Promise<ReadonlyArray<CommandHelp>> => {
  const inner: Array<CommandHelp> = [];
  for (const each of subcommands.flatMap(({ commands }) => commands))
    inner.push(...(await allHelps(each, [...path, each.name])));
  return path.length > 0 && inner.length > 0 ? inner : [{ path, help: await helpOf(path) }, ...inner];
};

const helps = await allHelps(winnow, []);
const shared = sharedOf(helps.map(({ help }) => help));

const page = [
  "<!-- Generated from the program's --help by packages/cli/scripts/cliReference.ts: do not edit. -->",
  "# The winnow program",
  "In a clone, run `npm run -s winnow -- COMMAND`. Commands say this with `--help` too, with examples; what several of them share is described once, here. If you name an account's id, the operator's token is used instead of the key, and the stored login is ignored.",
  shared.filter((parameter) => !SAYS_ITS_NAME.test(parameter)).join("\n"),
  ...helps.map(({ path, help }) =>
    section(
      path.length === 0
        ? withoutChoicesTwice(help)
        : withoutSettings(withoutExamples(withoutShared(help, shared)))
    )
  )
];

console.log(page.join("\n\n"));
