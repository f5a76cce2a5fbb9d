// @module-tag long
/** The place of a waiting extraction in the queue, in the list and on its own screen. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { followLink, openBrowser, type Driven } from "./Driven.ts";
import { extractionItem, LIST_EVERY_MS } from "./ExtractionItems.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, openStage, type Stage } from "./Stage.ts";

const LISTS = /\/v1\/extractions\?/u;
const SLOTS = 2;
/** After this time on the page's clock, a run has been asked for again (data/extractions.ts). */
const RUN_EVERY_MS = 5_000;

describe.skipIf(findChromium() === null)("the place in the queue", () => {
  let stage: Stage;
  let driven: Driven;
  let page: Page;

  beforeAll(async () => {
    stage = await openStage();
    driven = await openBrowser();
    page = await driven.page(await driven.context());
    await page.clock.install();
    await followLink(page, await stage.signInUrl());
    await page.waitForSelector("h1");
  });
  afterAll(async () => {
    await driven[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
  });

  it("stands in the row, the next to start first, and nothing moves when it changes", async () => {
    const places = new Map([
      [1, 1_000],
      [2, 13],
      [3, 2],
      [4, 1]
    ]);
    await page.route(LISTS, (route) =>
      route.fulfill({
        json: {
          data: [1, 2, 3, 4, 5].map((number) => {
            const queuePosition = places.get(number);
            return extractionItem(number, queuePosition === undefined ? {} : { queuePosition });
          }),
          has_more: false,
          next_cursor: null
        }
      })
    );
    const texts = () => page.locator("[data-run] .status").allInnerTexts();
    const parts = ".status, .row-link, .run-cost, .run-time, .row-actions";
    const boxes = () =>
      page.locator(`[data-run] :is(${parts})`).evaluateAll((each) =>
        each.map((part) => {
          const { x, y, height } = part.getBoundingClientRect();
          return [x, y, height];
        })
      );
    for (const width of [1_280, 768, 390]) {
      places.set(1, 1_000);
      await page.setViewportSize({ width, height: 800 });
      await page.goto(stage.app);
      await page.waitForSelector("text=13th in queue");
      assert.deepStrictEqual(
        await texts(),
        ["1st", "2nd", "13th", "1000th"].map((at) => `${at} in queue`).concat("Queued")
      );
      const before = await boxes();
      places.set(1, 23);
      await page.clock.fastForward(LIST_EVERY_MS);
      await page.waitForSelector("text=23rd in queue");
      assert.deepStrictEqual(await boxes(), before, String(width));
    }
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.unroute(LISTS);
  });

  it("is told by the server, on the screen of the run too, until it starts", async () => {
    let release = (): void => undefined;
    stage.talks.hold = new Promise((resolve) => (release = resolve));
    const ids: Array<string> = [];
    for (let count = 0; count < SLOTS + 2; count += 1) {
      const body = { url: `${stage.talks.url}/long-talk`, parts: ["video" as const], force: true };
      ids.push((await stage.client.submit(body)).id);
    }
    await page.goto(`${stage.app}runs/${ids.at(-1)}`);
    await page.waitForSelector("h2:has-text('2nd in queue')");
    assert.deepStrictEqual(await faultsOf(page), []);
    await stage.client.extractions.cancel(ids[0] ?? "");
    await page.clock.fastForward(RUN_EVERY_MS);
    await page.waitForSelector("h2:has-text('1st in queue')");
    await page.goto(`${stage.app}?peek=${ids.at(-1)}`);
    await page.waitForSelector(`[data-run=${ids.at(-1)}] .status:has-text("1st in queue")`);
    await page.waitForSelector(".peek .under-way h2:has-text('1st in queue')");
    await stage.client.extractions.cancel(ids[1] ?? "");
    await page.clock.fastForward(LIST_EVERY_MS);
    await page.waitForSelector(`[data-run=${ids.at(-1)}] :is(.waiting, .working)`);
    release();
    stage.talks.hold = null;
  });
});
