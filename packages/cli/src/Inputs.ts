/** What commands read: the settings of the environment and schema files; and how they fail. */
import { readFile } from "node:fs/promises";
import * as CliError from "effect/cli/CliError";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import { makeDataDir } from "@winnow/server/DataDir";
import { readSettings, type Settings } from "@winnow/server/settings/Config";
import { unusablePath } from "@winnow/server/settings/settingPaths";
import { unusableRoutes } from "@winnow/server/unusableRoutes";

/** A command that could not do its work: one sentence on standard error, and exit code 1 if it has none of its own. */
export class CliFailed extends Data.TaggedError("CliFailed")<{
  readonly message: string;
  readonly exitCode?: number;
}> {
  override get [CliError.userMessage](): string {
    return this.message;
  }
}

/** Wrong usage: exit code 2. */
export const unusable = (message: string) => new CliError.UserError({ cause: message, userMessage: message });

/** What exit codes mean; `winnow --help` and the docs say the same. */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3, interrupted: 130 } as const;

/** Errors of adapters are sentences for people. */
export const asCliFailure = Effect.mapError(
  ({ message }: { readonly message: string }) => new CliFailed({ message })
);

export const settingsFromEnvironment: Effect.Effect<Settings, CliFailed> = Effect.suspend(() =>
  asCliFailure(Effect.fromResult(readSettings(process.env)))
);

/** For commands that write there; a server makes it at its start. */
export const makeDataFolder = ({ dataDir }: Settings): Effect.Effect<void, CliFailed> =>
  Effect.try({
    try: () => makeDataDir(dataDir),
    catch: () =>
      new CliFailed({ message: `WINNOW_DATA_DIR is "${dataDir}", but must be a writable directory.` })
  });

/** The same, and checks that the named files exist: for commands that run the programs. */
export const usableSettings: Effect.Effect<Settings, CliFailed> = Effect.gen(function* () {
  const settings = yield* settingsFromEnvironment;
  const unusable = unusablePath(settings) ?? (yield* Effect.promise(() => unusableRoutes(settings)));
  return unusable === null ? settings : yield* new CliFailed({ message: unusable.message });
});

/** In place of a file's name, an id or a key. */
export const STANDARD_INPUT = "-";

export const readSchema = (file: string): Effect.Effect<unknown, CliFailed> =>
  Effect.tryPromise({
    try: async () =>
      JSON.parse(await readFile(file === STANDARD_INPUT ? "/dev/stdin" : file, "utf8")) as unknown,
    catch: (cause) =>
      new CliFailed({
        message:
          cause instanceof SyntaxError
            ? `${file} is not valid JSON.`
            : `${file} cannot be read; check that it exists.`
      })
  });
