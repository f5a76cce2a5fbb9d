// @module-tag faults: servers on three databases, one after another
/**
 * A server moves from the embedded database to an operator's and back by means of backups alone, with its files
 * and a run in progress; a damaged backup changes nothing.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { Client } from "pg";
import { makeCall } from "@winnow/server/test/ApiCall";
import { assertGone, firstKey, serverProcess } from "@winnow/server/test/ServerProcess";
import { newDatabase } from "@winnow/server/test/SharedPostgres";
import { slowSite } from "@winnow/server/test/slowSite";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow } from "@winnow/server/test/WinnowProgram";

const TOKEN = "admin-of-moves";

/** A start in each of three places, and commands in between. */
const TEST_MS = 900_000;

const must = (args: ReadonlyArray<string>, env: Record<string, string>) =>
  Effect.map(winnow(args, env), ({ code, stdout, stderr }) => {
    assert.strictEqual(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  });

/** The run, once it has ended. */
const ended = (url: string, key: string, id: string) =>
  makeCall(url)(`/v1/extractions/${id}`, { key }).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("1 second"),
      until: ({ json }) => json.phase === "done" || json.phase === "failed"
    }),
    Effect.map(({ json }) => json)
  );

const videoOf = (url: string, key: string, id: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/v1/extractions/${id}/files/video.mp4`, {
      headers: { "x-api-key": key }
    });
    assert.strictEqual(answer.status, 200);
    return Buffer.from(await answer.arrayBuffer());
  });

const schemasOf = (url: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select nspname from pg_namespace where nspname = 'winnow'");
    await client.end();
    return rows;
  });

/** The backup with some bytes removed or changed. */
const damaged = (whole: Buffer): ReadonlyArray<readonly [string, Buffer]> => {
  const flipped = Buffer.from(whole);
  const middle = Math.floor(whole.length / 2);
  flipped[middle] = 0xff ^ (flipped[middle] ?? 0);
  return [
    ["cut in the middle", whole.subarray(0, middle)],
    ["without its end", whole.subarray(0, whole.length - 9)],
    ["with a byte that is another", flipped],
    ["empty", Buffer.alloc(0)],
    ["something else", Buffer.from("PGDMP")]
  ];
};

describe("a server that moves", () => {
  it.live(
    "takes everything to another kind of database and back, and a damaged backup is refused",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder("moves");
        const site = yield* slowSite;
        site.setSlow(false);
        const common = {
          WINNOW_PORT: "0",
          WINNOW_ADMIN_TOKEN: TOKEN,
          WINNOW_EGRESS_ALLOW: site.host,
          WINNOW_MIN_FREE_BYTES: "0"
        };
        const first = { ...common, WINNOW_DATA_DIR: join(folder, "first") };
        const old = yield* serverProcess(first);
        const key = firstKey(first.WINNOW_DATA_DIR);
        const submit = (url: string) =>
          Effect.map(
            makeCall(url)("/v1/extractions", { key, body: { url: site.pageUrl } }),
            ({ json }) => json
          );
        const done = yield* submit(old.url);
        assert.strictEqual((yield* ended(old.url, key, done.id)).status, "complete");
        const video = yield* videoOf(old.url, key, done.id);
        site.setSlow(true);
        const body = { url: site.pageUrl, force: true };
        const { json: running } = yield* makeCall(old.url)("/v1/extractions", { key, body });
        yield* Effect.sync(() => site.openAnswers()).pipe(
          Effect.repeat({ schedule: Schedule.spaced("200 millis"), until: (open) => open > 0 })
        );
        const file = join(folder, "winnow.backup");
        yield* must(["backup", file, "--artifacts"], first);
        yield* Effect.promise(() => old.kill("SIGTERM"));
        yield* assertGone(first.WINNOW_DATA_DIR);
        rmSync(first.WINNOW_DATA_DIR, { recursive: true, force: true });

        const artifacts = join(folder, "shared");
        const second = {
          ...common,
          WINNOW_DATABASE_URL: yield* newDatabase,
          WINNOW_DATA_DIR: join(folder, "second"),
          WINNOW_ARTIFACTS_URL: `file:${artifacts}`
        };
        const bad = join(folder, "bad.backup");
        for (const [what, bytes] of damaged(readFileSync(file))) {
          writeFileSync(bad, bytes);
          const refused = yield* winnow(["restore", bad, "--artifacts"], second);
          assert.strictEqual(refused.code, 1, what);
          assert.match(refused.stderr, /backup/u, what);
          assert.notMatch(refused.stderr, /^\s+at |node:internal/mu, what);
          assert.deepStrictEqual(yield* schemasOf(second.WINNOW_DATABASE_URL), [], what);
          assert.isFalse(existsSync(artifacts), what);
        }
        yield* must(["restore", file, "--artifacts"], second);

        site.setSlow(false);
        const moved = yield* serverProcess(second);
        assert.isTrue((yield* videoOf(moved.url, key, done.id)).equals(video), "the video is another");
        assert.deepInclude(yield* submit(moved.url), { status: "complete", creditsDebited: 0 });
        assert.strictEqual((yield* ended(moved.url, key, running.id)).status, "complete");
        const bucket = {
          ...second,
          WINNOW_ARTIFACTS_URL: "s3://bucket?endpoint=http://127.0.0.1:9",
          AWS_ACCESS_KEY_ID: "a",
          AWS_SECRET_ACCESS_KEY: "b"
        };
        const inBucket = yield* winnow(["backup", join(folder, "bucket.backup"), "--artifacts"], bucket);
        assert.strictEqual(inBucket.code, 1);
        assert.include(inBucket.stderr, "bucket");
        assert.isFalse(existsSync(join(folder, "bucket.backup")));
        const again = join(folder, "again.backup");
        yield* must(["backup", again, "--artifacts"], second);

        const third = { ...common, WINNOW_DATA_DIR: join(folder, "third") };
        yield* must(["restore", again, "--artifacts"], third);
        const back = yield* serverProcess(third);
        assert.notInclude(back.stdout, "wnw_");
        for (const id of [done.id, running.id])
          assert.isTrue((yield* videoOf(back.url, key, id)).equals(video), id);
        const pages = yield* Effect.all(
          [moved.url, back.url].map((at) => makeCall(at)("/v1/ledger", { key }))
        );
        assert.strictEqual(pages[0]?.status, 200);
        assert.deepStrictEqual(pages[1]?.json, pages[0]?.json);
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
