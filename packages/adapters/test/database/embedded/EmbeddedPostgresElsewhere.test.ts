// @module-tag smoke: kills servers that outlived their process
/** Owners in other containers, as far as namespaces show what those do. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import { start, use } from "../../../src/database/embedded/EmbeddedPostgres.ts";
import { takeFolder } from "../../../src/database/embedded/FolderOwner.ts";
import {
  ask,
  canContain,
  clusterOf,
  holdElsewhere,
  OTHER_HOST,
  processesWith,
  temporaryFolder
} from "./Holding.ts";

const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

const soon = Schedule.spaced("20 millis");

/** Once the owner has ended: a killed container is gone, and gives its locks back, a moment after what started it. */
const startAndAsk = (dataDir: string, sql: string) =>
  Effect.scoped(Effect.flatMap(start({ dataDir }), ({ url }) => ask(url, sql))).pipe(
    Effect.retry({ schedule: soon, times: 250, while: ({ _tag }) => _tag === "DataFolderInUse" })
  );

describe("EmbeddedPostgres beside another container", () => {
  it.live.runIf(canContain)(
    "an owner in other namespaces of processes, shared memory and host names keeps the folder until it ends",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder;
        const owner = yield* holdElsewhere({ dataDir, isContained: true });
        yield* ask(owner.url, "CREATE TABLE kept AS SELECT 12 AS n");
        const refused = yield* Effect.flip(Effect.scoped(start({ dataDir })));
        assert.deepInclude(refused, { _tag: "DataFolderInUse", ownerHost: OTHER_HOST });
        assert.match(refused.message, /belongs to the running process \d+ on "winnow-elsewhere"\.$/u);
        // It shares the network, so a command can use its server.
        assert.strictEqual(Redacted.value((yield* Effect.scoped(use({ dataDir }))).url), owner.line);
        assert.strictEqual(yield* ask(owner.url, "SELECT n FROM kept"), 12);
        yield* owner.kill;
        assert.strictEqual(yield* startAndAsk(dataDir, "SELECT n FROM kept"), 12);
      })
  );

  it.live.runIf(canContain && isWhole)(
    "a server that outlived its process in other namespaces, unseen from here, ends before another one starts",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder;
        const owner = yield* holdElsewhere({ dataDir, isContained: true });
        yield* ask(owner.url, "CREATE TABLE kept AS SELECT 13 AS n");
        const endOf = (text: string, signal: NodeJS.Signals) =>
          Effect.flatMap(processesWith(text), (pids) => {
            assert.isNotEmpty(pids);
            for (const pid of pids) process.kill(pid, signal);
            return Effect.repeat(processesWith(text), {
              schedule: soon,
              until: (left) => left.length === 0
            });
          });
        // What would end the server, and the process that it belongs to.
        yield* endOf(`read -r end.*${clusterOf(dataDir)}`, "SIGKILL");
        yield* endOf(`^${process.execPath}.*${dataDir}`, "SIGKILL");
        const starting = yield* Effect.forkChild(startAndAsk(dataDir, "SELECT n FROM kept"));
        yield* Effect.sleep("1 second");
        assert.isUndefined(starting.pollUnsafe());
        assert.strictEqual(yield* ask(owner.url, "SELECT n FROM kept"), 13);
        yield* endOf(`^[^ ]*/postgres -D .*winnow\\.cluster=${clusterOf(dataDir)}`, "SIGINT");
        assert.strictEqual(yield* Fiber.join(starting), 13);
      })
  );

  it.live("a command is told where the owner runs if that has a network of its own", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder;
      const folder = join(dataDir, "postgres");
      yield* Effect.promise(() => mkdir(folder));
      const taken = yield* Effect.promise(() => takeFolder(folder));
      assert.isTrue("leave" in taken);
      const owner = { pid: 7, host: "winnow-1", network: "net:[1]" };
      yield* Effect.promise(() => writeFile(join(folder, "owner"), JSON.stringify(owner)));
      const refused = yield* Effect.flip(Effect.scoped(use({ dataDir })));
      assert.strictEqual(
        refused.message,
        'The database of this folder belongs to the running process 7 on "winnow-1".\n' +
          "That is another container: run the command there, or stop it."
      );
      if ("leave" in taken) yield* Effect.promise(taken.leave);
    })
  );
});
