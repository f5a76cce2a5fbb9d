// @module-tag smoke: starts several servers
import { chmod, lstat, mkdir, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { start } from "../../../src/database/embedded/EmbeddedPostgres.ts";
import { ask, clusterOf, isRoot, postmasterOf, temporaryFolder } from "./Holding.ts";

/** In `npm run test:faults` only. */
const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

const ownerOf = (path: string) => Effect.promise(async () => (await stat(path)).uid);

/** Id of the user that the server runs as. */
const userOfServer = (dataDir: string) =>
  Effect.promise(async () => {
    const server = await postmasterOf(dataDir);
    const status = await readFile(`/proc/${server?.pid}/status`, "utf8");
    return Number(/^Uid:\s+(\d+)/mu.exec(status)?.[1]);
  });

/** A folder that only root can enter, and a system folder next to it. */
const lockedFolder = Effect.gen(function* () {
  const folder = yield* temporaryFolder;
  const systemFolder = join(folder, "system");
  const dataDir = join(folder, "home", "winnow");
  yield* Effect.promise(() => mkdir(dataDir, { recursive: true }));
  yield* Effect.promise(() => chmod(join(folder, "home"), 0o700));
  return { dataDir, systemFolder };
});

describe.runIf(isRoot && process.platform === "linux")("EmbeddedPostgres as root", () => {
  it.live("in a folder that only root can enter, the data lives elsewhere and is found again", () =>
    Effect.gen(function* () {
      const { dataDir, systemFolder } = yield* lockedFolder;
      const keep = Effect.flatMap(start({ dataDir, systemFolder }), ({ url }) =>
        ask(url, "CREATE TABLE kept AS SELECT 7 AS n")
      );
      yield* Effect.scoped(keep);
      const record = join(dataDir, "postgres");
      const home = yield* Effect.promise(() => realpath(record));
      assert.isTrue((yield* Effect.promise(() => lstat(record))).isSymbolicLink());
      assert.strictEqual(join(home, ".."), systemFolder);
      const cluster = yield* Effect.promise(() => stat(join(home, "cluster")));
      assert.strictEqual(cluster.mode & 0o777, 0o700);
      assert.notStrictEqual(cluster.uid, 0);
      const { url } = yield* start({ dataDir, systemFolder });
      assert.strictEqual(yield* ask(url, "SELECT n FROM kept"), 7);
    })
  );

  it.live.skipIf(!isWhole)("a data folder that was deleted is a fresh start", () =>
    Effect.gen(function* () {
      const { dataDir, systemFolder } = yield* lockedFolder;
      const count = Effect.scoped(
        Effect.flatMap(start({ dataDir, systemFolder }), ({ url }) =>
          Effect.tap(ask(url, "SELECT count(*)::int FROM pg_tables WHERE tablename = 'kept'"), () =>
            ask(url, "CREATE TABLE IF NOT EXISTS kept (n int)")
          )
        )
      );
      assert.strictEqual(yield* count, 0);
      assert.strictEqual(yield* count, 1);
      yield* Effect.promise(() => rm(dataDir, { recursive: true }));
      assert.strictEqual(yield* count, 0);
    })
  );

  it.live.skipIf(!isWhole)("the server runs with an unused user id, and keeps it", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder;
      const uid = yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* start({ dataDir });
          assert.strictEqual(yield* ask(url, "SELECT 1"), 1);
          return yield* userOfServer(dataDir);
        })
      );
      const passwd = yield* Effect.promise(() => readFile("/etc/passwd", "utf8"));
      assert.notMatch(passwd, new RegExp(`^[^:]*:[^:]*:${uid}:`, "mu"));
      assert.strictEqual(yield* ownerOf(clusterOf(dataDir)), uid);
      assert.strictEqual(yield* ownerOf(join(clusterOf(dataDir), "base", "1")), uid);
      yield* start({ dataDir });
      assert.strictEqual(yield* userOfServer(dataDir), uid);
    })
  );

  it.live("a folder of the system that others can write is refused", () =>
    Effect.gen(function* () {
      const { dataDir, systemFolder } = yield* lockedFolder;
      yield* Effect.promise(() => mkdir(systemFolder));
      yield* Effect.promise(() => chmod(systemFolder, 0o777));
      const error = yield* Effect.flip(Effect.scoped(start({ dataDir, systemFolder })));
      assert.include(error.message, `chmod 755 ${systemFolder}`);
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(systemFolder)), []);
    })
  );
});
