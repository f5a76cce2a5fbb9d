/** `winnow programs`: the versions of yt-dlp under the data directory, each with a gallery-dl. */
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { makeDataDir } from "../DataDir.ts";
import { CliFailed, settingsFromEnvironment } from "./Inputs.ts";

const asCliFailure = Effect.mapError(
  ({ message }: { readonly message: string }) => new CliFailed({ message })
);

const prepare = Effect.gen(function* () {
  const { dataDir } = yield* settingsFromEnvironment;
  yield* Effect.try({
    try: () => makeDataDir(dataDir),
    catch: () =>
      new CliFailed({ message: `WINNOW_DATA_DIR is "${dataDir}", but must be a writable directory.` })
  });
  return { dataDir, ...(yield* Effect.promise(() => import("../adapters/programVersions.ts"))) };
});

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const { dataDir, listEnvironments } = yield* prepare;
    for (const { version, ytDlp } of listEnvironments(dataDir)) yield* Console.log(`${version}  ${ytDlp}`);
  })
).pipe(Command.withDescription("List the installed versions of yt-dlp, newest first"));

const update = Command.make(
  "update",
  {
    channel: Flag.Literals("channel", ["tested", "stable", "nightly"] as const).pipe(
      Flag.withDescription(
        "Which version: the newest (`stable`), the newest pre-release (`nightly`), or the one that this release of Winnow was tested with (`tested`)"
      ),
      Flag.withDefault("stable" as const)
    )
  },
  Effect.fnUntraced(function* ({ channel }) {
    const { dataDir, installEnvironment, lockOfChannel } = yield* prepare;
    const lock = yield* asCliFailure(lockOfChannel(dataDir, channel));
    const { version, ytDlp } = yield* asCliFailure(installEnvironment(dataDir, lock));
    yield* Console.log(`yt-dlp ${version} is installed: ${ytDlp}`);
  })
).pipe(
  Command.withShortDescription("Install the newest yt-dlp and gallery-dl"),
  Command.withDescription(
    "Install yt-dlp and gallery-dl from the Python package index, or the one that pip is configured for, into a " +
      "Python environment of their own under the data directory. Files whose hash is not the index's are refused."
  )
);

export const programs = Command.make("programs").pipe(
  Command.withShortDescription("Versions of yt-dlp under the data directory"),
  Command.withDescription("Install and choose versions of yt-dlp and gallery-dl under the data directory"),
  Command.withSubcommands([list, update])
);
