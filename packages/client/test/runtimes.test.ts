// @module-tag long
/** One bundle of the client in every runtime installed here; missing ones are skipped by name. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { EdgeVM } from "@edge-runtime/vm";
import { build, type BuildOptions } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { FILE_BYTES, journeyServer } from "./runtimes/JourneyServer.ts";
import { takeAway } from "./runtimes/newFeatures.ts";
import type * as Journey from "./runtimes/journey.ts";

const run = promisify(execFile);

/** Generous, for a busy machine. */
const BROWSER_START_MS = 120_000;

const EXPECTED = {
  extracted: ["ext_1", "complete", "fetching"],
  listed: ["more", "last"],
  requestId: "req_1",
  batch: ["fulfilled", "fulfilled"],
  rows: ["ext_1", "ext_2"],
  quoted: [50, 50],
  csv: "dish\r\nsöup\r\n",
  sizeBytes: FILE_BYTES,
  refused: "InvalidRequestError",
  isItsClass: true,
  aborted: "AbortError",
  late: "TimeoutError",
  isLate: true,
  hooks: "test, WebhookVerificationError"
};

const bundled = async (options: BuildOptions): Promise<string> => {
  const entry = path.join(import.meta.dirname, "runtimes/journey.ts");
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, ...options });
  return outputFiles?.[0]?.text ?? "";
};

let esm = "";
let script = "";
let folder = "";

beforeAll(async () => {
  esm = await bundled({ format: "esm", target: "es2022" });
  script = await bundled({ format: "iife", globalName: "Journey", target: "es2022" });
  folder = await mkdtemp(path.join(tmpdir(), "winnow-runtimes-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Executables of this name on PATH, and the Node that npm runs on, with their versions. */
const versionsOf = (name: string): ReadonlyArray<readonly [file: string, version: string]> => {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const files = folders.map((each) => path.join(each, name));
  const npmNode = name === "node" ? (process.env.npm_node_execpath ?? "") : "";
  return [...new Set([npmNode, ...files])].filter(existsSync).map((file) => {
    try {
      return [file, execFileSync(file, ["--version"], { encoding: "utf8" }).trim()] as const;
    } catch {
      return [file, ""] as const;
    }
  });
};

const programs = {
  "Node 20": { file: versionsOf("node").find(([, version]) => version.startsWith("v20."))?.[0], args: [] },
  "Node 24": { file: versionsOf("node").find(([, version]) => version.startsWith("v24."))?.[0], args: [] },
  Deno: { file: versionsOf("deno")[0]?.[0], args: ["run", "--allow-net"] },
  Bun: { file: versionsOf("bun")[0]?.[0], args: [] }
};

describe("the client runs on", () => {
  for (const [name, { file, args }] of Object.entries(programs)) {
    const here = file === undefined ? `${name} (skipped: none on PATH)` : name;
    it.skipIf(file === undefined)(`${here}`, async () => {
      await using server = await journeyServer();
      const program = path.join(folder, `${name.replace(" ", "-")}.mjs`);
      const call = `console.log(JSON.stringify([refusal(), await journey("${server.baseUrl}")]));`;
      await writeFile(program, `${esm}\n${call}`);
      const { stdout } = await run(file ?? "", [...args, program]);
      assert.deepStrictEqual(JSON.parse(stdout), ["none", EXPECTED]);
    });
  }

  it("an edge runtime", async () => {
    await using server = await journeyServer();
    const vm = new EdgeVM();
    vm.evaluate(script);
    const { journey, refusal } = vm.evaluate("Journey") as typeof Journey;
    assert.strictEqual(refusal(), "none");
    assert.deepStrictEqual(JSON.parse(JSON.stringify(await journey(server.baseUrl))), EXPECTED);
  });
});

const CHROMIUM = [
  process.env.WINNOW_CHROMIUM,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"
].find((file) => file !== undefined && existsSync(file));

const REFUSED = "API keys must not be shipped to browsers";

const skipped = CHROMIUM === undefined ? " (skipped: Chromium is not here)" : "";

describe.skipIf(CHROMIUM === undefined)(`the client in Chromium${skipped}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    const { chromium } = await import("playwright-core");
    browser = await chromium.launch({
      executablePath: CHROMIUM ?? "",
      args: ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"],
      timeout: BROWSER_START_MS
    });
  });
  afterAll(() => browser.close());

  const open = async (isOld = false) => {
    const worker = `importScripts("/journey.js"); onmessage = async ({ data }) =>
      postMessage([Journey.refusal(), await Journey.journey(data, true)]);`;
    const html = '<!doctype html><script src="/journey.js"></script>';
    const server = await journeyServer({ "/": html, "/journey.js": script, "/worker.js": worker });
    const page = await browser.newPage();
    page.setDefaultTimeout(BROWSER_START_MS);
    if (isOld) await page.addInitScript(takeAway);
    await page.goto(server.baseUrl);
    return {
      server,
      page,
      async [Symbol.asyncDispose]() {
        await page.close();
        await server[Symbol.asyncDispose]();
      }
    };
  };

  it("runs if allowed, and otherwise rejects the key", async () => {
    await using session = await open();
    assert.include(await session.page.evaluate<string>("Journey.refusal()"), REFUSED);
    const found = await session.page.evaluate(
      `Journey.journey(${JSON.stringify(session.server.baseUrl)}, true)`
    );
    assert.deepStrictEqual(found, EXPECTED);
  });

  it("runs without what other engines lack", async () => {
    await using session = await open(true);
    assert.isFalse(await session.page.evaluate("Symbol.asyncIterator in ReadableStream.prototype"));
    const found = await session.page.evaluate(
      `Journey.journey(${JSON.stringify(session.server.baseUrl)}, true)`
    );
    assert.deepStrictEqual(found, EXPECTED);
  });

  it("is recognised as a browser in workers too", async () => {
    await using session = await open();
    const inWorker = `new Promise((resolve, reject) => {
      const worker = new Worker("/worker.js");
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(${JSON.stringify(session.server.baseUrl)});
    })`;
    const [refused, found] = await session.page.evaluate<[string, unknown]>(inWorker);
    assert.include(refused, REFUSED);
    assert.deepStrictEqual(found, EXPECTED);
  });
});
