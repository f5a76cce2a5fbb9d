// @module-tag long
/** `npm run winnow` on a machine that has nothing but Node; `npm test` with arguments that run nothing. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { isFresh } from "../setup/packages.mjs";

/** Several program starts, on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const ROOT = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "winnow-commands-"));
const dataDir = path.join(folder, "data");
const empty = path.join(folder, "empty");
mkdirSync(empty);

// Otherwise the commands would install them.
beforeAll(() => assert.isTrue(isFresh(), "The packages are not those of the lock file: npm run setup"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [path.join(ROOT, "scripts/winnow.mjs"), "run", ...args], {
    encoding: "utf8",
    env: {
      HOME: folder,
      PATH: empty,
      INIT_CWD: empty,
      npm_lifecycle_event: "winnow",
      WINNOW_DATA_DIR: dataDir,
      WINNOW_URL: "http://127.0.0.1:1"
    }
  });

describe("a machine without ffmpeg, yt-dlp and bubblewrap", () => {
  it("shows help, and runs commands that need no program, without making a data folder", () => {
    for (const args of [["serve", "--help"], ["logout"]]) {
      const { status, stderr } = run(...args);
      assert.deepStrictEqual([status, stderr], [0, ""], args.join(" "));
    }
    const account = ["--api-key", "wnw_0123456789abcdefghij"];
    for (const args of [
      ["submit", "https://example.com/", ...account],
      ["key", "list", "acc_1", "--admin-token", "t"]
    ]) {
      const { status, stderr } = run(...args);
      assert.strictEqual(status, 1, args.join(" "));
      assert.match(
        stderr,
        /^error: No server responds at http:\/\/127\.0\.0\.1:1 \(from WINNOW_URL\), .*\n$/u
      );
    }
    assert.isFalse(existsSync(dataDir));
  });

  it("doctor names what is missing, of its own data folder, and counts", () => {
    const { status, stdout, stderr } = run("doctor");
    assert.strictEqual(status, 1);
    assert.match(stdout, /^MISS {2}ffmpeg /mu);
    // Without the folder it would install where the server does not look.
    assert.match(stdout, /^ +fix: +WINNOW_DATA_DIR=\S+ npm run -s winnow -- programs update$/mu);
    assert.include(stdout, `WINNOW_DATA_DIR=${dataDir} npm run`);
    assert.notInclude(stdout, `${path.sep}.winnow`);
    assert.match(stdout, /\n\d+ ok, \d+ warnings?, \d+ missing\n$/u);
    assert.match(stderr, /^error: Not ready: .*ffmpeg/u);
  });
});

describe("npm test", () => {
  it("says which command runs a test that it does not, and that there is none", () => {
    const chaos = "packages/server/test/chaos.test.ts";
    for (const [args, said] of [
      [[`./${chaos}:7`], `./${chaos}:7 is run by: npm run test:faults -- ./${chaos}:7\n`],
      [["--faults", "core/test/domain"], "core/test/domain is run by: npm test -- core/test/domain\n"],
      [
        ["nowhere"],
        "nowhere: no test file of this name, or its first line has no tag of scripts/vitest.config.ts\n"
      ],
      [["--qick"], "Unknown option '--qick'."]
    ] as const) {
      const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/test.ts", ...args], {
        cwd: ROOT,
        encoding: "utf8",
        env: { ...process.env, TMPDIR: empty }
      });
      assert.deepStrictEqual([status, stdout, stderr.slice(0, said.length)], [2, "", said]);
    }
    assert.deepStrictEqual(readdirSync(empty), []);
  });
});
