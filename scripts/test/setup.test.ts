// @module-tag smoke: starts and stops whole servers
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, assert, describe, it, vi } from "vitest";
import { run as runQuietly } from "../setup/commands.mjs";
import { chooseDownloaders, LOCKED } from "../setup/downloaders.mjs";
import { sayDaily } from "../setup/programs.mjs";

/** A whole setup with a first start, on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

/** Below the range of ephemeral ports, so that no other program takes it when the server has stopped. */
const PORT = 27_100 + (process.pid % 800);

const ROOT = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "winnow-setup-"));
chmodSync(folder, 0o711); // if the tests run as root, PostgreSQL runs as another user

afterAll(() => rmSync(folder, { recursive: true }));

const rejection = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => error.message
  );

/** A yt-dlp of that version. */
const programOf = (version: string): string => {
  const file = path.join(folder, `yt-dlp-${version}`);
  writeFileSync(file, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  return file;
};

describe("a notice of set-up", () => {
  it("is given once a day", () => {
    const told: Array<string> = [];
    const notices = path.join(folder, "notices");
    const say = () =>
      sayDaily("x", "Without x", { folder: notices, tell: (text: string) => void told.push(text) });
    say();
    say();
    assert.deepStrictEqual(told, ["Without x"]);
    const yesterday = Date.now() / 1_000 - 86_400;
    utimesSync(path.join(notices, "said-x"), yesterday, yesterday);
    say();
    assert.lengthOf(told, 2);
  });
});

describe("yt-dlp and gallery-dl of set-up", () => {
  const told: Array<string> = [];
  let installs = 0;
  const lock = readFileSync(path.join(ROOT, "packages/adapters/src/programs/python/requirements.txt"));
  const place = (name: string) => path.join(folder, name, LOCKED);
  const choose = (name: string, found: string | null, install = () => complete(name)) =>
    chooseDownloaders({ folder: place(name), found, install, tell: (text: string) => void told.push(text) });
  /** What `winnow programs update` leaves. */
  const complete = async (name: string): Promise<void> => {
    installs += 1;
    mkdirSync(place(name), { recursive: true });
    const stamp = { version: LOCKED, lock: createHash("sha256").update(lock).digest("hex") };
    writeFileSync(path.join(place(name), "environment.json"), JSON.stringify(stamp));
  };

  it("are installed as the lock file pins them, before an older one of PATH, and only once", async () => {
    installs = 0;
    for (const found of [null, programOf("2025.04.30")]) {
      assert.strictEqual(await choose("locked", found), path.join(place("locked"), "bin"));
    }
    assert.strictEqual(installs, 1);
    // The lock file changed.
    writeFileSync(path.join(place("locked"), "environment.json"), "{}");
    await choose("locked", null);
    assert.strictEqual(installs, 2);
  });

  it("are not installed if those of PATH are not older", async () => {
    for (const version of [LOCKED, "2099.01.01"]) assert.isNull(await choose("unused", programOf(version)));
    assert.isFalse(existsSync(path.join(folder, "unused")));
  });

  it("are those of PATH if the installation fails, which is said, and not tried again at once", async () => {
    const old = programOf("2025.04.30");
    let tries = 0;
    const fail = async (): Promise<never> => {
      tries += 1;
      throw new Error("yt-dlp could not be installed: the Python package index does not answer.");
    };
    told.length = 0;
    assert.isNull(await choose("offline", old, fail));
    assert.include(told.join("\n"), "the Python package index does not answer");
    assert.include(told.at(-1), `Continuing with yt-dlp 2025.04.30 (${old})`);
    told.length = 0;
    assert.isNull(await choose("offline", old, fail));
    assert.isEmpty(told);
    assert.strictEqual(tries, 1);
    // Without any, it is tried every time.
    assert.isNull(await choose("offline", null, fail));
    assert.strictEqual(tries, 2);
  });
});

/** Runs `npm start` on a terminal of its own, closes the terminal once the server listens, and waits for its end. */
const CLOSE_TERMINAL = `
import os, pty
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("npm", ["npm", "start"])
printed = b""
try:
    while b"listening on" not in printed:
        printed += os.read(terminal, 4096)
except OSError:
    raise SystemExit("It ended: " + printed.decode())
os.close(terminal)
os.waitpid(pid, 0)
print(printed.decode())
`;

describe.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)("npm start", () => {
  it("stops its server and database when its terminal is closed", async () => {
    const data = path.join(folder, "closed");
    const env = { ...process.env, WINNOW_DATA_DIR: data, WINNOW_PORT: String(PORT + 1) };
    const printed = execFileSync("python3", ["-c", CLOSE_TERMINAL], { cwd: ROOT, env, encoding: "utf8" });
    const [, address = ""] = /listening on (http:\S+)/u.exec(printed) ?? [];
    // PostgreSQL removes this file when it has stopped.
    const lock = path.join(data, "postgres/cluster/postmaster.pid");
    await vi.waitUntil(() => !existsSync(lock), { timeout: 60_000, interval: 100 });
    assert.match(await rejection(fetch(`${address}/healthz`)), /fetch failed/u);
  });

  it("stops the server when npm is stopped, as by process managers", async () => {
    const data = path.join(folder, "data");
    const env = { ...process.env, WINNOW_DATA_DIR: data, WINNOW_PORT: String(PORT) };
    const npm = spawn("npm", ["start"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise((resolve) => npm.once("close", resolve));
    const address = await new Promise<string>((resolve, reject) => {
      let printed = "";
      for (const output of [npm.stdout, npm.stderr]) {
        output.setEncoding("utf8").on("data", (text: string) => {
          printed += text;
          const [, url] = /listening on (http:\S+)\s/u.exec(printed) ?? [];
          if (url !== undefined) resolve(url);
        });
      }
      void ended.then(() => reject(new Error(`It ended: ${printed}`)));
    });
    npm.kill("SIGTERM");
    // The output closes when all of its processes have ended.
    await ended;
    assert.match(await rejection(fetch(`${address}/healthz`)), /fetch failed/u);
  });
});

describe.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)("npm test", () => {
  const start = (...args: ReadonlyArray<string>) => {
    const child = spawn(process.execPath, ["scripts/test.ts", "--quick", ...args], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"]
    });
    // It closes when all of its processes have ended.
    const printed = text(child.stdout);
    return { child, printed };
  };

  it("with -u runs the tests of its path alone", async () => {
    assert.match(await start("scripts/test/built.test.ts", "-u").printed, /\n1 passed, 0 failed\n$/u);
  });

  it("ends the tests when its own process alone is stopped", async () => {
    const { child, printed } = start("packages/core/test/domain");
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    assert.match(await printed, /\n0 passed, 1 failed\n$/u);
    assert.notInclude(await printed, "Test Files");
  });
});

describe("set-up", () => {
  it("gives the programs of others none of the server's settings", async () => {
    process.env["WINNOW_DATABASE_URL"] = "postgres://winnow:hunter2@db/winnow";
    try {
      const names = (await runQuietly(process.execPath, ["-p", "Object.keys(process.env).join(' ')"]))
        .trim()
        .split(" ");
      assert.include(names, "PATH");
      assert.notInclude(names, "WINNOW_DATABASE_URL");
    } finally {
      delete process.env["WINNOW_DATABASE_URL"];
    }
  });

  const run = (args: ReadonlyArray<string>, env: Record<string, string>) =>
    spawnSync(process.execPath, [path.join(ROOT, "scripts/winnow.mjs"), ...args], {
      encoding: "utf8",
      env: { ...process.env, ...env }
    });

  it("names its commands if called with another", () => {
    const { status, stderr } = run(["dance"], {});
    assert.strictEqual(status, 2);
    assert.include(stderr, "demo|start");
  });

  it.each([
    { place: "/proc/nope/data", why: "ENOENT" },
    { place: path.join(ROOT, "package.json/data"), why: "ENOTDIR" }
  ])("says in one sentence that the data folder $place cannot be created", ({ place, why }) => {
    const { status, stderr } = run(["setup"], { WINNOW_DATA_DIR: place });
    assert.strictEqual(status, 1);
    assert.strictEqual(
      stderr.trim(),
      `WINNOW_DATA_DIR "${place}" cannot be written (${why}). Set it to a folder that this user can create and write to.`
    );
  });

  it("is named by the program of a clone that has none", () => {
    const clone = path.join(folder, "clone");
    for (const part of ["packages/cli/bin", "packages/cli/package.json"])
      cpSync(path.join(ROOT, part), path.join(clone, part), { recursive: true });
    mkdirSync(path.join(clone, "packages/cli/src"), { recursive: true });
    writeFileSync(path.join(clone, "packages/cli/src/winnow.ts"), 'import "effect";');
    const program = path.join(clone, "packages/cli/bin/winnow.mjs");
    const { status, stderr } = spawnSync(process.execPath, [program, "doctor"], { encoding: "utf8" });
    assert.strictEqual(status, 1);
    assert.include(stderr, `npm --prefix ${clone} run winnow -- doctor`);
    assert.notInclude(stderr, "ERR_MODULE_NOT_FOUND");
  });

  it("names the setting whose program does not exist", () => {
    const { status, stderr } = run(["setup"], { WINNOW_FFMPEG: "/nowhere/ffmpeg" });
    assert.strictEqual(status, 1);
    assert.include(stderr, 'WINNOW_FFMPEG names "/nowhere/ffmpeg", which does not exist.');
    // Nobody's pnpm needs it.
    assert.strictEqual(run(["pnpm", "--version"], { WINNOW_FFMPEG: "/nowhere/ffmpeg" }).status, 0);
  });
});
