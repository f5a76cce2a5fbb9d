// @module-tag long
/** `winnow batch` as a program, with a real server. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import { lookUntil } from "@winnow/server/test/lookUntil";
import { ARTICLE, TestApp, unlimited, VIDEO } from "@winnow/server/test/TestApp";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { BIN } from "@winnow/server/test/WinnowLauncher";
import { winnow } from "@winnow/server/test/WinnowProgram";

/** Several program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

const HELD = "https://example.com/held";
const released = Deferred.makeUnsafe<void>();
const facts = sampleFacts({ kind: "webpage", durationSeconds: null });
const CHANNEL = "https://example.com/channel/7";
const LISTED = [ARTICLE, "https://example.com/listed/2", ARTICLE, "https://example.com/listed/4"];
const sources = {
  [HELD]: { facts, beforeFetch: Deferred.await(released) },
  ...Object.fromEntries(LISTED.filter((url) => url !== ARTICLE).map((url) => [url, { facts }]))
};

const app = TestApp.with({ rateLimits: unlimited, sources, listings: { [CHANNEL]: LISTED } });

layer(app, { excludeTestServices: true })("winnow batch", (it) => {
  const prepare = Effect.fnUntraced(function* (name: string, text: string, credits = 10_000) {
    const { account, call, url } = yield* TestApp;
    const { key } = yield* account(credits);
    const file = join(yield* temporaryFolder("batch"), name);
    writeFileSync(file, text);
    const env = { WINNOW_API_KEY: key, WINNOW_URL: url };
    const batches = Effect.map(call("/v1/batches", { key }), ({ json }) => json.data);
    return { file, env, batches, run: (...args: ReadonlyArray<string>) => winnow(["batch", ...args], env) };
  });

  it.effect("quotes, creates and follows a batch, and the same command follows the same one", () =>
    Effect.gen(function* () {
      const { batches, file, run } = yield* prepare("links.txt", `# two\n${VIDEO}\n${ARTICLE}\n`);
      const args = [file, "--parts", "transcript", "--budget", "500"];
      const { code, stdout, stderr } = yield* run(...args);
      assert.strictEqual(code, 0, stderr);
      const [batch] = yield* batches;
      assert.match(stdout, /^links +2\naccepted +2\nreused +0\nrefused +0\ntotal +\d+ credits/u);
      assert.include(stdout, `${batch.id} was created: ${batch.creditsDebited} credits debited.`);
      assert.include(stdout, `${batch.id}: 2 of 2 done, 0 failed`);
      assert.strictEqual(stderr, "");
      const again = yield* run(...args);
      assert.strictEqual(again.code, 0);
      assert.include(again.stdout, `${batch.id} was created by the same command`);
      assert.strictEqual((yield* run(batch.id)).stdout.split("\n").length, 2);
      assert.lengthOf(yield* batches, 1);
    }).pipe(Effect.scoped)
  );

  it.effect("reports refused lines by their line, with exit code 1, and only JSON lines with --json", () =>
    Effect.gen(function* () {
      const text = `titre;url\nUn;${VIDEO}\nDeux;${VIDEO}\nTrois;not a link\n`;
      const { file, run } = yield* prepare("links.csv", text);
      const words = yield* run(file, "--yes");
      assert.strictEqual(words.code, 1);
      assert.include(words.stdout, `line 3: ${VIDEO}  The same as line 2.`);
      assert.match(words.stdout, /^line 4: not a link {2}.+/mu);
      assert.include(words.stderr, "1 of 3 links are complete; ");
      const json = yield* run(file, "--yes", "--json");
      assert.strictEqual(json.code, 1);
      const lines = json.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.deepStrictEqual(
        lines.map(({ type }) => type),
        ["quote", "quote", "quote", "total", "batch", "item", "end"]
      );
      assert.deepStrictEqual(
        lines.slice(0, 3).map(({ line }) => line),
        [2, 3, 4]
      );
      assert.deepInclude(lines.at(-1).counts, { total: 3, complete: 1, refused: 2 });
    }).pipe(Effect.scoped)
  );

  it.effect("creates nothing over the budget, over the balance, unasked, or from what it cannot use", () =>
    Effect.gen(function* () {
      const { batches, file, run } = yield* prepare("links.txt", VIDEO, 0);
      for (const [args, code, words] of [
        [[file], 2, "Nobody can be asked here: pass --budget CREDITS, or --yes for any price."],
        [[file, "--yes", "--inputs", "audio"], 2, "--inputs need a --schema"],
        [[`${file}.none`, "--yes"], 2, "cannot be read"],
        [[BIN.replace(/[^/]+$/u, ""), "--yes"], 2, "cannot be read"],
        [[file, "--budget", "10"], 1, "more than --budget 10; nothing was created."],
        [["bat_none"], 1, "There is no such batch."]
      ] as const) {
        const ended = yield* run(...args);
        assert.strictEqual(ended.code, code, ended.stderr);
        assert.include(ended.stderr, words);
        assert.notInclude(ended.stderr, "goes on");
      }
      assert.deepStrictEqual(yield* batches, []);
    }).pipe(Effect.scoped)
  );

  it.effect("quotes a stretch of each video, and refuses it of an article", () =>
    Effect.gen(function* () {
      const { file, run } = yield* prepare("links.txt", `${VIDEO}\n${ARTICLE}\n`);
      const stretch = [
        file,
        "--from",
        "0:30",
        "--to",
        "1:30.5",
        "--parts",
        "video",
        "--budget",
        "1",
        "--json"
      ];
      const [video, article] = (yield* run(...stretch)).stdout
        .split("\n")
        .map((line) => JSON.parse(line || "{}"));
      assert.strictEqual(video.credits, 81);
      assert.deepInclude(article.error.details, { param: "range", reason: "not_a_video" });
      for (const [words, ...wrong] of [
        ["--to must be later than --from.", "--from", "90", "--to", "1:30"],
        ["--to must be later than 0.", "--to", "0:00"]
      ] as const) {
        const refused = yield* run(VIDEO, ...wrong, "--yes");
        assert.deepStrictEqual([refused.code, refused.stdout], [2, ""]);
        assert.include(refused.stderr, words);
      }
      const late = yield* run(VIDEO, "--from", "5:00", "--budget", "1");
      assert.include(
        late.stdout,
        "The stretch begins where the video has ended, after 213 s: choose an earlier --from."
      );
    }).pipe(Effect.scoped)
  );

  it.effect("asks for the captions and language of all", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { batches, env, run } = yield* prepare("links.txt", "");
      yield* run(VIDEO, "--parts", "transcript", "--captions", "people", "--language", "de", "--yes");
      const key = env.WINNOW_API_KEY;
      const { json } = yield* call(`/v1/batches/${(yield* batches)[0].id}`, { key });
      const request = yield* call(`/v1/extractions/${json.items[0].id}/request`, { key });
      assert.deepInclude(request.json, { captions: "people", language: "de" });
    }).pipe(Effect.scoped)
  );

  it.effect("takes the first of what channels list, one or a file of them", () =>
    Effect.gen(function* () {
      const { batches, file, run } = yield* prepare("channels.txt", `${CHANNEL}\n`);
      const one = yield* run(CHANNEL, "--first", "3", "--budget", "5000");
      assert.strictEqual(one.code, 1, one.stderr);
      assert.match(one.stdout, /^links +3\naccepted +2\nreused +0\nrefused +1\n/u);
      assert.include(one.stdout, `\n${ARTICLE}  The same as ${ARTICLE}.\n`);
      const json = yield* run(file, "--first", "4", "--yes", "--json");
      const [first, , , fourth] = json.stdout.split("\n").map((line) => JSON.parse(line || "{}"));
      assert.deepInclude(fourth, { type: "quote", index: 3, url: LISTED[3], error: null });
      assert.notProperty(first, "line");
      assert.lengthOf(yield* batches, 2);
      for (const [args, code, words] of [
        [[VIDEO, "--first", "2", "--yes"], 1, "There is no channel or playlist"],
        [["https://www.youtube.com/@someone", "--yes"], 1, "winnow batch URL --first 20"],
        [[CHANNEL, "--first", "201", "--yes"], 2, "Expected: a number from 1 to 200"]
      ] as const) {
        const ended = yield* run(...args);
        assert.strictEqual(ended.code, code, ended.stderr);
        assert.include(ended.stdout + ended.stderr, words);
      }
    }).pipe(Effect.scoped)
  );

  it.effect("leaves the batch running on Ctrl+C, and says how to look at it", () =>
    Effect.gen(function* () {
      const { batches, env, run } = yield* prepare("links.txt", "");
      const child = spawn(process.execPath, [BIN, "batch", "-", "--yes"], {
        env: { ...process.env, ...env }
      });
      let stderr = "";
      let code: number | null = null;
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
      child.on("close", (ended) => (code = ended));
      yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")));
      let stdout = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
      child.stdin.end(HELD);
      yield* lookUntil(
        Effect.sync(() => stdout),
        (text) => text.includes("was created")
      );
      child.kill("SIGINT");
      yield* lookUntil(
        Effect.sync(() => code),
        (ended) => ended !== null
      );
      const [batch] = yield* batches;
      assert.strictEqual(code, 130);
      assert.include(stderr, `The batch goes on; winnow batch ${batch.id} shows it.`);
      assert.strictEqual(batch.status, "running");
      yield* Deferred.succeed(released, undefined);
      const followed = yield* run(batch.id);
      assert.strictEqual(followed.code, 0, followed.stderr);
      assert.include(followed.stdout, "1 of 1 done, 0 failed");
    }).pipe(Effect.scoped)
  );
});
