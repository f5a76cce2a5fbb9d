// @module-tag long
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { preferRelease, YOUTUBE_SINCE } from "../setup/ytdlp.mjs";

/** A whole setup with a first start, on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

/** Below the range of ephemeral ports, so that no other program takes it when the server has stopped. */
const PORT = 27_100 + (process.pid % 800);

const ROOT = path.resolve(import.meta.dirname, "../..");
const SCRIPT = "#!/bin/sh\necho 2026.08.19\n";
const SHA256 = createHash("sha256").update(SCRIPT).digest("hex");

const server = createServer((request, response) => {
  response.statusCode = request.url === "/tool" ? 200 : 404;
  response.end(SCRIPT);
});
let origin = "";
const folder = mkdtempSync(path.join(tmpdir(), "winnow-setup-"));
chmodSync(folder, 0o711); // if the tests run as root, PostgreSQL runs as another user

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

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

describe("yt-dlp on PATH", () => {
  const told: Array<string> = [];
  const options = (name: string, release: Partial<{ url: string; sha256: string }> = {}) => ({
    folder: path.join(folder, name),
    release: { version: "2026.08.19", url: `${origin}/tool`, sha256: SHA256, ...release },
    tell: (text: string) => void told.push(text)
  });

  it("is used if it is new enough for YouTube, and nothing is downloaded", async () => {
    for (const version of [YOUTUBE_SINCE, "2026.01.05", "2027.1.1"]) {
      const program = programOf(version);
      assert.strictEqual(await preferRelease(program, options("unused")), program);
    }
    assert.isFalse(existsSync(path.join(folder, "unused")));
  });

  it("is replaced by the pinned release if it is older, now and later", async () => {
    const release = path.join(folder, "released/yt-dlp");
    const old = programOf("2025.04.30");
    assert.strictEqual(await preferRelease(old, options("released")), release);
    assert.strictEqual(execFileSync(release, { encoding: "utf8" }).trim(), "2026.08.19");
    const elsewhere = options("released", { url: `${origin}/fetched-twice` });
    assert.strictEqual(await preferRelease(old, elsewhere), release);
  });

  it.each([
    { what: "has another checksum", release: { sha256: "0".repeat(64) }, why: "it is not the pinned file" },
    { what: "is not there", release: { url: "/gone" }, why: "it answered 404" },
    { what: "cannot be reached", release: { url: "http://127.0.0.1:1/" }, why: "fetch failed (" }
  ])("is used anyway if the release $what, which is said, and not tried again at once", async (refused) => {
    const { what, why, release } = refused;
    const url = release.url === "/gone" ? `${origin}/gone` : release.url;
    const given = options(what, url === undefined ? release : { url });
    const old = programOf("2025.04.30");
    told.length = 0;
    assert.strictEqual(await preferRelease(old, given), old);
    assert.isFalse(existsSync(path.join(folder, what, "yt-dlp")));
    assert.include(told.join("\n"), `could not be downloaded from ${given.release.url}: ${why}`);
    assert.include(told.at(-1), "Continuing with yt-dlp 2025.04.30: YouTube will fail");
    told.length = 0;
    assert.strictEqual(await preferRelease(old, given), old);
    assert.isEmpty(told);
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

describe("npm start", () => {
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

describe("set-up", () => {
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
    cpSync(path.join(ROOT, "packages/server/bin"), path.join(clone, "packages/server/bin"), {
      recursive: true
    });
    mkdirSync(path.join(clone, "packages/server/src/cli"), { recursive: true });
    writeFileSync(path.join(clone, "packages/server/src/cli/winnow.ts"), 'import "effect";');
    const program = path.join(clone, "packages/server/bin/winnow.mjs");
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
