import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { installRelease } from "../setup/release.mjs";
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

describe("a downloaded program", () => {
  it("runs when its bytes are the pinned ones", async () => {
    await installRelease(
      "tool",
      { version: "1", url: `${origin}/tool`, sha256: SHA256 },
      path.join(folder, "good")
    );
    assert.strictEqual(
      execFileSync(path.join(folder, "good/tool"), { encoding: "utf8" }).trim(),
      "2026.08.19"
    );
  });

  it("is refused and removed if its checksum is wrong", async () => {
    const target = path.join(folder, "bad");
    const release = { version: "1", url: `${origin}/tool`, sha256: "0".repeat(64) };
    assert.include(await rejection(installRelease("tool", release, target)), "is not the pinned file");
    assert.isFalse(existsSync(target) && readdirSync(target).length > 0);
  });

  it("is refused if the server responds with an error", async () => {
    const release = { version: "1", url: `${origin}/gone`, sha256: SHA256 };
    assert.include(await rejection(installRelease("tool", release, folder)), "answered 404");
  });
});

describe("yt-dlp on PATH", () => {
  const programOf = (version: string) => {
    const file = path.join(folder, `yt-dlp-${version}`);
    writeFileSync(file, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return file;
  };
  const report = () => true;
  const bring = (target: string) => () => {
    mkdirSync(target, { recursive: true });
    writeFileSync(path.join(target, "yt-dlp"), SCRIPT, { mode: 0o755 });
    return Promise.resolve();
  };

  it("is used if it is new enough for YouTube, and nothing is downloaded", async () => {
    const install = () => Promise.reject(new Error("not wanted"));
    for (const version of [YOUTUBE_SINCE, "2026.01.05", "2027.1.1"]) {
      const program = programOf(version);
      assert.strictEqual(await preferRelease(program, { folder, install, tell: report }), program);
    }
  });

  it("is replaced by the pinned release if it is older, now and later", async () => {
    const target = path.join(folder, "released");
    const old = programOf("2025.04.30");
    const release = path.join(target, "yt-dlp");
    assert.strictEqual(
      await preferRelease(old, { folder: target, install: bring(target), tell: report }),
      release
    );
    const again = () => Promise.reject(new Error("fetched twice"));
    assert.strictEqual(await preferRelease(old, { folder: target, install: again, tell: report }), release);
  });

  it("is used anyway if the release is unavailable, and the download is not retried at once", async () => {
    const target = path.join(folder, "offline");
    const old = programOf("2025.04.30");
    let questionCount = 0;
    const install = () => {
      questionCount += 1;
      return Promise.resolve();
    };
    assert.strictEqual(await preferRelease(old, { folder: target, install, tell: report }), old);
    assert.strictEqual(await preferRelease(old, { folder: target, install, tell: report }), old);
    assert.strictEqual(questionCount, 1);
  });
});

describe("npm start", () => {
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

  it("names the setting whose program does not exist", () => {
    const { status, stderr } = run(["setup"], { WINNOW_FFMPEG: "/nowhere/ffmpeg" });
    assert.strictEqual(status, 1);
    assert.include(stderr, 'WINNOW_FFMPEG names "/nowhere/ffmpeg", which does not exist.');
  });
});
