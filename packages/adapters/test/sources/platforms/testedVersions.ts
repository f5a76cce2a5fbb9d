/** The versions of yt-dlp with which the replicas are read: the one in use, and the oldest supported one. */
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../../src/programs/sandbox/ExternalPrograms.ts";
import { readYtDlpVersion } from "../../../src/sources/yt-dlp/YtDlpVersion.ts";

export interface TestedVersion {
  readonly ytDlp: string;
  readonly version: string;
}

const versionAt = (ytDlp: string | undefined) =>
  Effect.gen(function* () {
    const programs = yield* locatePrograms({ ytDlp });
    return { ytDlp: programs.ytDlp, version: (yield* readYtDlpVersion(programs)) ?? "unknown" };
  });

/** Newest first; only the first where Debian's is not installed. */
export const testedVersions = (): Promise<ReadonlyArray<TestedVersion>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const used = yield* versionAt(process.env["WINNOW_YTDLP"]);
      const oldest = yield* Effect.option(versionAt("/usr/bin/yt-dlp"));
      return oldest._tag === "None" || oldest.value.version === used.version ? [used] : [used, oldest.value];
    })
  );
