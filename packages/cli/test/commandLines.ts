/**
 * The commands of the program, found by walking it, and a command line for each that calls a server: a new command is
 * tried with hostile and with foreign answers like all others.
 */
import { stripVTControlCharacters } from "node:util";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { assert } from "@effect/vitest";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { winnow as program } from "../src/winnow.ts";

const helpOf = Effect.fnUntraced(function* (path: ReadonlyArray<string>) {
  const lines: Array<string> = [];
  const listening = { ...globalThis.console, log: (line: string) => lines.push(line) };
  yield* Command.runWith(program, { version: "" })([...path, "--help"]).pipe(
    Effect.provideService(Console.Console, listening as unknown as Console.Console),
    Effect.provide(NodeServices.layer)
  );
  return stripVTControlCharacters(lines.join("\n"));
});

interface Leaf {
  readonly name: string;
  readonly help: string;
}

const leavesBelow = (
  { subcommands }: Command.Command.Any,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Leaf>> =>
  Effect.gen(function* () {
    const commands = subcommands.flatMap((group) => group.commands);
    if (commands.length === 0) return [{ name: path.join(" "), help: yield* Effect.orDie(helpOf(path)) }];
    return (yield* Effect.forEach(commands, (each) => leavesBelow(each, [...path, each.name]))).flat();
  });

/** Commands without subcommands. */
export const leaves = leavesBelow(program, []);

/** What commands require, by its name in their help. */
const VALUES: Readonly<Record<string, string>> = {
  "account-id": "acc_1",
  credits: "5",
  "endpoint-id": "whe_1",
  id: "ext_1",
  "id...": "ext_1",
  "key-id": "key_1",
  name: "x",
  "schema-id": "sch_1",
  url: "https://hooks.example.org/"
};

/** Where that is not enough to call a server, or not all. Any file with a JSON object is a schema. */
const LINES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "account show": ["account show", "account show acc_1"],
  batch: ["batch bat_1", "batch https://example.com/channel --first 3 --yes"],
  "key list": ["key list", "key list acc_1"],
  list: ["list", "list --ids"],
  "schema save": ["schema save package.json"],
  "webhook redeliver": ["webhook redeliver whd_1", "webhook redeliver --since 2026-11-21T08:00:00Z"]
};

/** It runs until it is stopped: hostileServer.test.ts and webhookListen.test.ts try it. */
const ENDLESS: ReadonlySet<string> = new Set(["webhook listen"]);

const lineOf = ({ name, help }: Leaf): string => {
  const usage = /^ {2}winnow .*$/mu.exec(help)?.[0] ?? assert.fail(`winnow ${name} --help has no usage`);
  const required = [...usage.matchAll(/(?<!\[)<([^>]+)>/gu)].map(
    ([, argument = ""]) => VALUES[argument] ?? assert.fail(`VALUES lacks <${argument}> of winnow ${name}`)
  );
  return [name, ...required].join(" ");
};

/** A line for each command that calls a server, and the flag of the credential that it takes. */
export const serverLines = Effect.map(leaves, (all) =>
  all
    .filter(({ name, help }) => /^ {2}--url /mu.test(help) && !ENDLESS.has(name))
    .flatMap((leaf) =>
      (LINES[leaf.name] ?? [lineOf(leaf)]).map((line) => {
        const isOperators = line.includes("acc_1") || !/^ {2}--api-key /mu.test(leaf.help);
        return { line, credential: isOperators ? "--admin-token" : "--api-key" };
      })
    )
);
