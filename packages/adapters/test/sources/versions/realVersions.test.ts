// @module-tag faults: installs two versions of yt-dlp
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Random from "effect/Random";
import { testedLock, versionsFolder } from "../../../src/programs/python/DownloaderEnvironment.ts";
import { changeVersionState, readVersionState } from "../../../src/programs/python/VersionFile.ts";
import { offer, READ_TO_PROMOTE } from "../../../src/programs/python/VersionTrial.ts";
import { preferredPrograms } from "../../../src/sources/yt-dlp/versions/preferredPrograms.ts";
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
  Downloader.use((media) => media.inspect(`${site.url}/watch/talk?${query}`, { accountId: "acc_test" })).pipe(
    Effect.map(({ title, kind, durationSeconds }) => ({ title, kind, durationSeconds }))
  );

const always = Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 });

describe("the newest yt-dlp on trial beside the oldest supported one", () => {
  it.live("reads as much, is promoted, and fetches what it inspected", () =>
    Effect.gen(function* () {
      const dataDir = yield* prepared;
      yield* Effect.promise(() => changeVersionState(dataDir, (state) => offer(state, TESTED)));
      const programs = yield* preferredPrograms(dataDir, {});
      assert.include(programs.ytDlp, `/${OLDEST_SUPPORTED}/`);
      yield* Effect.gen(function* () {
        const byOldest = yield* inspect("oldest");
        // On a busy machine, some answers come too late to count.
        for (let page = 0; readVersionState(dataDir).trial !== null; page++) {
          assert.deepStrictEqual(yield* always(inspect(`page=${page}`)), byOldest);
          assert.isBelow(page, 10 * READ_TO_PROMOTE);
        }
        assert.isEmpty(readVersionState(dataDir).rejected);
        assert.deepStrictEqual(yield* inspect("newest"), byOldest);
        const fetched = Downloader.use((media) =>
          media.fetch({
            accountId: "acc_test",
            url: `${site.url}/watch/talk?newest`,
            maxDurationSeconds: 3_600,
            wantsOf: () => ["video"],
            onProgress: () => Effect.void
          })
        );
        const { files } = yield* Effect.scoped(fetched);
        assert.include(
          files.map(({ name }) => name),
          "video.mp4"
        );
      }).pipe(
        Effect.provide(
          downloaderOf(site, join(dataDir, "work"), { programs, versions: { dataDir, updates: "off" } })
        )
      );
      assert.include((yield* preferredPrograms(dataDir, {})).ytDlp, `/${TESTED}/`);
    })
  );
});
