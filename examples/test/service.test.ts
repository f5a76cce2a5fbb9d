// @module-tag long
/** Examples that are programs: each runs against the real server, the sample site and a stand-in for a model. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Winnow } from "@winnow/client";
import { chromium } from "playwright-core";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { faultOf } from "../demo/verify.ts";
import { addressOf, openStage, startExample, startProgram, TIMEOUTS, type Stage } from "./Stage.ts";

vi.setConfig(TIMEOUTS);
const BROWSER_TIMEOUT_MS = 120_000;

/** The limit is 60 reads a minute. */
const READ_EVERY_MS = 1_100;

const pathOf = (name: string): string => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim();

const CHROMIUM = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome"
]
  .map(pathOf)
  .find((path) => path !== "");

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const WINNOW = path.resolve(import.meta.dirname, "../../packages/cli/bin/winnow.mjs");

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const environment = async (credits?: number): Promise<Record<string, string>> => ({
  WINNOW_URL: stage.server.url,
  WINNOW_API_KEY: (await stage.account(credits)).apiKey
});

describe("submit-and-wait.ts", () => {
  it("quotes, waits and saves every file", async () => {
    const folder = path.join(stage.folder, "submitted");
    const args = [`${stage.site.url}/talk`, folder];
    const { code, stdout, stderr } = await startExample("submit-and-wait.ts", args, await environment())
      .ended;
    assert.strictEqual(code, 0, stderr);
    assert.match(stdout, /^A short talk about sieves: 94 credits$/mu);
    for (const name of ["video.mp4", "audio.m4a", "transcript.txt", "thumbnail.jpg"]) {
      assert.include(stdout, name);
      assert.isNull(await faultOf(path.join(folder, name)));
    }
  });

  it("says why a run failed, and exits with 1", async () => {
    const args = [`${stage.site.url}/not-there`, stage.folder];
    const { code, stderr } = await startExample("submit-and-wait.ts", args, await environment()).ended;
    assert.strictEqual(code, 1);
    assert.isNotEmpty(stderr);
  });
});

describe("typed-with-zod.ts", () => {
  it("prints what the stand-in for a model read, and its evidence", async () => {
    const args = [`${stage.site.url}/recipe`];
    const { code, stdout, stderr } = await startExample("typed-with-zod.ts", args, await environment()).ended;
    assert.strictEqual(code, 0, stderr);
    assert.match(stdout, /^Soda bread with spelt: for 4, in 50 minutes$/mu);
    assert.match(stdout, /^servings, because: .*4/mu);
  });
});

describe("batch-with-budget.ts", () => {
  it("submits what the budget covers and skips the rest", async () => {
    const { url } = stage.site;
    const urls = [`${url}/article`, `${url}/carousel`, `${url}/talk`, "nonsense", `${url}/recipe`];
    const env = await environment();
    const { code, stdout, stderr } = await startExample("batch-with-budget.ts", ["180", ...urls], env).ended;
    assert.strictEqual(code, 0, stderr);
    assert.include(
      stdout,
      `left out  ${url}/talk: InvalidRequestError: This run costs 94 credits, more than the 60 of`
    );
    assert.include(stdout, "left out  nonsense:");
    assert.include(stdout, `complete  ${url}/carousel: 50 credits`);
    // 50 for the article, 70 minus 20 for the comments that the carousel lacks, 50 for the recipe.
    assert.include(stdout, "spent 150 of 180 credits");
  });
});

describe("batch-with-budget.ts without a server", () => {
  it("does not say that a link was left out", async () => {
    const env = { WINNOW_API_KEY: "wnw_none", WINNOW_URL: "http://127.0.0.1:1" };
    const { stdout } = await startExample("batch-with-budget.ts", ["9", "https://a.example/"], env).ended;
    assert.match(stdout, /^lost {6}https:\/\/a\.example\/: ConnectionError/mu);
  });
});

describe("batch-with-budget.ts without a budget", () => {
  it("submits nothing", async () => {
    const args = [`${stage.site.url}/article`, `${stage.site.url}/recipe`];
    const { code, stdout, stderr } = await startExample("batch-with-budget.ts", args, await environment())
      .ended;
    assert.deepStrictEqual([code, stdout], [2, ""]);
    assert.include(stderr, "limit");
  });
});

describe.skipIf(pathOf("curl") === "")("curl.sh (skipped without curl)", () => {
  it("submits, waits and downloads with a shell and curl", async () => {
    const folder = path.join(stage.folder, "curled");
    const script = path.resolve(import.meta.dirname, "../curl.sh");
    const args = [script, `${stage.site.url}/article`, folder];
    const { code, stdout, stderr } = await startProgram("sh", args, await environment()).ended;
    assert.strictEqual(code, 0, stderr);
    assert.match(stdout, /^submitted ext_\w+$/mu);
    assert.include(await readFile(path.join(folder, "transcript.txt"), "utf8"), "threshed on a floor");
    assert.isNull(await faultOf(path.join(folder, "thumbnail.jpg")));
    assert.deepStrictEqual((await readdir(folder)).toSorted(), [
      "description.txt",
      "metadata.json",
      "page.md",
      "thumbnail.jpg",
      "transcript.txt"
    ]);
  });

  it("shows the refusal of a submit, and ends with 1", async () => {
    const script = path.resolve(import.meta.dirname, "../curl.sh");
    const { code, stderr } = await startProgram("sh", [script, "nonsense"], await environment()).ended;
    assert.strictEqual(code, 1);
    assert.include(stderr, "invalid_url");
  });
});

describe("browser-proxy/server.ts", () => {
  it("lets a page submit and read without revealing the key", async () => {
    const env = await environment();
    await using program = startExample("browser-proxy/server.ts", [], { ...env, PORT: "0" });
    const url = await addressOf(program);
    const page = await fetch(url);
    const cookie = page.headers.getSetCookie().join("; ").split(";")[0] ?? "";
    const seen = [await page.text()];
    const submitted = await fetch(`${url}/extractions`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify({ url: `${stage.site.url}/article` })
    });
    assert.strictEqual(submitted.status, 201);
    const { id } = (await submitted.json()) as { id: string };
    let answer = await fetch(`${url}/extractions/${id}`, { headers: { cookie } });
    while (answer.status === 202) {
      await sleep(READ_EVERY_MS);
      answer = await fetch(`${url}/extractions/${id}`, { headers: { cookie } });
    }
    seen.push(await answer.clone().text());
    assert.include((await answer.json()) as object, { status: "complete", title: "What is heavy stays" });
    const file = `${url}/extractions/${id}/files/transcript.txt`;
    const text = await fetch(file, { headers: { cookie } });
    seen.push(await text.text(), JSON.stringify([...text.headers]));
    assert.include(seen.join(""), "threshed on a floor");
    assert.notInclude(seen.join(""), env.WINNOW_API_KEY ?? "");
    // Without the cookie, as from another person's browser.
    assert.strictEqual((await fetch(file)).status, 404);
    assert.strictEqual((await fetch(`${url}/extractions/${id}`)).status, 404);
  });

  it("refuses a form of another site, and forwards the service's refusals", async () => {
    await using program = startExample("browser-proxy/server.ts", [], {
      ...(await environment()),
      PORT: "0"
    });
    const url = await addressOf(program);
    const forged = await fetch(`${url}/extractions`, {
      method: "POST",
      headers: { "content-type": "text/plain", origin: "https://elsewhere.example" },
      body: JSON.stringify({ url: `${stage.site.url}/article` })
    });
    assert.strictEqual(forged.status, 403);
    const wrong = await fetch(`${url}/extractions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: "nonsense" })
    });
    assert.strictEqual(wrong.status, 400);
    assert.include(await wrong.text(), "`url`");
  });
});

describe("browser-proxy/server.ts without credits", () => {
  it("does not tell a page of the balance", async () => {
    const refusal = { error: { code: "insufficient_credits", message: "The balance is 3.", details: {} } };
    const service = createServer((request, response) => {
      const isProbe = request.url === "/v1/probe";
      response.writeHead(isProbe ? 200 : 402, { "content-type": "application/json" });
      response.end(JSON.stringify(isProbe ? { price: { credits: 60 } } : refusal));
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    const { port } = service.address() as AddressInfo;
    const env = { WINNOW_API_KEY: "wnw_test", WINNOW_URL: `http://127.0.0.1:${port}`, PORT: "0" };
    await using program = startExample("browser-proxy/server.ts", [], env);
    const answer = await fetch(`${await addressOf(program)}/extractions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: "https://a.example/" })
    });
    service.close();
    assert.strictEqual(answer.status, 502);
    assert.notInclude(await answer.text(), "balance");
  });
});

describe.skipIf(CHROMIUM === undefined)("browser-proxy/page.html (skipped without Chromium)", () => {
  it("shows the text of a page, and the key is nowhere in the browser", async () => {
    const env = await environment();
    await using program = startExample("browser-proxy/server.ts", [], { ...env, PORT: "0" });
    const browser = await chromium.launch({
      executablePath: CHROMIUM ?? "",
      args: ["--no-sandbox"],
      timeout: BROWSER_TIMEOUT_MS
    });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(BROWSER_TIMEOUT_MS);
      const heard: Array<string> = [];
      page.on("request", (request) => heard.push(JSON.stringify(request.headers()), request.url()));
      page.on("response", (response) => heard.push(JSON.stringify(response.headers())));
      await page.goto(await addressOf(program));
      await page.getByLabel("URL").fill(`${stage.site.url}/article`);
      await page.getByRole("button").click();
      await page.getByText("complete: What is heavy stays").waitFor();
      await page.getByText("threshed on a floor").waitFor();
      assert.isAbove(heard.length, 0);
      assert.notInclude(heard.join("") + (await page.content()), env.WINNOW_API_KEY ?? "");
    } finally {
      await browser.close();
    }
  });
});

describe("webhooks/hono.ts and a real server", () => {
  it("gets the event of a run through `winnow webhook listen`", async () => {
    const { id, apiKey } = await stage.account();
    const env = { WINNOW_WEBHOOK_SECRET: SECRET, PORT: "0" };
    await using receiver = startExample("webhooks/hono.ts", [], env);
    const hook = `${await addressOf(receiver)}/hook`;
    const target = ["--url", stage.server.url, "--admin-token", stage.server.adminToken];
    const since = ["--since", "2026-01-01T00:00:00Z", "--secret", SECRET];
    await using listener = startProgram(
      process.execPath,
      [WINNOW, "webhook", "listen", id, ...target, ...since, "--forward-to", hook],
      {}
    );
    const winnow = new Winnow({ apiKey, baseUrl: stage.server.url });
    const run = await winnow.submit({ url: `${stage.site.url}/article` });
    const [[line]] = await Promise.all([
      listener.printed(new RegExp(`.*${run.id} +-> 204`, "u")),
      receiver.printed(new RegExp(`${run.id} complete: What is heavy stays`, "u"))
    ]);
    assert.include(line, "extraction.completed");
  });
});

describe("webhooks/redeliver-failed.ts", () => {
  it("resends the failed deliveries of the account", async () => {
    const { code, stdout } = await startExample("webhooks/redeliver-failed.ts", [], await environment())
      .ended;
    assert.deepStrictEqual([code, stdout], [0, "0 sent again\n"]);
  });
});
