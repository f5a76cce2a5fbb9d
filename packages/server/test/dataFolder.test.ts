// @module-tag long: its own servers, on a data folder in use, read-only or full
/**
 * A start with a data folder that cannot be used: one line has the reason and the remedy. Commands beside the server
 * that owns it.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { makeCall } from "./ApiCall.ts";
import { canMount, onOwnDisk } from "./OwnDisk.ts";
import { assertGone, failedStart, NO_MEDIA, serverProcess, type FailedStart } from "./ServerProcess.ts";
import { newDatabase } from "./SharedPostgres.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";
import { winnow } from "./WinnowProgram.ts";

const FULL_BYTES = 2 ** 30;
/** Takes seconds on an idle machine; only a hang takes this long. */
const TEST_MS = 600_000;

const dataFolder = Effect.fnUntraced(function* () {
  const dataDir = join(yield* temporaryFolder("data-folder"), "data");
  mkdirSync(dataDir);
  return dataDir;
});

/** The last line of standard error, trimmed. */
const reasonOf = ({ code, stderr }: FailedStart): string => {
  assert.strictEqual(code, 1);
  const [, reason = ""] = /^error: (.*)$/u.exec(stderr.trim().split("\n").at(-1) ?? "") ?? [];
  return reason;
};

describe("a data folder that a server uses", () => {
  it.live(
    "is refused to a second server, which is told the first one's address; commands use the first one's database",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* dataFolder();
        const env = { ...NO_MEDIA, WINNOW_DATA_DIR: dataDir, WINNOW_PORT: "0", WINNOW_MIN_FREE_BYTES: "0" };
        const server = yield* serverProcess(env);
        assert.strictEqual(
          reasonOf(yield* failedStart(env)),
          `WINNOW_DATA_DIR "${dataDir}" is in use by the server at ${server.url} (process ${server.pid}). ` +
            "Stop it, set another WINNOW_DATA_DIR, or set WINNOW_DATABASE_URL to a PostgreSQL server that several " +
            "processes can use."
        );
        const backup = join(dataDir, "winnow.backup");
        const backedUp = yield* winnow(["backup", backup], env);
        assert.strictEqual(backedUp.code, 0, backedUp.stderr);
        assert.isTrue(existsSync(backup));
        const checked = yield* winnow(["check", "--json"], env);
        assert.deepInclude(JSON.parse(checked.stdout), {
          name: "database",
          state: "ok",
          detail: "embedded PostgreSQL",
          remedy: null
        });
        assert.strictEqual((yield* makeCall(server.url)("/readyz")).status, 200);
        yield* Effect.promise(() => server.kill("SIGKILL"));
        // The database ends with it.
        yield* assertGone(dataDir);
        const alone = yield* winnow(["backup", join(dataDir, "alone.backup")], env);
        assert.strictEqual(alone.code, 0, alone.stderr);
        yield* assertGone(dataDir);
      }).pipe(Effect.scoped),
    TEST_MS
  );
});

describe.skipIf(!canMount())("a start on a data folder", () => {
  it.live(
    "that is read-only says so",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* dataFolder();
        const env = { ...NO_MEDIA, WINNOW_DATA_DIR: dataDir, WINNOW_PORT: "0" };
        const failed = yield* failedStart(env, onOwnDisk(dataDir, "ro"));
        assert.strictEqual(
          reasonOf(failed),
          `WINNOW_DATA_DIR is "${dataDir}", but must be a writable directory (EROFS).`
        );
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live(
    "without space for a database says so",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* dataFolder();
        const env = { ...NO_MEDIA, WINNOW_DATA_DIR: dataDir, WINNOW_PORT: "0" };
        const failed = yield* failedStart(env, onOwnDisk(dataDir, "size=12m,mode=755"));
        assert.match(failed.stderr, /Creating the database: the disk of \S+ is full\. Free up space, or/u);
        assert.notInclude(failed.stderr, "initdb");
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live(
    "that is full is reported if an admin token must be stored, and serves if none must",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* dataFolder();
        const url = yield* newDatabase;
        const env = { ...NO_MEDIA, WINNOW_DATA_DIR: dataDir, WINNOW_PORT: "0", WINNOW_DATABASE_URL: url };
        const fullDisk = onOwnDisk(dataDir, "size=1m", FULL_BYTES);
        assert.strictEqual(
          reasonOf(yield* failedStart(env, fullDisk)),
          `The disk of WINNOW_DATA_DIR "${dataDir}" is full (ENOSPC). Free up space, or set another WINNOW_DATA_DIR.`
        );
        const given = { ...env, WINNOW_ADMIN_TOKEN: "admin-of-full-folders" };
        const server = yield* serverProcess(given, ["serve"], fullDisk);
        const call = makeCall(server.url);
        const headers = { authorization: "Bearer admin-of-full-folders" };
        assert.strictEqual((yield* call("/admin/v1/accounts", { headers })).status, 200);
        yield* call("/readyz").pipe(
          Effect.repeat({
            schedule: Schedule.spaced("200 millis"),
            until: ({ json }) => /runs wait/u.test(json.error?.message)
          }),
          Effect.timeout("5 minutes")
        );
        assert.match(server.stderr(), /commands on this machine need --url/u);
        assert.strictEqual(yield* Effect.promise(() => server.kill("SIGTERM")), 0);
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
