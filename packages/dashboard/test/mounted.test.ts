// @module-tag long: its own servers, embedded and behind a proxy
/** The app in a browser, embedded and behind a proxy, one after another with the same data. */
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { startSite, type Site } from "../../../examples/site/site.ts";
import { sampleMedia } from "../../../examples/test/SampleMediaBroker.ts";
import { newFolder } from "../../../examples/test/newFolder.ts";
import { followLink, openBrowser, type Driven } from "./Driven.ts";
import { MOUNTS, type Mount } from "./Mounts.ts";
import { findChromium } from "./Stage.ts";

const signIn = async (page: Page, { url, signInUrl, cookie }: Mount): Promise<void> => {
  await page.goto(`${url}/app/schemas`);
  await page.waitForSelector("text=You are signed out");
  if (cookie !== null) await page.context().addCookies([{ ...cookie, url }]);
  await (signInUrl === null ? page.goto(url) : followLink(page, signInUrl));
  await page.waitForURL(`${url}/app/schemas`);
  await page.goto(`${url}/app/`);
  await page.waitForSelector("text=Nothing extracted yet");
};

describe.skipIf(findChromium() === null)("the web app", () => {
  let media: Awaited<ReturnType<typeof sampleMedia>>;
  let site: Site;
  let driven: Driven;
  let folder = "";

  beforeAll(async () => {
    folder = await newFolder("mounted");
    site = await startSite((media = await sampleMedia()).folder);
    driven = await openBrowser();
  });
  afterAll(async () => {
    await driven[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await media.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(MOUNTS))("works %s", async (place) => {
    const open = MOUNTS[place] ?? assert.fail(place);
    await using mount = await open({ dataDir: path.join(folder, "data"), host: site.host });
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

    const { id } = await mount.client.submit({ url: `${site.url}/article` });
    await page.waitForSelector(`[data-run="${id}"] .status.done`);
    await page.click(`[data-run="${id}"] a.row-link`);
    await page.waitForSelector(".prose");
    const [file] = await Promise.all([page.waitForEvent("popup"), page.click("a:text-is('transcript.txt')")]);
    await file.waitForLoadState();
    assert.include(await file.textContent("body"), "Before there were machines");
    await file.close();

    await page.reload();
    await page.waitForSelector(".prose");
    assert.include(page.url(), `/app/runs/${id}`);
    await page.click("text=Run again");
    // The price request, which the server accepts from its own pages only.
    await page.waitForSelector(".price-line");
    for (const at of ["/app", "/app/", "/app/?kind=webpage"]) {
      await page.goto(mount.url + at);
      await page.waitForSelector(`[data-run="${id}"]`);
    }
    assert.deepStrictEqual([elsewhere, refused], [[], []]);
    const [{ path: cookiePath } = { path: "" }] = await context.cookies();
    if (mount.cookie === null) assert.strictEqual(cookiePath, new URL(mount.url).pathname);
    await context.close();
  });
});
