// @module-tag long: its own servers, before a backup and on what it brings back
/**
 * A backup of a running server, tested by destroying its data folder.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { makeCall } from "@winnow/server/test/ApiCall";
import { firstKey, serverProcess } from "@winnow/server/test/ServerProcess";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow } from "@winnow/server/test/WinnowProgram";

const TOKEN = "admin-of-backup";

/** The parts of an account that the API returns. */
const stateOf = Effect.fnUntraced(function* (url: string, key: string) {
  const call = makeCall(url);
  const account = yield* call("/v1/account", { key });
  const ledger = yield* call("/v1/ledger", { key });
  const schemas = yield* call("/v1/schemas", { key });
  return { account: account.json, ledger: ledger.json, schemas: schemas.json };
});

describe("a backup", () => {
  it.live(
    "brings everything back to an empty place, and refuses any other and any damage",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder("backup");
        const dataDir = join(folder, "data");
        const file = join(folder, "winnow.backup");
        const env = {
          WINNOW_DATA_DIR: dataDir,
          WINNOW_PORT: "0",
          WINNOW_ADMIN_TOKEN: TOKEN,
          WINNOW_MIN_FREE_BYTES: "0"
        };
        const first = yield* serverProcess(env);
        const key = firstKey(dataDir);
        const schema = { type: "object", properties: { naïve: { type: "string" } } };
        const saved = yield* makeCall(first.url)("/v1/schemas", { key, body: { name: "ünï", schema } });
        assert.include([200, 201], saved.status);
        const before = yield* stateOf(first.url, key);
        const artifact = join(dataDir, "artifacts", "ext_old", "1", "video.mp4");
        mkdirSync(join(artifact, ".."), { recursive: true });
        writeFileSync(artifact, Buffer.alloc(3_000_000, 7));

        const made = yield* winnow(["backup", file, "--artifacts"], env);
        assert.strictEqual(made.code, 0, made.stderr);
        assert.match(made.stdout, /^Backed up 1 account, 0 runs, 2 ledger entries and 1 file to /u);
        const nowhere = join(folder, "none", "winnow.backup");
        const misplaced = yield* winnow(["backup", nowhere], env);
        assert.include(misplaced.stderr, `"${nowhere}" cannot be used (ENOENT)`);
        const occupied = yield* winnow(["restore", file], env);
        assert.strictEqual(occupied.code, 1);
        assert.include(occupied.stderr, "empty");
        assert.strictEqual(yield* Effect.promise(() => first.kill("SIGTERM")), 0);

        renameSync(dataDir, join(folder, "destroyed"));
        const cut = join(folder, "cut.backup");
        const whole = gunzipSync(readFileSync(file));
        writeFileSync(cut, gzipSync(whole.subarray(0, whole.length - 90)));
        const flipped = Buffer.from(whole);
        flipped[Math.floor(whole.length / 2)] = 0x37 ^ (flipped[Math.floor(whole.length / 2)] ?? 0);
        const damaged = join(folder, "damaged.backup");
        writeFileSync(damaged, gzipSync(flipped));
        for (const bad of [cut, damaged, join(folder, "none")]) {
          const refused = yield* winnow(["restore", bad, "--artifacts"], env);
          assert.strictEqual(refused.code, 1, `${bad}: ${refused.stdout}`);
          assert.match(refused.stderr, /backup/u, bad);
          assert.notMatch(refused.stderr, /^\s+at |node:internal/mu, bad);
        }

        const back = yield* winnow(["restore", file, "--artifacts"], env);
        assert.strictEqual(back.code, 0, back.stderr);
        assert.match(back.stdout, /^Restored 1 account, 0 runs, 2 ledger entries and 1 file\. Start/u);
        const digest = createHash("sha256").update(readFileSync(artifact)).digest("hex");
        assert.strictEqual(digest, createHash("sha256").update(Buffer.alloc(3_000_000, 7)).digest("hex"));
        const second = yield* serverProcess(env);
        assert.notInclude(second.stdout, "wnw_");
        assert.deepStrictEqual(yield* stateOf(second.url, key), before);
        const another = yield* makeCall(second.url)("/v1/schemas", { key, body: { name: "more", schema } });
        assert.include([200, 201], another.status);
        rmSync(join(folder, "destroyed"), { recursive: true, force: true });
      }).pipe(Effect.scoped),
    300_000
  );

  it.live(
    "of an unavailable or empty database fails with the reason",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder("backup-nowhere");
        const away = {
          WINNOW_DATA_DIR: join(folder, "data"),
          WINNOW_DATABASE_URL: "postgres://winnow:hidden@127.0.0.1:9/winnow"
        };
        const file = join(folder, "winnow.backup");
        writeFileSync(file, "");
        const unmade = yield* winnow(["backup", file], away);
        assert.strictEqual(unmade.code, 1);
        assert.include(
          unmade.stderr,
          "WINNOW_DATABASE_URL: The database does not respond. Check its address"
        );
        assert.notInclude(unmade.stderr, "hidden");
        const { WINNOW_DATA_DIR } = away;
        // With another folder, as if the server's settings were missing.
        const empty = yield* winnow(["backup", file], { WINNOW_DATA_DIR });
        assert.strictEqual(empty.code, 1);
        assert.match(empty.stderr, /There is no database in .*WINNOW_DATA_DIR/u);
      }).pipe(Effect.scoped),
    300_000
  );
});
