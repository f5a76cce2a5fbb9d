/** What docs/deploy/Dockerfile installs and starts, without a container engine. */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { PNPM } from "../setup/packages.mjs";

/** An installation and a first start, on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const run = promisify(execFile);

const ROOT = path.resolve(import.meta.dirname, "../..");
const DEPLOY = path.join(ROOT, "docs/deploy");

let folder = "";
let image = "";
let dockerfile = "";

/** The arguments of each instruction with this keyword. */
const instructions = (keyword: string): ReadonlyArray<string> =>
  [...dockerfile.matchAll(new RegExp(`^${keyword} (.+)$`, "gmu"))].map(([, content = ""]) => content);

const copySources = async (): Promise<void> => {
  const ignored = await readFile(path.join(DEPLOY, "Dockerfile.dockerignore"), "utf8");
  const leftOut = new Set([...ignored.matchAll(/^\*\*\/(\w+)$/gmu)].map(([, name]) => name));
  for (const copied of instructions("COPY")) {
    for (const source of copied.split(" ").slice(0, -1)) {
      const filter = (file: string): boolean => !leftOut.has(path.basename(file));
      await cp(path.join(ROOT, source), path.join(image, source), { recursive: true, filter });
    }
  }
};

beforeAll(async () => {
  dockerfile = (await readFile(path.join(DEPLOY, "Dockerfile"), "utf8")).replaceAll(/\\\n\s*/gu, "");
  folder = await mkdtemp(path.join(tmpdir(), "winnow-image-"));
  await chmod(folder, 0o711); // if the tests run as root, PostgreSQL runs as another user
  image = path.join(folder, "image");
  await copySources();
  const install = instructions("RUN").find((command) => command.startsWith("pnpm install ")) ?? "";
  const pnpm = existsSync(PNPM) ? `"${process.execPath}" "${PNPM}"` : "pnpm";
  // Offline: the package store has everything that this workspace uses.
  await run("sh", ["-c", `${install.replace(/^pnpm/u, pnpm)} --offline`], { cwd: image });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

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

  it("starts a server with its own database, which stops on request", async () => {
    const [program = "", ...args] = JSON.parse(instructions("CMD").at(-1) ?? "[]") as Array<string>;
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
    const ended = new Promise((resolve) => server.once("close", resolve));
    let printed = "";
    const isUp = new Promise<void>((resolve) => {
      for (const output of [server.stdout, server.stderr]) {
        output.setEncoding("utf8").on("data", (text: string) => {
          printed += text;
          if (printed.includes("listening on")) resolve();
        });
      }
    });
    await Promise.race([isUp, ended]);
    server.kill("SIGTERM");
    const code = await ended;
    assert.include(printed, "listening on");
    assert.strictEqual(code, 0);
  });
});
