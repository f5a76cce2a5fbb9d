// @module-tag smoke: starts several servers
import { chmod, lstat, readFile, stat } from "node:fs/promises";
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

describe.runIf(isRoot && process.platform === "linux")("EmbeddedPostgres as root", () => {
  it.live("in a folder that only root can enter, the database is there and is found again", () =>
    Effect.gen(function* () {
      const locked = yield* temporaryFolder;
      yield* Effect.promise(() => chmod(locked, 0o700));
      const dataDir = join(locked, "winnow");
      yield* Effect.scoped(
        Effect.flatMap(start({ dataDir }), ({ url }) => ask(url, "CREATE TABLE kept AS SELECT 7 AS n"))
      );
      // Not a link to elsewhere.
      assert.isTrue((yield* Effect.promise(() => lstat(join(dataDir, "postgres")))).isDirectory());
      const cluster = yield* Effect.promise(() => stat(clusterOf(dataDir)));
      assert.strictEqual(cluster.mode & 0o777, 0o700);
      assert.notStrictEqual(cluster.uid, 0);
      const { url } = yield* start({ dataDir });
      assert.strictEqual(yield* ask(url, "SELECT n FROM kept"), 7);
      assert.strictEqual(yield* userOfServer(dataDir), cluster.uid);
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
});
