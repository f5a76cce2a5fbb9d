/**
 * What docs/deploy/Dockerfile installs, builds and starts, without a container engine: each stage is a folder. Of the
 * commands only those of pnpm and node are run, with this machine's Node and package store; Debian, yt-dlp, ffmpeg
 * and pnpm itself are not installed.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { filesOf, ROOT } from "../repository.ts";
import { PNPM } from "../setup/packages.mjs";
import { isInContext, readStages, type Stage } from "./dockerfile.ts";

/** An installation and a first start, on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const run = promisify(execFile);

let folder = "";
/** The final stage's working folder on this machine. */
let image = "";
let command: ReadonlyArray<string> = [];

/** The working folder in which each stage ends. */
const workdirs = new Map<string, string>();

const rootOf = (stage: string): string => path.join(folder, "stages", stage || "image");

/** Like COPY: a folder's contents go into the target, a file goes to it, or into it if it ends in a slash. */
const copy = async (content: string, root: string, cwd: string): Promise<void> => {
  const [, stage, listed = ""] = /^(?:--from=(\S+) )?(.+)$/u.exec(content) ?? [];
  const places = listed.split(" ");
  const target = places.pop() ?? "";
  const to = path.join(root, path.resolve(cwd, target));
  for (const source of places) {
    if (stage !== undefined) {
      await cp(path.join(rootOf(stage), source), to, { recursive: true });
      continue;
    }
    const files = filesOf(source).filter(isInContext);
    assert.isNotEmpty(files, `${source} is not in the context`);
    for (const file of files) {
      const rest =
        file === source && target.endsWith("/") ? path.basename(file) : path.relative(source, file);
      await cp(path.join(ROOT, file), path.join(to, rest));
    }
  }
};

const runCommand = async (content: string, cwd: string): Promise<void> => {
  const [program] = content.split(" ");
  const pnpm = existsSync(PNPM) ? `"${process.execPath}" "${PNPM}"` : "pnpm";
  // Offline: the package store has everything that this workspace uses.
  if (program === "pnpm") await run("sh", ["-c", `${content.replace("pnpm", pnpm)} --offline`], { cwd });
  if (program === "node") await run("sh", ["-c", content.replace("node", `"${process.execPath}"`)], { cwd });
};

const build = async ({ base, name, steps }: Stage): Promise<void> => {
  const root = rootOf(name);
  await mkdir(root, { recursive: true });
  if (existsSync(rootOf(base))) await cp(rootOf(base), root, { recursive: true });
  let cwd = workdirs.get(base) ?? "/";
  for (const { content, keyword } of steps) {
    if (keyword === "WORKDIR") {
      cwd = content;
      await mkdir(path.join(root, cwd), { recursive: true });
    }
    if (keyword === "COPY") await copy(content, root, cwd);
    if (keyword === "RUN") await runCommand(content, path.join(root, cwd));
    if (keyword === "CMD") command = JSON.parse(content) as Array<string>;
  }
  workdirs.set(name, cwd);
  image = path.join(root, cwd);
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "winnow-image-"));
  await chmod(folder, 0o711); // if the tests run as root, PostgreSQL runs as another user
  for (const stage of readStages()) await build(stage);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the image's command, visits it at its address, then stops it; returns its exit code. */
const whileServing = async (visit: (url: string) => Promise<void>): Promise<number | null> => {
  const [program = "", ...args] = command;
  assert.strictEqual(program, "node");
  const server = spawn(process.execPath, args, {
    cwd: image,
    env: {
      PATH: process.env.PATH,
      WINNOW_DATA_DIR: path.join(folder, "data"),
      WINNOW_PORT: "0",
      OPENAI_API_KEY: "none"
    }
  });
  const ended = new Promise<number | null>((resolve) => server.once("close", resolve));
  let printed = "";
  const url = new Promise<string>((resolve) => {
    for (const output of [server.stdout, server.stderr]) {
      output.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        const [, address] = /listening on (http:\/\/[^\s"]+)/u.exec(printed) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
  });
  try {
    const address = await Promise.race([url, ended]);
    assert.isString(address, printed);
    await visit(String(address));
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
  return ended;
};

describe("docs/deploy/Dockerfile", () => {
  it("installs every optional package where the adapters find it", async () => {
    const { dependencies } = JSON.parse(
      await readFile(path.join(image, "docs/deploy/package.json"), "utf8")
    ) as { readonly dependencies: Readonly<Record<string, string>> };
    const optional = Object.keys(dependencies).filter((name) => name !== "@winnow/server");
    assert.include(optional, "openai");
    const source = optional.map((name) => `await import(${JSON.stringify(name)});`).join("\n");
    const cwd = path.join(image, "packages/adapters");
    await run(process.execPath, ["--input-type=module", "--eval", source], { cwd });
  });

  it("starts a server with its own database and the web app, which stops on request", async () => {
    const code = await whileServing(async (url) => {
      const page = await fetch(`${url}/app/`);
      assert.strictEqual(page.status, 200);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/u);
      const [, script = ""] = /<script [^>]*src="([^"]+\.js)"/u.exec(await page.text()) ?? [];
      const answer = await fetch(new URL(script, page.url));
      assert.strictEqual(answer.status, 200, script);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/javascript/u);
      assert.isAbove((await answer.text()).length, 10_000);
    });
    assert.strictEqual(code, 0);
  });

  it("has no tool of the web app's build", () => {
    for (const tool of ["vite", "preact", "vitest", "typescript"]) {
      assert.isFalse(existsSync(path.join(image, "node_modules", tool)), tool);
    }
  });
});
