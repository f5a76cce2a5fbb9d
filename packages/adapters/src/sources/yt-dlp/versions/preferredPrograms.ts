/** Which yt-dlp and gallery-dl are used: those of a setting, else the newer of PATH's and the installed versions'. */
import * as Effect from "effect/Effect";
import { isNewer, listEnvironments } from "../../../programs/python/DownloaderEnvironment.ts";
import {
  locate,
  type ProgramSettings,
  pythonOf,
  searchPath
} from "../../../programs/sandbox/ExternalPrograms.ts";
import { readYtDlpVersion } from "../YtDlpVersion.ts";

/** The settings with the paths of an installed version, if it is used. */
export const preferredPrograms = Effect.fn("preferredPrograms")(function* (
  dataDir: string,
  settings: ProgramSettings
): Effect.fn.Return<ProgramSettings> {
  const [installed] = listEnvironments(dataDir);
  if (installed === undefined || settings.ytDlp !== undefined) return settings;
  const { "yt-dlp": ytDlp } = locate(settings);
  const path = searchPath(settings);
  if (ytDlp !== null) {
    const version = yield* readYtDlpVersion({ path, ytDlp, ytDlpPython: pythonOf(ytDlp, path) });
    if (version !== null && isNewer(version, installed.version)) return settings;
  }
  return { ...settings, ytDlp: installed.ytDlp, galleryDl: settings.galleryDl ?? installed.galleryDl };
});
