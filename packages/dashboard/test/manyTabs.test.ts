// @module-tag long
/**
 * Many tabs and many loads in a browser that keeps pages for its back button, over plain HTTP, where Chromium opens six
 * connections to a host.
 */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { openApp, type App } from "./App.ts";
import type { Driven } from "./Driven.ts";
import { findChromium, type Stage } from "./Stage.ts";

/** More than Chromium's six connections to a host. */
const MANY = 7;
/** A load that waits for a connection would wait for ever. */
const LOAD_TIMEOUT_MS = 60_000;

describe.skipIf(findChromium(true) === null)("the web app in many tabs", () => {
  let app: App;
  let stage: Stage;
  let driven: Driven;
  let context: BrowserContext;
  let page: Page;

  const heading = (tab: Page) => tab.waitForSelector("h1", { timeout: LOAD_TIMEOUT_MS });
  const open = async (screen: string): Promise<void> => {
    await page.goto(stage.app + screen);
    await heading(page);
  };

  beforeAll(async () => {
    app = await openApp({ keepsPages: true });
    ({ stage, driven, context, page } = app);
    await app.signIn();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("loads a run in progress seven times in one tab, which keeps the pages before, and in seven tabs", async () => {
    let release = (): void => undefined;
    stage.talks.hold = new Promise((resolve) => (release = resolve));
    const { id } = await stage.client.submit({ url: `${stage.talks.url}/long-talk`, parts: ["video"] });
    // The same address would be loaded in place of the page before.
    for (let load = 0; load < MANY; load += 1) {
      await open(`runs/${id}?load=${load}`);
      await page.waitForSelector(".status.working", { timeout: LOAD_TIMEOUT_MS });
    }
    for (const screen of ["", "settings/usage", "new"]) await open(screen);
    const tabs: Array<Page> = [];
    for (let tab = 0; tab < MANY; tab += 1) {
      const next = await driven.page(context);
      await next.goto(`${stage.app}runs/${id}`);
      await next.waitForSelector(".status.working", { timeout: LOAD_TIMEOUT_MS });
      tabs.push(next);
    }
    assert.strictEqual((await stage.client.extractions.get(id)).status, "running");
    release();
    stage.talks.hold = null;
    for (const tab of tabs) {
      await tab.waitForSelector("video");
      await tab.close();
    }
  });

  it("deletes a removed row at once if its tab is left within the time to undo", async () => {
    const { id } = await stage.client.submit({ url: `${stage.site}/article` });
    await stage.client.extractions.wait(id);
    // Its clock is that of all pages of a context, and stands still: the time to undo is never over.
    const unhurried = await driven.context({ cookies: await context.cookies() });
    const tab = await driven.page(unhurried);
    await tab.clock.install();
    await tab.goto(stage.app);
    await tab.waitForSelector(`[data-run=${id}]`);
    // Before there is a toast, because what is due by then happens.
    await tab.clock.pauseAt(Date.now() + 60_000);
    await tab.click(`[data-run=${id}] .row-actions button >> nth=-1`);
    await tab.waitForSelector(".toast");
    await tab.goto("about:blank");
    const isGone = (): Promise<boolean> =>
      stage.client.extractions.get(id).then(
        () => false,
        () => true
      );
    assert.isTrue(await vi.waitUntil(isGone, { timeout: LOAD_TIMEOUT_MS }));
    await unhurried.close();
  });

  it("has no request that keeps the browser from showing a page of before again", async () => {
    const tab = await driven.page(context);
    await tab.addInitScript(() =>
      addEventListener("pageshow", ({ persisted }) => {
        if (persisted) localStorage.setItem("shown again", document.title);
      })
    );
    await tab.goto(`${stage.app}settings/usage`);
    await tab.waitForSelector("text=Balance after");
    await tab.goto(`${stage.app}developers/keys`);
    await heading(tab);
    await tab.evaluate(() => history.back());
    const shown = await page.waitForFunction(() => localStorage.getItem("shown again"));
    assert.strictEqual(await shown.jsonValue(), "Usage – Winnow");
    await tab.close();
  });
});
