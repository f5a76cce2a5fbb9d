/** What commands read: the settings of the environment and schema files; and how they fail. Tests: winnow.test.ts. */
import { readFile } from "node:fs/promises";
import * as CliError from "effect/cli/CliError";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import { makeDataDir } from "@winnow/server/DataDir";
import { readSettings, type Settings } from "@winnow/server/settings/Config";
import { unusablePath } from "@winnow/server/settings/settingPaths";
import { unusableRoutes } from "@winnow/server/unusableRoutes";

/** What exit codes mean; `winnow --help` and the docs say the same. */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3, interrupted: 130 } as const;

/** A command that could not do its work: one sentence on standard error. */
export class CliFailed extends Data.TaggedError("CliFailed")<{
  readonly message: string;
  readonly exitCode: number;
}> {
  constructor(message: string, exitCode: number = EXIT.failed) {
    super({ message, exitCode });
  }

  override get [CliError.userMessage](): string {
    return this.message;
  }
}

/** Wrong usage: exit code 2. */
export const unusable = (message: string) => new CliError.UserError({ cause: message, userMessage: message });

/** Errors of adapters are sentences for people. */
export const asCliFailure = Effect.mapError(
  ({ message }: { readonly message: string }) => new CliFailed(message)
);

export const settingsFromEnvironment: Effect.Effect<Settings, CliFailed> = Effect.suspend(() =>
  asCliFailure(Effect.fromResult(readSettings(process.env)))
);

/** For commands that write there; a server makes it at its start. */
export const makeDataFolder = ({ dataDir }: Settings): Effect.Effect<void, CliFailed> =>
  Effect.try({
    try: () => makeDataDir(dataDir),
    catch: () => new CliFailed(`WINNOW_DATA_DIR is "${dataDir}", but must be a writable directory.`)
  });

/** The settings, once the files that they name were found: for commands that run the programs. */
export const usableSettings: Effect.Effect<Settings, CliFailed> = Effect.gen(function* () {
  const settings = yield* settingsFromEnvironment;
  const fault = unusablePath(settings) ?? (yield* Effect.promise(() => unusableRoutes(settings)));
  return fault === null ? settings : yield* new CliFailed(fault.message);
});

/** In place of a file's name, an id or a key. */
export const STANDARD_INPUT = "-";

export const readSchema = (file: string): Effect.Effect<unknown, CliFailed> =>
  Effect.tryPromise({
    try: async () =>
      JSON.parse(await readFile(file === STANDARD_INPUT ? "/dev/stdin" : file, "utf8")) as unknown,
    catch: (cause) =>
      new CliFailed(
        `${file} ${cause instanceof SyntaxError ? "is not valid JSON." : "cannot be read; check that it exists."}`
      )
  });
