// @module-tag long
/** `winnow submit`, `list`, `show`, `wait`, `download` and `cancel` as a program, with a real server. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import { lookUntil } from "@winnow/server/test/lookUntil";
import { ARTICLE, PRIVATE, STUCK, TestApp, unlimited, VIDEO } from "@winnow/server/test/TestApp";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { BIN } from "@winnow/server/test/WinnowLauncher";
import { winnow, winnowOnTerminal } from "@winnow/server/test/WinnowProgram";

/** Several program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

const HELD = "https://example.com/held";
const released = Deferred.makeUnsafe<void>();
const facts = sampleFacts({ kind: "webpage", durationSeconds: null });
const sources = { [HELD]: { facts, beforeFetch: Deferred.await(released) } };

const app = TestApp.with({ rateLimits: unlimited, sources });

layer(app, { excludeTestServices: true })("commands of an account", (it) => {
  const prepare = Effect.fnUntraced(function* (credits = 10_000) {
    const { account, call, url } = yield* TestApp;
    const { key } = yield* account(credits);
    const env = { WINNOW_API_KEY: key, WINNOW_URL: url };
    const run = (args: ReadonlyArray<string>, input?: string) => winnow(args, env, input);
    const json = (...args: ReadonlyArray<string>) =>
      Effect.map(run([...args, "--json"]), ({ code, stdout, stderr }) => {
        assert.strictEqual(code, 0, stderr);
        return JSON.parse(stdout);
      });
    return { call, env, key, run, json };
  });

  it.effect("submit, wait for it, show it and list it", () =>
    Effect.gen(function* () {
      const { json, run } = yield* prepare();
      const started = yield* run(["submit", VIDEO, "--parts", "transcript"]);
      assert.strictEqual(started.code, 0, started.stderr);
      assert.match(
        started.stdout,
        /^ext_\w+ \w+: 60 credits debited\. winnow wait ext_\w+ shows the result\.\n$/u
      );
      assert.strictEqual(started.stderr, "");
      const [id = ""] = started.stdout.split(" ");
      const waited = yield* run(["wait", id]);
      assert.strictEqual(waited.code, 0, waited.stderr);
      assert.match(waited.stdout, new RegExp(`^id +${id}$`, "mu"));
      assert.match(waited.stdout, /^FILE +SIZE +TYPE$/mu);
      assert.match(waited.stdout, /^transcript\.txt +\d+ B +text\/plain/mu);
      const detail = yield* json("show", id);
      assert.deepInclude(detail, { id, status: "complete", creditsDebited: 60 });
      assert.strictEqual(detail.result.summary.transcriptFile, "transcript.txt");
      assert.match((yield* run(["show", id])).stdout, /^status +complete$/mu);
      // The id of an extraction is read again, with a schema.
      const again = yield* run(["submit", id]);
      assert.strictEqual(again.code, 1);
      assert.include(again.stderr, "`fromExtraction` reads again");
      const direct = yield* json("submit", ARTICLE, "--wait");
      assert.strictEqual(direct.status, "complete");
      const listed = yield* run(["list"]);
      assert.strictEqual(listed.stderr, "");
      const [head, ...rows] = listed.stdout.trimEnd().split("\n");
      assert.match(head ?? "", /^ID +STATUS +SUBMITTED +CREDITS +TITLE$/u);
      assert.deepStrictEqual(
        rows.map((row) => row.split(" ")[0]),
        [direct.id, id]
      );
      assert.deepStrictEqual(
        (yield* json("list", "--kind", "webpage")).map((item: { id: string }) => item.id),
        [direct.id]
      );
      assert.lengthOf(yield* json("list", "--limit", "1"), 1);
      const none = yield* run(["list", "--status", "failed"]);
      assert.deepStrictEqual([none.code, none.stdout, none.stderr], [0, "", "There are none.\n"]);
    })
  );

  it.effect("account show tells what a key may know of its account, and key list who sees the keys", () =>
    Effect.gen(function* () {
      const { json, run } = yield* prepare();
      yield* json("submit", ARTICLE, "--wait");
      const shown = yield* json("account", "show");
      assert.deepInclude(shown, { name: "test", plan: "default" });
      assert.match(
        (yield* run(["account", "show"])).stdout,
        /^id +acc_\w+\nname +test\nbalance +[\d,]+ credits$/mu
      );
      const keys = yield* run(["key", "list"]);
      assert.deepStrictEqual([keys.code, keys.stdout], [3, ""]);
      assert.match(keys.stderr, /does not see the other keys of acc_\w+: the web app lists them/u);
    })
  );

  it.effect("a failed run is told with its reason and exit code 1, in JSON too", () =>
    Effect.gen(function* () {
      const { run } = yield* prepare();
      const failed = yield* run(["submit", PRIVATE, "--wait"]);
      assert.strictEqual(failed.code, 1);
      assert.strictEqual(failed.stdout, "");
      assert.match(failed.stderr, /ext_\w+ failed: .*private/iu);
      const [, id = ""] = /(ext_\w+) failed/u.exec(failed.stderr) ?? [];
      const json = yield* run(["wait", id, "--json"]);
      assert.strictEqual(json.code, 1);
      assert.strictEqual(JSON.parse(json.stdout).failure.reason, "private");
      const files = yield* run(["download", id]);
      assert.strictEqual(files.code, 1);
      assert.include(files.stderr, `${id} has no files, because it is failed: winnow show ${id} says why.`);
    })
  );

  it.effect("too few credits and a refused key have exit code 3, wrong usage 2, anything else 1", () =>
    Effect.gen(function* () {
      const { run } = yield* prepare(0);
      for (const [args, code, words] of [
        [["submit", VIDEO], 3, "credits"],
        [["submit", VIDEO, "--api-key", "wnw_none"], 3, "not valid"],
        [["submit", VIDEO, "--inputs", "audio"], 2, "--inputs need a --schema"],
        [["submit", "not a link"], 1, "url"],
        [["show", "ext_none"], 1, "There is no such extraction."],
        [["wait", "-"], 2, "There is no id on standard input."],
        [["show"], 2, "id"]
      ] as const) {
        const ended = yield* run(args);
        assert.deepStrictEqual([ended.code, ended.stdout.includes("ERROR")], [code, false], ended.stderr);
        assert.include(ended.stderr, words);
      }
    })
  );

  it.effect("download saves whole files, only those named, and none over another without --overwrite", () =>
    Effect.gen(function* () {
      const { json, run } = yield* prepare();
      const folder = join(yield* temporaryFolder("download"), "talk");
      const { id, summary } = yield* json("submit", VIDEO, "--wait");
      const one = yield* run(["download", id, "transcript", "--to", folder]);
      assert.strictEqual(one.code, 0, one.stderr);
      assert.match(one.stdout, /^transcript\.txt +\d+ B$/mu);
      assert.deepStrictEqual(
        readdirSync(folder).filter((name) => !name.startsWith("transcript.")),
        []
      );
      const own = join(folder, "transcript.txt");
      writeFileSync(own, "mine");
      const taken = yield* run(["download", id, "--to", folder]);
      assert.strictEqual(taken.code, 1);
      assert.include(taken.stderr, "exists: choose another folder with --to, or pass --overwrite.");
      assert.strictEqual(readFileSync(own, "utf8"), "mine");
      assert.isFalse(existsSync(join(folder, "video.mp4")));
      const all = yield* json("download", id, "--to", folder, "--overwrite");
      assert.sameMembers(Object.keys(all.files), summary.files);
      assert.sameMembers(readdirSync(folder), summary.files);
      assert.include(readFileSync(own, "utf8"), "content of");
      const unknown = yield* run(["download", id, "smell", "--to", folder]);
      assert.include(unknown.stderr, "There is no smell. The files are: ");
      const file = yield* run(["download", id, "--to", join(own, "below")]);
      assert.include(file.stderr, "cannot be written (ENOTDIR)");
    }).pipe(Effect.scoped)
  );

  it.effect("a terminal shows step, bar, bytes and time on one line, and long titles cut at its edge", () =>
    Effect.gen(function* () {
      const { env, json } = yield* prepare();
      const { id, summary } = yield* json("submit", VIDEO, "--wait");
      const to = join(yield* temporaryFolder("download"), "talk");
      const written = yield* winnowOnTerminal(["download", id, "--to", to], env);
      const lines = written.split("\r\u001b[2K");
      assert.isTrue(
        lines.some((line) => /^transcript\.json {2}\[#+-*\] \d+ % {2}\d+ B {2}\d+ s$/u.test(line))
      );
      assert.include(written, "[####################] 100 %");
      assert.match(lines.at(-1) ?? "", /^FILE +SIZE\r\nvideo\.mp4 [^]*\nin .*talk\r\n$/u);
      const rows = (yield* winnowOnTerminal(["list"], env)).trimEnd().split("\r\n");
      assert.isAbove(summary.title.length, 0);
      assert.isTrue(rows.every((row) => row.length <= 80));
    }).pipe(Effect.scoped)
  );

  it.effect("cancel takes ids from list, and says what was refunded", () =>
    Effect.gen(function* () {
      const { run } = yield* prepare();
      yield* run(["submit", STUCK]);
      const listed = yield* run(["list", "--ids"]);
      const id = listed.stdout.trim();
      assert.match(id, /^ext_\w+$/u);
      const waited = yield* run(["wait", id, "--timeout", "1"]);
      assert.strictEqual(waited.code, 1);
      assert.match(waited.stderr, /is still [a-z ]+ after 1 s; the run continues/u);
      const cancelled = yield* run(["cancel", "-"], listed.stdout);
      assert.strictEqual(cancelled.code, 0, cancelled.stderr);
      assert.match(cancelled.stdout, new RegExp(`^${id} failed: .*[1-9]\\d* credits refunded\\.\n$`, "u"));
    })
  );

  it.effect("Ctrl+C while waiting leaves the run going, and says so", () =>
    Effect.gen(function* () {
      const { call, env, key, run } = yield* prepare();
      const child = spawn(process.execPath, [BIN, "submit", HELD, "--wait"], {
        env: { ...process.env, ...env }
      });
      yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")));
      let stderr = "";
      let code: number | null = null;
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
      child.on("close", (ended) => (code = ended));
      yield* lookUntil(
        Effect.sync(() => stderr),
        (text) => text.includes("fetching")
      );
      child.kill("SIGINT");
      yield* lookUntil(
        Effect.sync(() => code),
        (ended) => ended !== null
      );
      const [item] = (yield* call("/v1/extractions", { key })).json.data;
      assert.strictEqual(code, 130);
      assert.include(stderr, `The extraction goes on; winnow wait ${item.id} shows it.`);
      assert.strictEqual(item.status, "running");
      yield* Deferred.succeed(released, undefined);
      assert.strictEqual((yield* run(["wait", item.id])).code, 0);
    }).pipe(Effect.scoped)
  );
});
