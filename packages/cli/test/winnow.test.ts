// @module-tag long
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, describe, it, layer } from "@effect/vitest";
import { VERSION_TIMEOUT_MS } from "@winnow/isolation/process/ProgramVersion";
import { ENGINE_DEFAULTS } from "@winnow/core/engine/EngineSettings";
import { uniqueId } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import { checkNode, type Finding } from "../src/doctor.ts";
import { patientTimers } from "@winnow/server/test/NodeOptions";
import { slowSite } from "@winnow/server/test/slowSite";
import { ADMIN_TOKEN, PUBLIC_URL, TestApp } from "@winnow/server/test/TestApp";
import { NO_MEDIA } from "@winnow/server/test/ServerProcess";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow, winnowProcess } from "@winnow/server/test/WinnowProgram";

/** A dozen program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

/** Disabled in some tests, because yt-dlp has to start within it. */
const LOOK_TIMEOUT_MS = ENGINE_DEFAULTS.inspectTimeoutMs;

/** A server that is not Winnow. */
const anotherServer = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((_request, response) => response.end("<html>")).listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
    (server) => Effect.sync(() => server.close())
  ),
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
);

describe("the winnow program", () => {
  it.live("lists its commands, and reports wrong usage with exit code 2", () =>
    Effect.gen(function* () {
      const help = yield* winnowProcess(["--help"]);
      assert.strictEqual(help.code, 0);
      assert.include(help.stdout, "3 refused (no valid key, too few credits)");
      for (const command of ["serve", "extract", "probe", "doctor", "account", "key", "credits"]) {
        assert.include(help.stdout, command);
      }
      for (const [args, first] of [
        [["extrakt"], 'There is no command "extrakt". Did you mean extract?'],
        [["schema", "lits"], 'There is no command "schema lits". Did you mean list?'],
        [
          ["submit", "https://example.com", "--scema", "x"],
          "There is no flag --scema. Did you mean --schema?"
        ],
        [["extract"], "Missing required argument: url"],
        [
          ["extract", "https://example.com", "--from", "1:75"],
          'Invalid value for flag --from: "1:75". Expected: a time such as 1:05'
        ]
      ] as const) {
        const wrong = yield* winnow(args);
        assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""]);
        assert.match(wrong.stderr, /^error: .*\nusage: winnow .*\n +winnow .*--help says more\n$/u);
        assert.include(wrong.stderr, first);
      }
      const bare = yield* winnow(["key"]);
      assert.deepStrictEqual([bare.code, bare.stdout], [2, ""]);
    })
  );

  it.live("treats a credential that begins with a dash as a value, not as short flags", () =>
    Effect.gen(function* () {
      const list = ["schema", "list", "--url", "http://127.0.0.1:1"];
      for (const call of [
        [...list, "--api-key", "-u_7h"],
        [...list, "acc_1", "--admin-token", "-u_7h"]
      ]) {
        const { code, stderr } = yield* winnow(call);
        assert.strictEqual(code, 1, stderr);
        assert.include(stderr, "No server responds at http://127.0.0.1:1");
      }
    })
  );

  it.live("a bad setting stops the start with one sentence and exit code 1", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* winnow(["serve"], { WINNOW_WORKERS: "many" });
      assert.strictEqual(code, 1);
      assert.include(stderr, 'WINNOW_WORKERS is "many", but must be a whole number of runs from 1 to 64.');
      assert.notInclude(stderr, " at ");
      assert.strictEqual(stdout, "");
    })
  );

  it.live("extract saves the artifacts in a folder and reports where, as JSON", () =>
    Effect.gen(function* () {
      const site = yield* slowSite;
      site.setSlow(false);
      const out = join(yield* temporaryFolder("cli"), "talk");
      const env = { WINNOW_EGRESS_ALLOW: site.host, ...patientTimers(LOOK_TIMEOUT_MS) };
      const { code, stdout, stderr } = yield* winnow(["extract", site.pageUrl, "--out", out, "--json"], env);
      assert.strictEqual(code, 0, stderr);
      const { summary, files } = JSON.parse(stdout) as { summary: any; files: Record<string, string> };
      assert.strictEqual(summary.title, "A slow talk");
      assert.strictEqual(files["video.mp4"], join(out, "video.mp4"));
      assert.isAbove(statSync(join(out, "video.mp4")).size, 1_000);
      assert.include(readFileSync(join(out, "description.txt"), "utf8"), "patience");
      assert.include(stderr, "fetching");
      writeFileSync(join(out, "description.txt"), "mine");
      const again = yield* winnow(["extract", site.pageUrl, "--out", out], env);
      assert.deepStrictEqual([again.code, again.stdout], [1, ""]);
      assert.match(
        again.stderr,
        /^error: \S+ exists: choose another folder with --out, or pass --overwrite\.\n$/u
      );
      assert.strictEqual(readFileSync(join(out, "description.txt"), "utf8"), "mine");
      const replaced = yield* winnow(["extract", site.pageUrl, "--out", out, "--overwrite"], env);
      assert.strictEqual(replaced.code, 0, replaced.stderr);
      assert.include(readFileSync(join(out, "description.txt"), "utf8"), "patience");
      const bad = yield* winnow(["extract", site.pageUrl, "--language", "English"], env);
      assert.strictEqual(bad.code, 1);
      assert.include(bad.stderr, "`language` must be a language tag");
    }).pipe(Effect.scoped)
  );

  it.live("probe quotes a price, and parts change it", () =>
    Effect.gen(function* () {
      const site = yield* slowSite;
      site.setSlow(false);
      const env = { WINNOW_EGRESS_ALLOW: site.host, ...patientTimers(LOOK_TIMEOUT_MS) };
      const quote = yield* winnow(["probe", site.pageUrl, "--json", "--parts", "transcript"], env);
      assert.strictEqual(quote.code, 0, quote.stderr);
      assert.deepInclude(JSON.parse(quote.stdout).price, { mode: "download", credits: 60 });
      const named = ["--schema", "winnow.predefined.recipe", "--parts", "transcript", "--json"];
      const withSchema = yield* winnow(["probe", site.pageUrl, ...named], env);
      assert.deepInclude(JSON.parse(withSchema.stdout).price, { mode: "ai" });
      const bad = yield* winnow(["probe", site.pageUrl, "--parts", "smell"], env);
      assert.strictEqual(bad.code, 1);
      assert.include(bad.stderr, "parts");
    }).pipe(Effect.scoped)
  );

  it.live("unavailable content is reported with advice, and no folder is created", () =>
    Effect.gen(function* () {
      const out = join(yield* temporaryFolder("cli"), "nothing");
      const { code, stderr } = yield* winnow(["extract", "http://127.0.0.1:9/x", "--out", out], NO_MEDIA);
      assert.include(stderr, "list them in WINNOW_EGRESS_ALLOW");
      assert.strictEqual(code, 1);
      assert.isNotEmpty(stderr);
      assert.isFalse(existsSync(out));
    }).pipe(Effect.scoped)
  );

  it.live("a folder that cannot be written is reported before anything is fetched", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder("cli"), "taken");
      writeFileSync(file, "");
      for (const out of [file, join(file, "below")]) {
        const { code, stderr } = yield* winnow(["extract", "http://127.0.0.1:9/x", "--out", out]);
        assert.strictEqual(code, 1);
        assert.strictEqual(
          stderr.trim().split("\n").at(-1)?.trim(),
          `error: ${out} is not writable; choose another folder with --out.`
        );
      }
    }).pipe(Effect.scoped)
  );
});

layer(TestApp.layer, { excludeTestServices: true })("operator's commands", (it) => {
  it.effect("create an account, a key and credits on a running server", () =>
    Effect.gen(function* () {
      const { url, call } = yield* TestApp;
      const to = ["--url", url, "--admin-token", ADMIN_TOKEN];
      const run = (...args: ReadonlyArray<string>) =>
        Effect.map(winnow([...args, ...to, "--json"]), ({ code, stdout, stderr }) => {
          assert.strictEqual(code, 0, stderr);
          return JSON.parse(stdout);
        });
      const account = yield* run("account", "create", "Newsroom");
      const topUp = yield* run("credits", "top-up", account.id, "500");
      assert.deepStrictEqual(topUp, { balance: 1_500 });
      const keyed = ["credits", "top-up", account.id, "100", "--idempotency-key", "invoice 7"];
      for (const again of [yield* run(...keyed), yield* run(...keyed)])
        assert.deepStrictEqual(again, { balance: 1_600 });
      assert.strictEqual((yield* run("account", "show", account.id)).balance, 1_600);
      const changed = yield* run(
        "account",
        "change",
        account.id,
        "--name",
        "Desk",
        "--limit",
        "runningMax=5"
      );
      assert.deepInclude(changed, { name: "Desk", plan: "default" });
      assert.strictEqual(changed.limits.runningMax, 5);
      const back = yield* run("account", "change", account.id, "--limit", "runningMax=null");
      assert.strictEqual(back.limits.runningMax, 2);
      const listed = yield* run("account", "list", "--find", account.id);
      assert.lengthOf(listed, 1);
      assert.deepInclude(listed[0], { id: account.id, name: "Desk", balance: 1_600, plan: "default" });
      const key = yield* run("key", "create", account.id, "--name", "script");
      assert.strictEqual((yield* call("/v1/extractions", { key: key.key })).status, 200);
      const link = yield* run("account", "sign-in", account.id);
      assert.include(link.url, "/sign-in?token=");
      // Of the only account, without its id.
      assert.include((yield* run("account", "sign-in")).url, "/sign-in?token=");
      yield* run("account", "sign-out", account.id);
      assert.strictEqual((yield* call(link.url.slice(PUBLIC_URL.length))).status, 401);
      const keys = yield* run("key", "list", account.id);
      assert.deepStrictEqual(
        keys.map(({ id, name, start }: Record<string, string>) => ({ id, name, start })),
        [{ id: key.id, name: "script", start: key.key.slice(0, 8) }]
      );
      const words = (...args: ReadonlyArray<string>) =>
        Effect.map(winnow([...args, ...to]), ({ stdout }) => stdout);
      assert.match(yield* words("account", "show", account.id), /^balance +1,600 credits$/mu);
      assert.match(
        yield* words("account", "list"),
        /^ID +NAME +PLAN +BALANCE\nacc_\w+ +Desk +default +1600$/mu
      );
      assert.match(yield* words("key", "list", account.id), /^ID +KEY +CREATED +USED +NAME\n.* script$/mu);
      assert.deepStrictEqual(yield* run("key", "revoke", key.id), { id: key.id, revoked: true });
      assert.strictEqual((yield* call("/v1/extractions", { key: key.key })).status, 401);
      const refused = yield* winnow(["account", "show", "none", ...to]);
      assert.strictEqual(refused.code, 1);
      assert.include(refused.stderr, "There is no such account.");
      const second = yield* run("account", "create", "Archive");
      const unclear = yield* winnow(["account", "sign-in", ...to]);
      assert.strictEqual(unclear.code, 2);
      assert.include(unclear.stderr, "Name one of the accounts: ");
      yield* run("account", "sign-in", second.id);
    })
  );

  it.effect("list as many accounts as requested, page by page, each once", () =>
    Effect.gen(function* () {
      const { accounts, url } = yield* TestApp;
      const mark = uniqueId("many");
      const ids: Array<string> = [];
      for (let index = 0; index < 230; index++) ids.unshift((yield* accounts.create(`${index} ${mark}`)).id);
      const list = (...flags: ReadonlyArray<string>) => {
        const to = ["--url", url, "--admin-token", ADMIN_TOKEN];
        return Effect.map(
          winnow(["account", "list", "--find", mark, "--json", ...flags, ...to]),
          ({ stdout, stderr }) => {
            assert.strictEqual(stderr, "");
            return (JSON.parse(stdout) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id);
          }
        );
      };
      assert.sameMembers([...(yield* list("--limit", "1000"))], ids);
      assert.lengthOf(yield* list("--limit", "205"), 205);
      assert.lengthOf(yield* list(), 100);
      const none = yield* winnow([
        "account",
        "list",
        "--limit",
        "0",
        "--url",
        url,
        "--admin-token",
        ADMIN_TOKEN
      ]);
      assert.strictEqual(none.code, 2);
    })
  );

  it.effect("find the server and its token in the data directory, or say what is missing", () =>
    Effect.gen(function* () {
      const { url } = yield* TestApp;
      const empty = yield* temporaryFolder("cli");
      const lost = yield* winnow(["account", "show", "x"], { WINNOW_DATA_DIR: empty });
      assert.strictEqual(lost.code, 1);
      assert.include(lost.stderr, "no admin token");
      const env = { WINNOW_DATA_DIR: empty, WINNOW_ADMIN_TOKEN: ADMIN_TOKEN };
      const made = yield* winnow(["account", "create", "x", "--url", url], env);
      assert.strictEqual(made.code, 0, made.stderr);
      const nobody = yield* winnow(["account", "create", "x", "--url", "http://127.0.0.1:9"], env);
      assert.strictEqual(nobody.code, 1);
      assert.include(nobody.stderr, "winnow serve");
      const wrong = yield* winnow(["account", "show", "x", "--url", "somewhere"], env);
      assert.strictEqual(wrong.code, 1);
      assert.include(wrong.stderr, "--url is not a URL");
      const other = yield* anotherServer;
      const stranger = yield* winnow(["account", "show", "x", "--url", other], env);
      assert.strictEqual(stranger.code, 1);
      assert.include(stranger.stderr, `${other} returned a 200 response that is not from Winnow`);
    }).pipe(Effect.scoped)
  );
});

describe("doctor", () => {
  it("recognizes Node versions that are too old", () => {
    assert.strictEqual(checkNode("20.19.5").state, "missing");
    assert.strictEqual(checkNode("22.18.0").state, "missing");
    assert.strictEqual(checkNode("22.19.0").state, "ok");
    assert.strictEqual(checkNode("24.0.0").state, "ok");
  });

  it.live("reports the components of the yt-dlp that will run, and their purpose", () =>
    Effect.gen(function* () {
      const env = {
        WINNOW_DATA_DIR: yield* temporaryFolder("cli"),
        ...patientTimers(VERSION_TIMEOUT_MS)
      };
      const { stdout } = yield* winnow(["doctor", "--programs", "--json"], env);
      const findings = JSON.parse(stdout) as ReadonlyArray<Finding>;
      const detailOf = (name: string): string =>
        findings.find((finding) => finding.name === name)?.detail ?? assert.fail(`no ${name}`);
      const [version = ""] = detailOf("yt-dlp").split(" ");
      assert.include(detailOf("yt-dlp version"), `${version}: `);
      assert.match(detailOf("yt-dlp version"), /\d+ days old/u);
      assert.include(detailOf("yt-dlp version"), "winnow probe URL");
      for (const name of ["JavaScript", "yt-dlp-ejs", "curl_cffi"]) {
        assert.match(detailOf(name), /\d+\.\d+.*: .{10,}/u);
      }
      assert.isUndefined(findings.find(({ name }) => name === "database"));
    })
  );

  it.live("says if programs run without a sandbox, because of a setting or of the machine", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("cli");
      const sandboxIn = Effect.fnUntraced(function* (env: Record<string, string>) {
        const given = {
          WINNOW_DATA_DIR: folder,
          ...NO_MEDIA,
          ...patientTimers(VERSION_TIMEOUT_MS),
          ...env
        };
        const { stdout } = yield* winnow(["doctor", "--programs", "--json"], given);
        const findings = JSON.parse(stdout) as ReadonlyArray<Finding>;
        return findings.find(({ name }) => name === "sandbox");
      });
      assert.include((yield* sandboxIn({ WINNOW_SANDBOX: "off" }))?.detail, "off");
      const auto = yield* sandboxIn({ PATH: folder });
      assert.strictEqual(auto?.state, "warning");
      assert.include(auto?.detail, "bubblewrap was not found; programs run without one");
      const required = yield* sandboxIn({ PATH: folder, WINNOW_SANDBOX: "required" });
      assert.strictEqual(required?.state, "missing");
    })
  );

  it.live("names a database that does not answer, without its password, and how to get one", () =>
    Effect.gen(function* () {
      const env = {
        WINNOW_DATA_DIR: yield* temporaryFolder("cli"),
        WINNOW_DATABASE_URL: "postgres://winnow:hunter2@127.0.0.1:1/winnow",
        OPENAI_API_KEY: "sk-hunter2",
        ...patientTimers(VERSION_TIMEOUT_MS)
      };
      const { code, stdout, stderr } = yield* winnow(["doctor", "--json"], { ...env, WINNOW_PROT: "1" });
      assert.strictEqual(code, 1);
      const findings = JSON.parse(stdout) as ReadonlyArray<Finding>;
      const database = findings.find(({ name }) => name === "database");
      assert.deepStrictEqual(database, {
        name: "database",
        state: "missing",
        detail:
          "WINNOW_DATABASE_URL: The database does not respond. Check its address and whether it is running.",
        remedy: "check the address, the password and whether the server is running"
      });
      assert.deepInclude(
        findings.find(({ detail }) => detail.startsWith("WINNOW_PROT ")),
        {
          state: "warning",
          detail: "WINNOW_PROT is not a known setting",
          remedy: "set WINNOW_PORT instead"
        }
      );
      const model = findings.find(({ name }) => name === "language model");
      assert.match(model?.detail ?? "", /, preset openai: /u);
      assert.include(stderr, "Not ready: database");
      assert.notInclude(stdout + stderr, "hunter2");
    })
  );
});
