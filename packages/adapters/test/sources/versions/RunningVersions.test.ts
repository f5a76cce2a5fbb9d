// @module-tag faults: installs versions of yt-dlp, which fail
/** Versions by a package index and pip; which of two serves is in twoVersions.test.ts, which starts none. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { installEnvironment } from "../../../src/programs/python/DownloaderEnvironment.ts";
import { lockOfChannel } from "../../../src/programs/python/Releases.ts";
import * as DownloaderLayer from "../../../src/sources/DownloaderLayer.ts";
import { preferredPrograms } from "../../../src/sources/yt-dlp/versions/preferredPrograms.ts";
import { lookForUpdate } from "../../../src/sources/yt-dlp/versions/programUpdates.ts";
import {
  changeVersionState,
  findEnvironment,
  listEnvironments,
  readVersionState,
  versionsFolder
} from "../../../src/programs/python/VersionFile.ts";
import { reject, use } from "../../../src/programs/python/VersionState.ts";
import { READS_TO_PROVE } from "../../../src/sources/yt-dlp/versions/RunningVersions.ts";
import * as PooledPictures from "../../../src/programs/images/PooledPictures.ts";
import * as PooledPageReader from "../../../src/sources/page-reader/PooledPageReader.ts";
import { openSite, temporaryFolder } from "../harness.ts";
import { openPackageIndex, type RiggedVersion } from "./PackageIndex.ts";

const site = await openSite();
const { port } = new URL(site.url);

const OLD = "2030.01.01";
const NEW = "2030.02.02";

const firstFolder = temporaryFolder();

/** Installing takes long, so a first version that reads everything is installed once, and its folder copied. */
const installFirst = Effect.fnUntraced(function* (dataDir: string, isWhole: boolean) {
  const from = isWhole ? firstFolder : dataDir;
  // Each index packs it anew, with another hash.
  if (findEnvironment(from, OLD) === null) {
    yield* installEnvironment(from, yield* lockOfChannel(from, "stable"));
  }
  if (!isWhole) return;
  const folder = join(versionsFolder(dataDir), OLD);
  cpSync(join(versionsFolder(firstFolder), OLD), folder, { recursive: true, verbatimSymlinks: true });
  for (const name of ["yt-dlp", "gallery-dl"]) {
    const launcher = join(folder, "bin", name);
    writeFileSync(launcher, readFileSync(launcher, "utf8").replaceAll(firstFolder, dataDir));
  }
});

/** A data directory with the first version, whose index has the second. */
const prepared = Effect.fnUntraced(function* (current: Partial<RiggedVersion>, next: Partial<RiggedVersion>) {
  const dataDir = temporaryFolder();
  const index = yield* openPackageIndex(dataDir);
  for (const name of ["PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"]) delete process.env[name];
  process.env["PIP_INDEX_URL"] = index.url;
  yield* index.publish({ version: OLD, ...current });
  yield* installFirst(dataDir, Object.keys(current).length === 0);
  yield* index.publish({ version: NEW, ...next });
  return dataDir;
});

const downloader = (dataDir: string) =>
  Layer.unwrap(
    Effect.map(preferredPrograms(dataDir, {}), (programs) =>
      DownloaderLayer.layer({
        workDir: join(dataDir, "work"),
        programs,
        dataDir
      })
    )
  ).pipe(
    Layer.provide([
      GuardedEgress.layer({
        allow: ["one", "two", "three"].map((host) => `${host}.test:${port}`),
        resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }])
      }),
      PooledPageReader.layer,
      PooledPictures.layer
    ]),
    inRun
  );

let pages = 0;

/** The title, which names host and version. */
const titleOn = (host: string) =>
  Downloader.use((media) =>
    media.inspect(`http://${host}.test:${port}/watch/talk?page=${(pages += 1)}`, {})
  ).pipe(
    Effect.catchTag("Busy", Effect.die),
    Effect.map(({ title }) => title ?? "")
  );

const repeat = <A, E, R>(times: number, effect: Effect.Effect<A, E, R>, concurrency = 1) =>
  Effect.all(
    Array.from({ length: times }, () => effect),
    { concurrency }
  );

const stateOf = readVersionState;

describe("A new version of yt-dlp", () => {
  it.live("heals a host that the current one no longer reads, at once and without a restart", () =>
    Effect.gen(function* () {
      const dataDir = yield* prepared({ broken: ["one"] }, {});
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* titleOn("two"), `two by ${OLD}`);
        yield* lookForUpdate(dataDir, "auto", null);
        assert.strictEqual(stateOf(dataDir).probation, NEW);
        // Also many at a time.
        const titles = yield* repeat(6, titleOn("one"), 6);
        assert.deepStrictEqual([...new Set(titles)], [`one by ${NEW}`]);
        yield* repeat(READS_TO_PROVE, titleOn("two"), 4);
        assert.isNull(stateOf(dataDir).probation);
      }).pipe(Effect.provide(downloader(dataDir)));
      // The next start uses it too.
      assert.strictEqual(
        (yield* preferredPrograms(dataDir, {})).ytDlp,
        join(versionsFolder(dataDir), NEW, "bin", "yt-dlp")
      );
    })
  );

  it.live("whose file has another hash than the index names is refused in one line", () =>
    Effect.gen(function* () {
      const dataDir = yield* prepared({}, { wrongHash: true });
      const { message } = yield* Effect.flip(lookForUpdate(dataDir, "auto", null));
      assert.match(
        message,
        /^yt-dlp 2030\.2\.2 could not be locked: \S+ was refused: its file does not have the hash/u
      );
      assert.deepStrictEqual(
        listEnvironments(dataDir).map(({ version }) => version),
        [OLD]
      );
      assert.isNull(stateOf(dataDir).probation);
      assert.isFalse(existsSync(join(versionsFolder(dataDir), NEW)));
    })
  );

  it.live(
    "is not installed by `auto` before it has been in the index for three days, by the index's time",
    () =>
      Effect.gen(function* () {
        const agoDays = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
        for (const uploadedAt of [agoDays(2.9), null]) {
          const dataDir = yield* prepared({}, { uploadedAt });
          yield* lookForUpdate(dataDir, "auto", null);
          assert.deepInclude(stateOf(dataDir), { available: NEW, probation: null });
          assert.isFalse(existsSync(join(versionsFolder(dataDir), NEW)));
        }
        const dataDir = yield* prepared({}, { uploadedAt: agoDays(3.1) });
        yield* lookForUpdate(dataDir, "auto", null);
        assert.strictEqual(stateOf(dataDir).probation, NEW);
      })
  );

  it.live("is only announced with `notify`, and the operator's choices apply at once", () =>
    Effect.gen(function* () {
      const dataDir = yield* prepared({}, {});
      yield* Effect.gen(function* () {
        yield* lookForUpdate(dataDir, "notify", null);
        assert.deepInclude(stateOf(dataDir), { available: NEW, probation: null });
        yield* installEnvironment(dataDir, yield* lockOfChannel(dataDir, "stable"));
        assert.strictEqual(yield* titleOn("two"), `two by ${NEW}`);
        yield* Effect.promise(() => changeVersionState(dataDir, (state) => reject(state, NEW)));
        assert.strictEqual(yield* titleOn("two"), `two by ${OLD}`);
        yield* Effect.promise(() => changeVersionState(dataDir, (state) => use(state, NEW)));
        assert.strictEqual(yield* titleOn("two"), `two by ${NEW}`);
      }).pipe(Effect.provide(downloader(dataDir)));
      assert.include(
        readFileSync(join(versionsFolder(dataDir), "versions.json"), "utf8"),
        '"pinned": "2030.02.02"'
      );
    })
  );
});
