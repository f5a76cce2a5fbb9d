/** The `winnow` program: its commands, signal handling and exit codes. */
import { isatty } from "node:tty";
import * as NodeServices from "@effect/platform-node/NodeServices";
import * as Cause from "effect/Cause";
import * as CliError from "effect/cli/CliError";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Logging from "@winnow/server/Logging";
import { backup, restore } from "./backupCommands.ts";
import { batch } from "./batch.ts";
import { login, logout } from "./connection/loginCommands.ts";
import { check, doctor } from "./doctor.ts";
import { download } from "./extractions/downloadCommand.ts";
import { cancel, list, show } from "./extractions/readCommands.ts";
import { submit, wait } from "./extractions/waitCommands.ts";
import { Answered, unreadable } from "./clients.ts";
import { account, credits, key, schema } from "./commandTable.ts";
import { CliFailed, EXIT } from "./Inputs.ts";
import { models } from "./modelCommands.ts";
import { programs } from "./programCommands.ts";
import { extract, mcp, probe } from "./runCommands.ts";
import { serve } from "./serve.ts";
import { webhook } from "./webhookCommands.ts";
import * as UsageErrors from "./usageErrors.ts";

/** A server that gets SIGTERM exits within 30 s; the next start cleans up what is left. */
const STOP_TIMEOUT_MS = 28_000;

/**
 * A terminal sends Ctrl+C to us and to the process that started us, such as npm, which forwards it: a second signal
 * within this time is the same one.
 */
const REPEATED_SIGNAL_MS = 1_000;

const WORK = [submit, list, show, wait, download, cancel, batch] as const;
const ACCOUNT = [login, logout, schema, webhook] as const;
const HERE = [extract, probe, mcp] as const;
const OPERATOR = [serve, check, doctor, programs, models, backup, restore, account, key, credits] as const;

const COMMANDS = [...WORK, ...ACCOUNT, ...HERE, ...OPERATOR];

/** All commands; docs/reference/cli.md is generated from their help. */
export const winnow = Command.make("winnow").pipe(
  Command.withDescription(
    "Turn a public URL into metadata, media, transcript, comments and a validated structured object.\n\n" +
      "Results are text on standard output, or JSON and nothing else with --json; progress, warnings and errors are on " +
      "standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused (no valid key, too few credits), " +
      "130 interrupted"
  ),
  Command.withSubcommands([
    { group: "Extractions on a server", commands: WORK },
    { group: "Your account", commands: ACCOUNT },
    { group: "On this machine, without a server", commands: HERE },
    { group: "For operators", commands: OPERATOR }
  ])
);

/** Global flags may precede the command's name, as in `winnow --log-level debug serve`. */
const commandOf = (argv: ReadonlyArray<string>): string | undefined =>
  argv.find((word) => COMMANDS.some(({ name }) => name === word));

const CREDENTIAL_FLAG = /^--(?:admin-token|api-key|secret)$/u;

/** A credential may begin with a dash, as one in 64 base64url texts does; the parser would read it as short flags. */
const joinCredentials = (argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = [];
  for (const word of argv) {
    const flag = joined.at(-1);
    const isValue = flag !== undefined && CREDENTIAL_FLAG.test(flag) && /^-(?:[^-].|$)/u.test(word);
    if (isValue) joined.splice(-1, 1, `${flag}=${word}`);
    else joined.push(word);
  }
  return joined;
};

const isServer = (argv: ReadonlyArray<string>): boolean => commandOf(argv) === serve.name;

/** `winnow mcp` serves until its host closes standard input. */
const serves = (argv: ReadonlyArray<string>): boolean => isServer(argv) || commandOf(argv) === mcp.name;

/** What a command does with an answer of a server fails if the answer is not one of Winnow. */
const tellDefect = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const { by } = yield* Answered;
  const defect = Cause.squash(cause);
  if (by === null || !(defect instanceof TypeError)) return yield* Effect.logError("Internal error", cause);
  yield* Effect.logDebug("An answer could not be read", cause);
  yield* Console.error(UsageErrors.errorLine(unreadable(by)));
});

/** Runs a command line to its end, with the environment and streams of this process. */
export const run = (argv: ReadonlyArray<string>, version: string): Effect.Effect<void, unknown> =>
  Command.runWith(winnow, { version })(joinCredentials(argv)).pipe(
    Effect.tapCause((cause) => (Cause.hasDies(cause) ? tellDefect(cause) : Effect.void)),
    Effect.provideService(Answered, { by: null }),
    Effect.provide([NodeServices.layer, UsageErrors.layer, Logging.fromEnvironment(isServer(argv))])
  );

/** A stopped server has succeeded; an interrupted run has not. */
export const exitCodeOf = (exit: Exit.Exit<void, unknown>, argv: ReadonlyArray<string>): number => {
  if (Exit.isSuccess(exit)) return EXIT.ok;
  if (Cause.hasInterruptsOnly(exit.cause)) return serves(argv) ? EXIT.ok : EXIT.interrupted;
  const error = Cause.squash(exit.cause);
  if (error instanceof CliFailed) return error.exitCode;
  return CliError.isCliError(error) ? EXIT.usage : EXIT.failed;
};

/** Whether input or output is a terminal that still exists. */
const hasTerminal = (): boolean => [0, 1, 2].some((descriptor) => isatty(descriptor));

/** Runs the program with this process's arguments and exits. */
export const main = (argv: ReadonlyArray<string>, version: string): void => {
  const fiber = Effect.runFork(run(argv, version));
  let reportedAtMs: number | null = null;
  const stop = (): void => {
    if (reportedAtMs !== null) return;
    reportedAtMs = performance.now();
    setTimeout(() => process.exit(serves(argv) ? EXIT.ok : EXIT.interrupted), STOP_TIMEOUT_MS).unref();
    fiber.interruptUnsafe();
  };
  /** A second Ctrl+C, from someone who does not want to wait. */
  const stopOrLeave = (): void => {
    if (reportedAtMs !== null && performance.now() - reportedAtMs > REPEATED_SIGNAL_MS)
      process.exit(EXIT.interrupted);
    stop();
  };
  const startedOnTerminal = hasTerminal();
  /** A server reloads files on an operator's SIGHUP; it stops only if its terminal was closed. */
  const stopOnHangUp = (): void => {
    if (!isServer(argv) || (startedOnTerminal && !hasTerminal())) stop();
  };
  process.on("SIGTERM", stop).on("SIGINT", stopOrLeave).on("SIGHUP", stopOnHangUp);
  fiber.addObserver((exit) => process.exit(exitCodeOf(exit, argv)));
};
