/** Which yt-dlp and gallery-dl a server starts with: a setting's, else the current version's. Tests: RunningVersions.test.ts. */
import * as Effect from "effect/Effect";
import type { ProgramSettings } from "../../../programs/ExternalPrograms.ts";
import { listEnvironments, readVersionState } from "../../../programs/python/VersionFile.ts";
import { provenPrograms } from "../../../programs/python/VersionState.ts";
import { programOnPath } from "../YtDlpVersion.ts";

/** The settings with the paths of an installed version, if it is used. */
export const preferredPrograms = Effect.fn("preferredPrograms")(function* (
  dataDir: string,
  settings: ProgramSettings
): Effect.fn.Return<ProgramSettings> {
  const installed = listEnvironments(dataDir);
  if (installed.length === 0 || settings.ytDlp !== undefined) return settings;
  const [current] = provenPrograms(readVersionState(dataDir), installed, yield* programOnPath(settings));
  const environment = installed.find(({ ytDlp }) => ytDlp === current?.ytDlp);
  if (environment === undefined) return settings;
  return { ...settings, ytDlp: environment.ytDlp, galleryDl: settings.galleryDl ?? environment.galleryDl };
});
