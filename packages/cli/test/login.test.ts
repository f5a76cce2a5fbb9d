// @module-tag long
/** `winnow login` as a program, with a real server; and which server and key a command then uses. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import { ADMIN_TOKEN, TestApp } from "@winnow/server/test/TestApp";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow, winnowOnTerminal, winnowProcess } from "@winnow/server/test/WinnowProgram";

/** Several program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

const home = Effect.map(temporaryFolder("login"), (folder) => ({
  file: join(folder, "config", "winnow", "login.json"),
  env: { XDG_CONFIG_HOME: join(folder, "config"), WINNOW_DATA_DIR: folder }
}));

layer(TestApp.layer, { excludeTestServices: true })("winnow login", (it) => {
  it.effect("checks the key, stores it for this user only, and commands use it until the logout", () =>
    Effect.gen(function* () {
      const { account, url } = yield* TestApp;
      const { id, key } = yield* account(500);
      const { env, file } = yield* home;
      mkdirSync(join(env.XDG_CONFIG_HOME, "winnow"), { recursive: true });
      chmodSync(join(env.XDG_CONFIG_HOME, "winnow"), 0o755);
      const login = yield* winnowProcess(["login", "--url", `${url}/`, "--api-key", "-"], env, `${key}\n`);
      assert.strictEqual(login.code, 0, login.stderr);
      assert.strictEqual(login.stdout, `Logged in to ${url} as test (${id}), 1,500 credits.\n`);
      assert.strictEqual(statSync(file).mode & 0o777, 0o600);
      assert.strictEqual(statSync(join(file, "..")).mode & 0o777, 0o700);
      const listed = yield* winnow(["schema", "list"], env);
      assert.strictEqual(listed.code, 0, listed.stderr);
      assert.include(listed.stdout, "winnow.predefined.");
      assert.strictEqual((yield* winnow(["logout"], env)).code, 0);
      assert.isFalse(existsSync(file));
      const out = yield* winnow(["schema", "list"], env);
      assert.strictEqual(out.code, 3);
      assert.include(out.stderr, "There is no API key. Name the account (acc_...), or run winnow login");
      assert.strictEqual((yield* winnow(["logout"], env)).stdout, "Nobody is logged in.\n");
    }).pipe(Effect.scoped)
  );

  it.effect("stores nothing that the server refuses, and keeps the login that was there", () =>
    Effect.gen(function* () {
      const { account, url } = yield* TestApp;
      const { key } = yield* account(0);
      const { env, file } = yield* home;
      const to = ["login", "--url", url, "--api-key"];
      const bad = yield* winnow([...to, "wnw_0123456789abcdefghij"], env);
      assert.strictEqual(bad.code, 3);
      assert.include(bad.stderr, `${url} (from --url), key wnw_0123… (from --api-key)`);
      assert.notInclude(bad.stderr, "456789");
      assert.isFalse(existsSync(file));
      assert.strictEqual((yield* winnow([...to, key], env)).code, 0);
      const before = readFileSync(file, "utf8");
      assert.strictEqual((yield* winnow([...to, "another-secret"], env)).code, 3);
      assert.strictEqual(readFileSync(file, "utf8"), before);
      const unasked = yield* winnow(["login", "--url", url], env);
      assert.strictEqual(unasked.code, 2);
      assert.include(unasked.stderr, "pass --api-key - and the key on standard input");
      writeFileSync(file, "{");
      const broken = yield* winnow(["schema", "list"], env);
      assert.strictEqual(broken.code, 1);
      assert.include(broken.stderr, `${file} is not a login`);
      const named = yield* winnow(["schema", "list", "--url", url, "--api-key", key], env);
      assert.strictEqual(named.code, 0, named.stderr);
      assert.strictEqual((yield* winnow([...to, key], env)).code, 0);
      assert.strictEqual((yield* winnow(["schema", "list"], env)).code, 0);
    }).pipe(Effect.scoped)
  );

  it.effect("on a terminal asks for server and key, without showing the key", () =>
    Effect.gen(function* () {
      const { account, url } = yield* TestApp;
      const { key } = yield* account(0);
      const { env, file } = yield* home;
      const stdout = yield* winnowOnTerminal(["login"], env, [
        ["Server", url],
        ["API key", key]
      ]);
      assert.include(stdout, `Logged in to ${url}`);
      assert.notInclude(stdout, key.slice(4));
      assert.strictEqual(JSON.parse(readFileSync(file, "utf8")).apiKey, key);
    }).pipe(Effect.scoped)
  );

  it.effect(
    "flags come before the environment, which comes before the login; its key goes nowhere else",
    () =>
      Effect.gen(function* () {
        const { account, url } = yield* TestApp;
        const { id, key } = yield* account(0);
        const { env } = yield* home;
        yield* winnow(["login", "--url", url, "--api-key", key], env);
        const list = (flags: ReadonlyArray<string>, more: Record<string, string> = {}) =>
          winnow(["schema", "list", ...flags], { ...env, ...more });
        const away = "http://127.0.0.1:1";
        const flagged = yield* list(["--url", away, "--api-key", key], { WINNOW_URL: url });
        assert.include(
          flagged.stderr,
          `No server responds at ${away} (from --url), key ${key.slice(0, 8)}… (from --api-key)`
        );
        const fromEnvironment = yield* list([], { WINNOW_URL: away, WINNOW_API_KEY: key });
        assert.include(
          fromEnvironment.stderr,
          `${away} (from WINNOW_URL), key ${key.slice(0, 8)}… (from WINNOW_API_KEY)`
        );
        const refused = yield* list([], { WINNOW_API_KEY: "wnw_0123456789abcdefghij" });
        assert.include(refused.stderr, `${url} (from winnow login), key wnw_0123… (from WINNOW_API_KEY)`);
        const stranger = yield* list(["--url", away]);
        assert.strictEqual(stranger.code, 1);
        assert.include(
          stranger.stderr,
          `winnow login stored a key for ${url}, which is not sent to ${away} (from --url)`
        );
        const operator = yield* list([id], { WINNOW_ADMIN_TOKEN: ADMIN_TOKEN, WINNOW_URL: url });
        assert.strictEqual(operator.code, 0, operator.stderr);
        const lost = yield* list([id], { WINNOW_ADMIN_TOKEN: ADMIN_TOKEN, WINNOW_PORT: "1" });
        assert.include(
          lost.stderr,
          `No server responds at ${away} (from the default), admin token (from WINNOW_ADMIN_TOKEN)`
        );
      }).pipe(Effect.scoped)
  );
});
