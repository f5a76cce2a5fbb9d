#!/usr/bin/env node
/**
 * The entry point of the workspace: sets up what is missing, then continues with Node 24.
 *
 *   npm run setup [-- --ocr]         npm run demo [-- URL]                 npm start [-- options of "serve", --stand-in]
 *   npm run winnow -- COMMAND        npm run pnpm -- ARGUMENTS             npm run node -- FILE
 *   npm run generate                 npm run pictures [-- FOLDER]          npm test [-- PATH]
 */
import path from "node:path";
import { hand, say, SetupFailed } from "./setup/commands.mjs";
import { buildStaticFiles } from "./setup/built.mjs";
import { checkNode, installPackages, PNPM } from "./setup/packages.mjs";
import { DATA_DIR, makeDataDir, NODE, ROOT } from "./setup/paths.mjs";
import { choosePrograms, installPrograms, installSystemPrograms } from "./setup/programs.mjs";

const PROGRAM = path.join(ROOT, "packages/cli/bin/winnow.mjs");

const COMMANDS = {
  setup: null,
  demo: ["examples/demo.ts"],
  start: [PROGRAM, "serve"],
  run: [PROGRAM],
  test: ["scripts/test.ts"],
  generate: ["scripts/generate.ts"],
  pictures: ["packages/dashboard/scripts/screenshots.ts"],
  node: [],
  pnpm: [PNPM]
};

/** Commands of the program that run extractions; the others start without programs, and without the web app. */
const RUNNING = new Set(["serve", "extract", "probe", "mcp"]);
/** Commands that report on the programs. */
const LOOKING = new Set(["check", "doctor", "programs"]);

/** What a command needs: everything, a look at the programs that are there, or nothing. */
const needOf = (command, args) => {
  if (command === "generate" || command === "pnpm") return "look";
  if (command !== "run") return "all";
  const name = args.find((word) => !word.startsWith("-"));
  if (args.some((word) => ["--help", "-h", "--version", "-v"].includes(word))) return "nothing";
  return RUNNING.has(name) ? "all" : LOOKING.has(name) ? "look" : "nothing";
};

/** What all of them bring. One that fails does not cut another off. */
const together = async (...steps) => {
  const settled = await Promise.allSettled(steps);
  for (const { reason } of settled) if (reason !== undefined) throw reason;
  return settled.map(({ value }) => value);
};

/** Resolves with the folders of programs that belong before those of PATH. */
const setUp = async (need, command, args) => {
  if (need !== "all") {
    await installPackages();
    return need === "look" ? choosePrograms() : [];
  }
  makeDataDir();
  const isWholeTest = command === "test" && !args.includes("--quick");
  const ocr = isWholeTest || (command === "setup" && args.includes("--ocr"));
  // These mostly wait, for npm's registry and for Debian's, then for Python's.
  await together(installSystemPrograms({ browser: isWholeTest, ocr }), installPackages());
  const [programs] = await together(installPrograms(), buildStaticFiles());
  return programs;
};

const main = async ([command, ...args]) => {
  if (!Object.hasOwn(COMMANDS, command ?? "")) {
    say(`Usage: node scripts/winnow.mjs ${Object.keys(COMMANDS).join("|")} [arguments]`);
    return 2;
  }
  checkNode();
  const need = needOf(command, args);
  const programs = await setUp(need, command, args);
  const isStandIn = command === "start" && args.includes("--stand-in");
  const program = isStandIn ? ["examples/demo/standIn.ts"] : COMMANDS[command];
  if (program === null) return 0;
  // Node 24 is first on PATH, so that programs in node_modules/.bin use it too.
  const PATH = [path.dirname(NODE), ...programs, process.env.PATH].join(path.delimiter);
  // Relative paths of "run" refer to the caller's folder; npm changed to the root and recorded it.
  const cwd = command === "run" ? (process.env.INIT_CWD ?? process.cwd()) : ROOT;
  // "run" looks into the same data folder as "start", wherever it was typed.
  const dataDir = command === "run" ? { WINNOW_DATA_DIR: DATA_DIR } : {};
  const passed = isStandIn ? args.filter((word) => word !== "--stand-in") : args;
  return hand(NODE, [...program, ...passed], { cwd, env: { ...process.env, PATH, ...dataDir } });
};

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    say(error instanceof SetupFailed ? `\n${error.message}` : (error?.stack ?? String(error)));
    process.exit(1);
  }
);
