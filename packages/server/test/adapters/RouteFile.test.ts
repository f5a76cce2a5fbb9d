/** The file of routes is read at start and on SIGHUP; what is wrong with it is said in one line and changes nothing. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as Result from "effect/Result";
import { readSettings, type Settings } from "../../src/settings/Config.ts";
import { readRoutes } from "../../src/adapters/RouteFields.ts";
import { openRoutes } from "../../src/adapters/RouteFile.ts";

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-routes-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
);

const settingsOf = (environment: Record<string, string>): Settings =>
  Result.getOrThrow(readSettings(environment));

const hangUp = Effect.sync(() => process.emit("SIGHUP", "SIGHUP"));

const cookie = ["video.example", "TRUE", "/", "TRUE", "0", "session", "s3cret"].join("\t");

describe("the routes of a server", () => {
  it.effect("are one of its proxy and its cookie file without a file of routes", () =>
    Effect.gen(function* () {
      const jar = join(yield* folder, "cookies.txt");
      writeFileSync(jar, `${cookie}\n`);
      const routes = yield* openRoutes(
        settingsOf({ WINNOW_COOKIES_FILE: jar, WINNOW_UPSTREAM_PROXY: "http://u:p@proxy:3128" })
      );
      const proxy = { scheme: "http", host: "proxy", port: 3_128, username: "u", password: "p" } as const;
      assert.deepStrictEqual(routes.current(), [
        { name: "default", proxy, cookies: jar, hosts: null, order: 0 }
      ]);
    }).pipe(Effect.scoped)
  );

  it.effect("are those of the file, whose cookie files lie beside it, and are read again on SIGHUP", () =>
    Effect.gen(function* () {
      const place = yield* folder;
      const file = join(place, "routes.json");
      const write = (...names: ReadonlyArray<string>) =>
        writeFileSync(
          file,
          JSON.stringify({ routes: names.map((name, order) => ({ name, order, cookies: "cookies.txt" })) })
        );
      writeFileSync(join(place, "cookies.txt"), `${cookie}\n`);
      write("office");
      const log: Array<unknown> = [];
      const logger = Logger.make(({ message }) => void log.push(message));
      yield* Effect.gen(function* () {
        const routes = yield* openRoutes(settingsOf({ WINNOW_ROUTES: file }));
        assert.strictEqual(routes.current()[0]?.cookies, join(place, "cookies.txt"));
        const until = (words: RegExp) =>
          Effect.repeat(
            Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
            { until: () => words.test(String(log.at(-1))) }
          );
        write("office", "homes");
        yield* hangUp;
        yield* until(/^Routes were reloaded: office, homes$/u);
        assert.lengthOf(routes.current(), 2);
        writeFileSync(file, "{");
        yield* hangUp;
        yield* until(/^Routes were not reloaded: WINNOW_ROUTES .*not JSON/u);
        assert.lengthOf(routes.current(), 2);
        write("office");
        rmSync(join(place, "cookies.txt"));
        yield* hangUp;
        yield* until(/^Routes were not reloaded: .*route "office".*cannot be read/u);
        assert.lengthOf(routes.current(), 2);
      }).pipe(Effect.provide(Logger.layer([logger])));
    }).pipe(Effect.scoped)
  );

  const route = (change: object) => ({
    "routes.json": JSON.stringify({ routes: [{ name: "office", order: 1, ...change }] })
  });

  it.effect.each<[string, Record<string, string>, RegExp]>([
    [
      "a file that is not there",
      {},
      /WINNOW_ROUTES is ".*routes\.json", but the file cannot be read: check that it exists/u
    ],
    ["no JSON", { "routes.json": "{" }, /not JSON: see line 1, column 2\.$/u],
    [
      "a comma too many after a password",
      { "routes.json": '{"routes": [\n  {"name": "a", "order": 1, "proxy": "http://u:s3cret@h"},]}' },
      /not JSON: see line 2, column 59\.$/u
    ],
    [
      "single quotes around a password",
      { "routes.json": '{"routes": [{"proxy": \'http://u:s3cret@h\'}]}' },
      /not JSON: see line 1, column 23\.$/u
    ],
    ["a proxy as cookie file", route({ cookies: "http://u:s3cret@h" }), /`cookies`: the file \(not shown/u],
    ["an unknown key", route({ cookie: "a" }), /Route "office": .*`cookie`/u],
    [
      "a password in an odd proxy",
      route({ proxy: "ftp://u:s3cret@p" }),
      /Route "office": `proxy` "ftp:\/\/p" must be/u
    ],
    [
      "no cookie file",
      route({ cookies: "jar" }),
      /route "office".*`cookies`: the file ".*jar" cannot be read/u
    ],
    [
      "a cookie file of another format",
      { ...route({ cookies: "jar" }), jar: '[{"name": "session", "value": "s3cret"}]' },
      /`cookies`: the file ".*jar" is JSON, as some browser extensions export it: export it in Netscape format/u
    ]
  ])("with %s keep it from starting, and it says why in one line", ([, files, words]) =>
    Effect.gen(function* () {
      const place = yield* folder;
      for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
      const settings = settingsOf({ WINNOW_ROUTES: join(place, "routes.json") });
      const { message } = yield* Effect.flip(openRoutes(settings));
      assert.match(message, words);
      assert.notInclude(message, "\n");
      assert.notInclude(message, "s3cret");
    }).pipe(Effect.scoped)
  );

  it.effect.each<[string, string]>([
    ["JSON", '{"cookies": []}'],
    ["a Cookie header", "session=s3cret; other=1"]
  ])("refuse a single cookie file that is %s", ([words, text]) =>
    Effect.gen(function* () {
      const jar = join(yield* folder, "cookies.txt");
      writeFileSync(jar, text);
      const { message } = yield* Effect.flip(openRoutes(settingsOf({ WINNOW_COOKIES_FILE: jar })));
      assert.match(message, /^WINNOW_COOKIES_FILE is ".*cookies\.txt", but the file is /u);
      assert.include(message, words);
      assert.notInclude(message, "s3cret");
    }).pipe(Effect.scoped)
  );

  it("are as in the example of the docs", () => {
    const example = readFileSync(new URL("../../../../docs/deploy/routes.json", import.meta.url), "utf8");
    const routes = Result.getOrThrow(readRoutes(JSON.parse(example)));
    assert.deepStrictEqual(
      routes.map(({ name }) => name),
      ["office", "homes"]
    );
  });

  it.effect("do not take a single cookie file as well", () =>
    Effect.gen(function* () {
      const settings = settingsOf({ WINNOW_ROUTES: "/routes.json", WINNOW_COOKIES_FILE: "/cookies.txt" });
      const { message } = yield* Effect.flip(openRoutes(settings));
      assert.match(
        message,
        /^WINNOW_COOKIES_FILE does not go with WINNOW_ROUTES: name the file as `cookies`/u
      );
    }).pipe(Effect.scoped)
  );
});
