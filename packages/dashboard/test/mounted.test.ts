// @module-tag smoke: its own servers, embedded and behind a proxy; Express and Next only in test:faults
/** The API and the app of the embedding examples and behind a proxy, one after another with the same data. */
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Winnow } from "@winnow/client";
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { startGatedSite, type GatedSite } from "../../../examples/test/GatedSite.ts";
import { newFolder } from "../../../examples/test/newFolder.ts";
import { TIMEOUTS } from "../../../examples/test/Stage.ts";
import { followLink, openBrowser } from "./Driven.ts";
import { MOUNTS, type Mount } from "./Mounts.ts";
import { findChromium } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

let folder = "";
let site: GatedSite;

beforeAll(async () => {
  folder = await newFolder("mounted");
  site = await startGatedSite();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Quotes, submits, waits by events, and reads a file whole and in part; returns the file's URL. */
const wholeJob = async (winnow: Winnow): Promise<string> => {
  const url = `${site.url}/article`;
  const { title, price } = await winnow.probe({ url });
  assert.deepEqual([title, price.credits], ["What is heavy stays", 50]);
  const steps: Array<string> = [];
  const onProgress = ({ phase }: { readonly phase: string }): void => {
    steps.push(phase);
    if (phase === "processing") site.release();
  };
  site.hold();
  const { id, artifacts } = await winnow.extract({ url }, { onProgress });
  assert.include(steps, "processing");
  const whole = await (await winnow.files.get(id, "transcript.txt")).text();
  assert.match(whole, /^Before there were machines/mu);
  const part = await winnow.files.get(id, "transcript.txt", { range: { start: 3, end: 12 } });
  assert.strictEqual(part.status, 206);
  assert.strictEqual(await part.text(), whole.slice(3, 13));
  return artifacts.transcript ?? assert.fail("no transcript");
};

const signIn = async (page: Page, { url, signInUrl, cookie }: Mount): Promise<void> => {
  await page.goto(`${url}/app/schemas`);
  await page.waitForSelector("h1:has-text('Sign in')");
  if (cookie !== null) await page.context().addCookies([{ ...cookie, url }]);
  await (signInUrl === null ? page.goto(url) : followLink(page, signInUrl));
  await page.waitForURL(`${url}/app/schemas`);
  await page.goto(`${url}/app/`);
  await page.waitForSelector("[data-run]");
};

/** With a session of the program, and with one of Winnow under another path than the server's own. */
const WHOLE = new Set(["in a Hono app with a sign-in of its own", "behind a proxy that cuts off its path"]);

const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

describe.each(Object.keys(MOUNTS).filter((place) => isWhole || WHOLE.has(place)))("Winnow %s", (place) => {
  let mount: Mount;
  let transcript = "";

  beforeAll(async () => {
    const open = MOUNTS[place] ?? assert.fail(place);
    mount = await open({ dataDir: path.join(folder, "data"), host: site.host });
  });
  afterAll(() => mount[Symbol.asyncDispose]());

  it("serves the API under its own URL", async () => {
    transcript = await wholeJob(mount.client);
    assert.isTrue(transcript.startsWith(`${mount.url}/v1/extractions/`), transcript);
  });

  it("answers the sessions of the program, if it has some, and nobody else", async () => {
    assert.strictEqual((await fetch(transcript)).status, 401);
    if (mount.cookie === null) return;
    const price = new URL(`/price?url=${encodeURIComponent(`${site.url}/talk`)}`, mount.url);
    const { id } = await mount.client.account();
    const headers = { cookie: `session=${mount.cookie.value}` };
    const guessed = { cookie: `session=${id}; account=${id}` };
    assert.strictEqual((await fetch(transcript, { headers: guessed })).status, 401);
    assert.strictEqual((await fetch(transcript, { headers })).status, 200);
    assert.strictEqual((await fetch(price)).status, 401);
    const quoted = await fetch(price, { headers });
    assert.deepInclude((await quoted.json()) as object, { title: "A short talk about sieves" });
  });

  it.skipIf(findChromium() === null)("serves the web app", async () => {
    await using driven = await openBrowser();
    const context = await driven.context();
    const page = await driven.page(context);
    const elsewhere: Array<string> = [];
    const refused: Array<string> = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(mount.url)) elsewhere.push(request.url());
    });
    page.on("response", (response) => {
      const status = response.status();
      // Server errors are not counted: the app retries after them, for example if the database is busy.
      if (status >= 400 && status < 500) refused.push(`${status} ${response.url()}`);
    });
    await signIn(page, mount);
    refused.length = 0;

    const { id } = await mount.client.submit({ url: `${site.url}/article`, force: true });
    await page.waitForSelector(`[data-run="${id}"] .status.done`);
    await page.click(`[data-run="${id}"] a.row-link`);
    await page.waitForSelector(".prose");
    // The app asks for the same at each place, so one of a kind sees all of it.
    if (WHOLE.has(place)) {
      const opened = page.waitForEvent("popup");
      await page.click("a:text-is('transcript.txt')");
      const file = await opened;
      await file.waitForLoadState();
      assert.include(await file.textContent("body"), "Before there were machines");
      await file.close();
      await page.reload();
      await page.waitForSelector(".prose");
      assert.include(page.url(), `/app/runs/${id}`);
      await page.click("text=Run again");
      // The price request, which the server accepts from its own pages only.
      await page.waitForSelector(".price-line");
    }
    for (const at of WHOLE.has(place) ? ["/app", "/app/", "/app/?kind=webpage"] : ["/app"]) {
      await page.goto(mount.url + at);
      await page.waitForSelector(`[data-run="${id}"]`);
    }
    if (WHOLE.has(place)) {
      await page.goto(`${mount.url}/app/developers/mcp`);
      const { mcpServers } = JSON.parse(await page.innerText("main pre")) as {
        mcpServers: { winnow: { url: string } };
      };
      assert.strictEqual(mcpServers.winnow.url, `${mount.url}/mcp`);
    }
    assert.deepStrictEqual([elsewhere, refused], [[], []]);
    const [{ path: cookiePath } = { path: "" }] = await context.cookies();
    if (mount.cookie === null) assert.strictEqual(cookiePath, new URL(mount.url).pathname);
  });

  it("stops everything that it started on request", async ({ skip }) => {
    if (mount.stop === null) return skip("A server's stop has tests of its own.");
    const { code, stderr } = await mount.stop();
    assert.deepStrictEqual([code, stderr], [0, ""]);
  });
});
