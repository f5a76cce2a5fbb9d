// @module-tag faults: installs two versions of yt-dlp
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { testedLock } from "../../../src/programs/python/DownloaderEnvironment.ts";
import {
  changeVersionState,
  readVersionState,
  versionsFolder
} from "../../../src/programs/python/VersionFile.ts";
import { offer, use } from "../../../src/programs/python/VersionState.ts";
import { preferredPrograms } from "../../../src/sources/yt-dlp/versions/preferredPrograms.ts";
import { READS_TO_PROVE } from "../../../src/sources/yt-dlp/versions/RunningVersions.ts";
import { OLDEST_SUPPORTED } from "../../../src/sources/yt-dlp/YtDlpVersion.ts";
import { downloaderOf, openSite, temporaryFolder } from "../harness.ts";
import { oldestYtDlp, testedYtDlp } from "../oldestYtDlp.ts";

const site = await openSite();
const TESTED = testedLock().version;

/** A data directory with both. */
const prepared = Effect.gen(function* () {
  const dataDir = temporaryFolder();
  mkdirSync(versionsFolder(dataDir), { recursive: true });
  for (const { ytDlp } of [yield* oldestYtDlp, yield* testedYtDlp]) {
    const folder = dirname(dirname(ytDlp));
    symlinkSync(folder, join(versionsFolder(dataDir), folder.slice(folder.lastIndexOf("/") + 1)));
  }
  return dataDir;
});

const inspect = (query: string) =>
  Downloader.use((media) => media.inspect(`${site.url}/watch/talk?${query}`, {})).pipe(
    Effect.map(({ title, kind, durationSeconds }) => ({ title, kind, durationSeconds }))
  );

describe("the newest yt-dlp on probation beside the oldest supported one", () => {
  it.live("reads as much, is proven, and fetches what it inspected", () =>
    Effect.gen(function* () {
      const dataDir = yield* prepared;
      yield* Effect.promise(() => changeVersionState(dataDir, (state) => offer(state, TESTED)));
      const programs = yield* preferredPrograms(dataDir, {});
      assert.include(programs.ytDlp, `/${OLDEST_SUPPORTED}/`);
      yield* Effect.gen(function* () {
        const first = yield* inspect("page=0");
        for (let page = 1; page < READS_TO_PROVE; page++) {
          assert.deepStrictEqual(yield* inspect(`page=${page}`), first);
        }
        assert.isNull(readVersionState(dataDir).probation);
        yield* Effect.promise(() => changeVersionState(dataDir, (state) => use(state, OLDEST_SUPPORTED)));
        assert.deepStrictEqual(yield* inspect("oldest"), first);
        yield* Effect.promise(() => changeVersionState(dataDir, (state) => use(state, null)));
        assert.deepStrictEqual(yield* inspect("newest"), first);
        const fetched = Downloader.use((media) =>
          media.fetch({
            url: `${site.url}/watch/talk?newest`,
            maxDurationSeconds: 3_600,
            wantsOf: () => ["video"]
          })
        );
        const { files } = yield* Effect.scoped(fetched);
        assert.include(
          files.map(({ name }) => name),
          "video.mp4"
        );
      }).pipe(Effect.provide(downloaderOf(site, join(dataDir, "work"), { programs, dataDir })));
      assert.include((yield* preferredPrograms(dataDir, {})).ytDlp, `/${TESTED}/`);
    })
  );
});
