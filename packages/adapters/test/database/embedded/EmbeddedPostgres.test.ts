// @module-tag smoke: starts a dozen servers, which are killed and held
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as Scope from "effect/Scope";
import { start, use } from "../../../src/database/embedded/EmbeddedPostgres.ts";
import { CONNECTIONS_MAX_DEFAULT } from "../../../src/database/store/PgConnection.ts";
import {
  ask,
  clusterOf,
  copyOf,
  holdElsewhere,
  kill,
  postmasterOf,
  processesWith,
  spawnHolder,
  temporaryFolder,
  usedFolder
} from "./Holding.ts";

/** Files of a complete database folder that no server uses. */
const WHOLE = ["cluster", "owner", "pgpass", "server.lock", "server.log"];

const leftIn = (dataDir: string) =>
  Effect.promise(async () => (await readdir(join(dataDir, "postgres"))).sort());

const soon = Schedule.spaced("20 millis");

const startAndAsk = (dataDir: string, sql: string) =>
  Effect.scoped(Effect.flatMap(start({ dataDir }), ({ url }) => ask(url, sql)));

/** In `npm run test:faults` only. */
const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

const scope = Scope.makeUnsafe();

let original = "";

/** For tests of starts after the first one. */
const startedBefore = Effect.suspend(() => copyOf(original));

beforeAll(async () => {
  original = await Effect.runPromise(Scope.provide(usedFolder, scope));
});

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

describe("EmbeddedPostgres", () => {
  it.effect("a first start creates a durable database, to be reached with an ordinary role", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder;
      const { url } = yield* start({ dataDir });
      assert.match(Redacted.value(url), /^postgres:\/\/winnow:[\w-]{32}@127\.0\.0\.1:\d+\/winnow$/u);
      assert.strictEqual(yield* ask(url, "SHOW fsync"), "on");
      assert.strictEqual(yield* ask(url, "SHOW synchronous_commit"), "on");
      // Enough for its owner, with a pool, a worker and a feed, and for commands that use the server.
      assert.isAtLeast(
        Number(yield* ask(url, "SHOW max_connections")),
        4 * (CONNECTIONS_MAX_DEFAULT + 7) + 3
      );
      assert.strictEqual(yield* ask(url, "SELECT current_database()"), "winnow");
      assert.isFalse(yield* ask(url, "SELECT rolsuper FROM pg_roles WHERE rolname = user"));
    })
  );

  it.live.skipIf(!isWhole)("a second start finds the data of the first, at the same address", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder;
      const first = yield* Effect.scoped(
        Effect.tap(start({ dataDir }), ({ url }) => ask(url, "CREATE TABLE kept AS SELECT 7 AS n"))
      );
      assert.isNull(yield* Effect.promise(() => postmasterOf(dataDir)));
      const second = yield* start({ dataDir });
      assert.strictEqual(yield* ask(second.url, "SELECT n FROM kept"), 7);
      assert.strictEqual(Redacted.value(second.url), Redacted.value(first.url));
    })
  );

  it.live(
    "a server ends with its process, even a killed one, and the next start has all committed data",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* startedBefore;
        const holder = yield* holdElsewhere({ dataDir });
        yield* ask(holder.url, "CREATE TABLE kept AS SELECT 8 AS n");
        yield* holder.kill;
        // Also a start that does not wait for the end of the server.
        assert.strictEqual(yield* startAndAsk(dataDir, "SELECT n FROM kept"), 8);
        const other = yield* holdElsewhere({ dataDir });
        assert.strictEqual(other.line, holder.line);
        yield* other.kill;
        yield* processesWith(dataDir).pipe(
          Effect.repeat({ schedule: soon, until: (pids) => pids.length === 0 })
        );
        assert.isNull(yield* Effect.promise(() => postmasterOf(dataDir)));
      })
  );

  it.live.skipIf(!isWhole || process.platform !== "linux")(
    "a server that outlived its process, because what ends it was killed too, is stopped by the next start",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* startedBefore;
        const holder = yield* holdElsewhere({ dataDir });
        yield* ask(holder.url, "CREATE TABLE kept AS SELECT 10 AS n");
        const server = yield* Effect.promise(() => postmasterOf(dataDir));
        const watching = (yield* processesWith(clusterOf(dataDir))).filter((pid) => pid !== server?.pid);
        assert.lengthOf(watching, 1);
        for (const pid of watching) process.kill(pid, "SIGKILL");
        yield* holder.kill;
        assert.deepStrictEqual(yield* Effect.promise(() => postmasterOf(dataDir)), server);
        assert.strictEqual(yield* startAndAsk(dataDir, "SELECT n FROM kept"), 10);
      })
  );

  it.live.skipIf(!isWhole)(
    "of processes that start at once one owns the folder, and the others are told which",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder;
        const holders = yield* Effect.forEach([1, 2, 3], () => holdElsewhere({ dataDir }), {
          concurrency: "unbounded"
        });
        const owners = holders.filter(({ line }) => line.startsWith("postgres://"));
        const [owner] = owners;
        assert.lengthOf(owners, 1);
        assert.isDefined(owner);
        for (const other of holders) if (other !== owner) assert.strictEqual(other.line, String(owner.pid));
        const refused = yield* Effect.flip(Effect.scoped(start({ dataDir })));
        assert.deepInclude(refused, { _tag: "DataFolderInUse", ownerPid: owner.pid });
        assert.strictEqual(yield* ask(owner.url, "SELECT 1"), 1);
        yield* owner.leave;
        assert.isNull(yield* Effect.promise(() => postmasterOf(dataDir)));
        assert.notInclude(
          (yield* Effect.promise(() => readdir(join(dataDir, "postgres")))).join(),
          "cluster."
        );
      })
  );

  it.live.skipIf(!isWhole)("a folder keeps its owner while the owner's server is down", () =>
    Effect.gen(function* () {
      const dataDir = yield* startedBefore;
      const owner = yield* holdElsewhere({ dataDir });
      const server = yield* Effect.promise(() => postmasterOf(dataDir));
      // Without this file, the server does not start again.
      const needed = join(clusterOf(dataDir), "global", "pg_control");
      yield* Effect.promise(() => rename(needed, `${needed}.away`));
      process.kill(server?.pid ?? 0, "SIGKILL");
      yield* Effect.repeat(processesWith(clusterOf(dataDir)), {
        schedule: soon,
        until: (pids) => server !== null && !pids.includes(server.pid)
      });
      const refused = yield* Effect.forkChild(Effect.flip(Effect.scoped(start({ dataDir }))));
      yield* Effect.sleep("3 seconds");
      assert.isUndefined(refused.pollUnsafe());
      yield* Effect.promise(() => rename(`${needed}.away`, needed));
      assert.deepInclude(yield* Fiber.join(refused), { _tag: "DataFolderInUse", ownerPid: owner.pid });
      assert.strictEqual(yield* ask(owner.url, "SELECT 1"), 1);
    })
  );

  it.live("a command uses the server of the folder's owner and leaves it running, or starts its own", () =>
    Effect.gen(function* () {
      const dataDir = yield* startedBefore;
      const owner = yield* holdElsewhere({ dataDir });
      const first = yield* Effect.scoped(
        Effect.tap(use({ dataDir }), ({ url }) => ask(url, "CREATE TABLE kept AS SELECT 11 AS n"))
      );
      assert.strictEqual(Redacted.value(first.url), owner.line);
      assert.strictEqual(yield* ask(owner.url, "SELECT n FROM kept"), 11);
      yield* owner.leave;
      yield* Effect.scoped(
        Effect.gen(function* () {
          const second = yield* use({ dataDir });
          assert.strictEqual(yield* ask(second.url, "SELECT n FROM kept"), 11);
          assert.deepInclude(yield* Effect.flip(start({ dataDir })), { ownerPid: process.pid });
        })
      );
      assert.isNull(yield* Effect.promise(() => postmasterOf(dataDir)));
    })
  );

  it.live("a killed server is restarted at the same address, with all committed data", () =>
    Effect.gen(function* () {
      const dataDir = yield* startedBefore;
      const { url } = yield* start({ dataDir });
      yield* ask(url, "CREATE TABLE kept AS SELECT 9 AS n");
      const server = yield* Effect.promise(() => postmasterOf(dataDir));
      process.kill(server?.pid ?? 0, "SIGKILL");
      const answer = yield* ask(url, "SELECT n FROM kept").pipe(
        Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 2_000 })
      );
      assert.strictEqual(answer, 9);
    })
  );

  it.live.skipIf(!isWhole)("an interrupted start leaves no server and no incomplete folder", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder;
      for (const afterMs of [150, 300, 450, 600, 750]) {
        const starting = yield* Effect.forkChild(
          Effect.scoped(Effect.andThen(start({ dataDir }), Effect.never))
        );
        yield* Effect.sleep(afterMs);
        yield* Fiber.interrupt(starting);
        assert.isNull(yield* Effect.promise(() => postmasterOf(dataDir)));
      }
      assert.strictEqual(yield* startAndAsk(dataDir, "SELECT 1"), 1);
      // An interrupted start does not wait for its initdb to end; the folder is removed after that.
      yield* leftIn(dataDir).pipe(
        Effect.repeat({ schedule: soon, until: (names) => names.join() === WHOLE.join() })
      );
    })
  );

  it.live.skipIf(!isWhole)(
    "a start completes the folder of a process that was killed while creating it",
    () =>
      Effect.gen(function* () {
        let dataDir = "";
        let unfinished: ReadonlyArray<string> = ["cluster"];
        // Repeats with a new folder if the cluster was already complete when this process looked.
        while (unfinished.includes("cluster")) {
          dataDir = yield* temporaryFolder;
          const child = yield* spawnHolder({ dataDir });
          unfinished = yield* leftIn(dataDir).pipe(
            Effect.map((names) => names.filter((name) => name.startsWith("cluster"))),
            Effect.catchDefect(() => Effect.succeed([])),
            Effect.repeat({ until: (names) => names.length > 0, schedule: Schedule.spaced("5 millis") })
          );
          yield* kill(child);
        }
        assert.strictEqual(yield* startAndAsk(dataDir, "SELECT 1"), 1);
        // The orphaned initdb may have gone on writing until its end: the next start removes its files.
        yield* Effect.repeat(processesWith(join(dataDir, "postgres", "cluster.init-")), {
          schedule: soon,
          until: (pids) => pids.length === 0
        });
        yield* startAndAsk(dataDir, "SELECT 1");
        assert.deepStrictEqual(yield* leftIn(dataDir), WHOLE);
      })
  );

  it.live.skipIf(!isWhole)(
    "a start removes what a killed process with the same process id left, as in a container",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* startedBefore;
        const left = join(dataDir, "postgres", `cluster.init-${process.pid}-0123456789ab`);
        yield* Effect.promise(() => mkdir(left));
        yield* Effect.promise(() => writeFile(`${left}.password`, "secret"));
        assert.strictEqual(yield* startAndAsk(dataDir, "SELECT 1"), 1);
        assert.deepStrictEqual(yield* leftIn(dataDir), WHOLE);
      })
  );

  it.live.skipIf(!isWhole)("a lock file without a holder does not prevent a start", () =>
    Effect.gen(function* () {
      const dataDir = yield* startedBefore;
      yield* startAndAsk(dataDir, "SELECT 1");
      const left = {
        empty: "",
        damaged: "not a number\n\u0000\u0001",
        "of a process that is gone": "4194000\n/elsewhere\n1\n5432\n\n\n\nready\n",
        "of a number that is now another program's": `${process.pid}\n/elsewhere\n1\n5432\n\n\n\nready\n`
      };
      for (const [what, content] of Object.entries(left)) {
        yield* Effect.promise(() => writeFile(join(clusterOf(dataDir), "postmaster.pid"), content));
        assert.strictEqual(yield* startAndAsk(dataDir, "SELECT 2"), 2, what);
      }
      const names = yield* Effect.promise(() => readdir(clusterOf(dataDir)));
      assert.deepStrictEqual(
        names.filter((name) => name.startsWith("postmaster.pid")),
        []
      );
    })
  );

  it.live.skipIf(!isWhole)(
    "a server behind a damaged lock file ends with its process before another one starts",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* startedBefore;
        const holder = yield* holdElsewhere({ dataDir });
        const before = yield* Effect.promise(() => postmasterOf(dataDir));
        yield* holder.kill;
        yield* Effect.promise(() => writeFile(join(clusterOf(dataDir), "postmaster.pid"), "?"));
        const { url } = yield* start({ dataDir });
        assert.strictEqual(yield* ask(url, "SELECT 3"), 3);
        assert.notStrictEqual((yield* Effect.promise(() => postmasterOf(dataDir)))?.pid, before?.pid);
      })
  );

  it.live("the passwords are readable by their owner only, and wrong permissions are reported clearly", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder;
      const file = join(dataDir, "postgres", "pgpass");
      yield* startAndAsk(dataDir, "SELECT 1");
      assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600);
      const text = yield* Effect.promise(() => readFile(file, "utf8"));
      yield* Effect.promise(() => writeFile(file, text.replace(/:[\w-]{32}$/gmu, ":another")));
      const error = yield* Effect.flip(startAndAsk(dataDir, "SELECT 1"));
      assert.strictEqual(error._tag, "EmbeddedPostgresFailed");
      assert.include(error.message, "pgpass does not match the database");
      assert.isNull(yield* Effect.promise(() => postmasterOf(dataDir)));
    })
  );

  it.live("PostgreSQL's messages are quoted if it does not start", () =>
    Effect.gen(function* () {
      const dataDir = yield* startedBefore;
      const error = yield* Effect.flip(
        Effect.scoped(start({ dataDir, settings: { shared_buffers: "as much as you like" } }))
      );
      assert.include(error.message, 'invalid value for parameter "shared_buffers"');
    })
  );

  it.live("data of another major version is refused with a clear message", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder;
      yield* Effect.promise(() => mkdir(clusterOf(dataDir), { recursive: true, mode: 0o755 }));
      yield* Effect.promise(() => writeFile(join(clusterOf(dataDir), "PG_VERSION"), "17\n"));
      const error = yield* Effect.flip(Effect.scoped(start({ dataDir })));
      assert.include(error.message, "belongs to PostgreSQL 17");
    })
  );
});
