/** Which yt-dlp and gallery-dl a server starts with: those of a setting, else those of the current version. */
import * as Effect from "effect/Effect";
import { findEnvironment, listEnvironments } from "../../../programs/python/DownloaderEnvironment.ts";
import {
  locate,
  type ProgramSettings,
  pythonOf,
  searchPath
} from "@winnow/isolation/sandbox/ExternalPrograms";
import { readYtDlpVersion } from "../YtDlpVersion.ts";
import { readVersionState } from "../../../programs/python/VersionFile.ts";
import { provenPrograms, type YtDlpProgram } from "../../../programs/python/VersionState.ts";

/** The yt-dlp on PATH. */
export const programOnPath = Effect.fnUntraced(function* (
  settings: ProgramSettings
): Effect.fn.Return<YtDlpProgram | null> {
  const { "yt-dlp": ytDlp } = locate({ path: settings.path });
  if (ytDlp === null) return null;
  const path = searchPath(settings);
  return { version: yield* readYtDlpVersion({ path, ytDlp, ytDlpPython: pythonOf(ytDlp, path) }), ytDlp };
});

/** The settings with the paths of an installed version, if it is used. */
export const preferredPrograms = Effect.fn("preferredPrograms")(function* (
  dataDir: string,
  settings: ProgramSettings
): Effect.fn.Return<ProgramSettings> {
  const installed = listEnvironments(dataDir);
  if (installed.length === 0 || settings.ytDlp !== undefined) return settings;
  const [current] = provenPrograms(readVersionState(dataDir), installed, yield* programOnPath(settings));
  const environment = current?.version == null ? null : findEnvironment(dataDir, current.version);
  if (environment === null || environment.ytDlp !== current?.ytDlp) return settings;
  return { ...settings, ytDlp: environment.ytDlp, galleryDl: settings.galleryDl ?? environment.galleryDl };
});
