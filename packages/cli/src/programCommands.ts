/** `winnow programs`: the versions of yt-dlp under the data directory, each with a gallery-dl. */
import { WINNOW } from "@winnow/server/programName";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { argument } from "./flags.ts";
import { asCliFailure, makeDataFolder, settingsFromEnvironment } from "./Inputs.ts";
import { row } from "./row.ts";

const open = Effect.gen(function* () {
  const settings = yield* settingsFromEnvironment;
  const adapter = yield* Effect.promise(
    () => import("@winnow/adapters/sources/yt-dlp/versions/chooseVersion")
  );
  if (settings.ytdlp !== null)
    yield* Console.error("WINNOW_YTDLP is set: servers use that yt-dlp whatever is chosen here.");
  return { ...adapter.versionsOf(settings.dataDir), settings };
});

/** The same for what changes versions, in a data directory that exists. */
const prepare = Effect.tap(open, ({ settings }) => makeDataFolder(settings));

export const programs = Command.make("programs").pipe(
  Command.withShortDescription("Versions of yt-dlp under the data directory"),
  Command.withDescription("Install and choose versions of yt-dlp and gallery-dl under the data directory"),
  Command.withSubcommands([
    row({
      word: "list",
      about: "List the versions of yt-dlp: which is used, on probation, rejected or available",
      fields: {},
      call: () => Effect.flatMap(open, ({ describe }) => describe),
      columns: ({ version, note, ytDlp }) => ({ version, state: note, path: ytDlp })
    }),
    row({
      word: "update",
      about:
        "Install yt-dlp and gallery-dl from the Python package index, or the one that pip is configured for, under the " +
        "data directory, checked by hash. Running servers use them without a restart.",
      fields: {
        channel: Flag.Literals("channel", ["tested", "stable", "nightly"]).pipe(
          Flag.withDescription(
            "`stable`: the newest release; `nightly`: the newest pre-release; `tested`: the one this Winnow was tested with"
          ),
          Flag.withDefault("stable")
        )
      },
      call: ({ channel }) =>
        Effect.flatMap(prepare, ({ update }) => asCliFailure(update(channel))).pipe(
          Effect.map(({ version, ytDlp }) => ({ version, ytDlp }))
        ),
      words: ({ version, ytDlp }) => `yt-dlp ${version} is installed: ${ytDlp}`
    }).pipe(Command.withShortDescription("Install and use the newest yt-dlp and gallery-dl")),
    row({
      word: "use",
      about: "Use one version until the next update; installs it if necessary",
      fields: { version: argument("version", "As `list` shows it, such as 2026.10.26") },
      call: ({ version }) =>
        Effect.flatMap(prepare, ({ use }) => asCliFailure(use(version))).pipe(
          Effect.map(({ ytDlp }) => ({ version, ytDlp }))
        ),
      words: ({ version, ytDlp }) =>
        `yt-dlp ${version} is used until the next \`${WINNOW} programs update\`: ${ytDlp}`
    }),
    row({
      word: "rollback",
      about: "Go back to the version before the one in use",
      fields: {},
      call: () => Effect.flatMap(prepare, ({ rollback }) => asCliFailure(rollback)),
      words: ({ from, to }) =>
        `yt-dlp ${to} is used instead of ${from}, which is not used again until you choose it.`
    })
  ])
);
