/** `winnow programs`: the versions of yt-dlp under the data directory, each with a gallery-dl. */
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { makeDataDir } from "@winnow/server/DataDir";
import { CliFailed, settingsFromEnvironment } from "./Inputs.ts";
import { asJson, printResult, printTable } from "./Output.ts";
import { winnowOn } from "@winnow/server/programName";

const asCliFailure = Effect.mapError(
  ({ message }: { readonly message: string }) => new CliFailed({ message })
);

const open = Effect.gen(function* () {
  const { dataDir, ytdlp } = yield* settingsFromEnvironment;
  const adapter = yield* Effect.promise(() => import("@winnow/server/adapters/programVersions"));
  return { ...adapter.versionsOf(dataDir), dataDir, isFixed: ytdlp !== null };
});

/** The same for what changes versions, in a data directory that exists. */
const prepare = Effect.tap(open, ({ dataDir }) =>
  Effect.try({
    try: () => makeDataDir(dataDir),
    catch: () =>
      new CliFailed({ message: `WINNOW_DATA_DIR is "${dataDir}", but must be a writable directory.` })
  })
);

const warnIfFixed = (isFixed: boolean) =>
  isFixed
    ? Console.error("WINNOW_YTDLP is set: servers use that yt-dlp whatever is chosen here.")
    : Effect.void;

interface Version {
  readonly version: string;
  readonly note: string;
  readonly ytDlp: string;
}

const list = Command.make(
  "list",
  { json: asJson },
  Effect.fnUntraced(function* ({ json }) {
    const { describe, isFixed } = yield* open;
    yield* warnIfFixed(isFixed);
    yield* printTable<Version>(json, yield* describe, {
      version: ({ version }) => version,
      state: ({ note }) => note,
      path: ({ ytDlp }) => ytDlp
    });
  })
).pipe(
  Command.withDescription("List the versions of yt-dlp: which is used, on probation, rejected or available")
);

const update = Command.make(
  "update",
  {
    channel: Flag.Literals("channel", ["tested", "stable", "nightly"]).pipe(
      Flag.withDescription(
        "`stable`: the newest release; `nightly`: the newest pre-release; `tested`: the one this Winnow was tested with"
      ),
      Flag.withDefault("stable")
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ channel, json }) {
    const { update: install, isFixed } = yield* prepare;
    yield* warnIfFixed(isFixed);
    const { version, ytDlp } = yield* asCliFailure(install(channel));
    yield* printResult(json, { version, ytDlp }, `yt-dlp ${version} is installed: ${ytDlp}`);
  })
).pipe(
  Command.withShortDescription("Install and use the newest yt-dlp and gallery-dl"),
  Command.withDescription(
    "Install yt-dlp and gallery-dl from the Python package index, or the one that pip is configured for, into a " +
      "Python environment of their own under the data directory, and use them. Files whose hash is not the index's " +
      "are refused. Running servers use them without a restart."
  )
);

const use = Command.make(
  "use",
  {
    version: Argument.String("version").pipe(
      Argument.withDescription("As `list` shows it, such as 2026.10.26")
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ version, json }) {
    const { dataDir, use: choose, isFixed } = yield* prepare;
    yield* warnIfFixed(isFixed);
    const { ytDlp } = yield* asCliFailure(choose(version));
    yield* printResult(
      json,
      { version, ytDlp },
      `yt-dlp ${version} is used until the next \`${winnowOn(dataDir)} programs update\`: ${ytDlp}`
    );
  })
).pipe(Command.withDescription("Use one version until the next update; installs it if necessary"));

const rollback = Command.make(
  "rollback",
  { json: asJson },
  Effect.fnUntraced(function* ({ json }) {
    const { rollback: goBack, isFixed } = yield* prepare;
    yield* warnIfFixed(isFixed);
    const { from, to } = yield* asCliFailure(goBack);
    yield* printResult(
      json,
      { from, to },
      `yt-dlp ${to} is used instead of ${from}, which is not used again until you choose it.`
    );
  })
).pipe(Command.withDescription("Go back to the version before the one in use"));

export const programs = Command.make("programs").pipe(
  Command.withShortDescription("Versions of yt-dlp under the data directory"),
  Command.withDescription("Install and choose versions of yt-dlp and gallery-dl under the data directory"),
  Command.withSubcommands([list, update, use, rollback])
);
