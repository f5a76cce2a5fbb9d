// @module-tag long
/** The first minutes of somebody new: a URL is quoted from the empty list, and first steps tick themselves. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const WIDE = { width: 1_280, height: 860 };

const NAMED = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };

describe.skipIf(findChromium() === null)("the first run", () => {
  let app: App;
  let stage: Stage;
  let page: Page;

  beforeAll(async () => {
    app = await openApp();
    ({ stage, page } = app);
    await app.signIn(".first-steps");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const done = () => page.locator(".first-steps .done").allTextContents();

  it("quotes a URL that is entered in the empty list", async () => {
    assert.deepStrictEqual(await done(), ["Create an API key (done)"]);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.fill("[aria-label=URL]", `${stage.site}/article`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".price-line");
    assert.strictEqual(await page.inputValue("#address"), `${stage.site}/article`);
  });

  it("shows a finished example with the words of each value, for which nothing is asked", async () => {
    await page.goto(stage.app);
    await page.click("text=See a finished example");
    await page.click("[data-quote] >> text=for forty minutes");
    assert.strictEqual(await page.textContent("mark[data-chosen]"), "for forty minutes");
    // Value and words are in sight: the page does not move.
    await page.waitForSelector("#announcer:text-is('Quote marked')", { state: "attached" });
    assert.strictEqual(await page.evaluate(() => scrollY), 0);
    assert.deepStrictEqual(await page.locator(".status.toCheck + .value").allTextContents(), ["1450"]);
    assert.deepStrictEqual(await faultsOf(page), []);
    const quotes = await page.locator("[data-quote]").count();
    for (let at = 0; at < quotes; at += 1) {
      await page.keyboard.press("e");
      assert.include(
        await page.locator("[aria-pressed=true]").textContent(),
        await page.textContent("mark[data-chosen]")
      );
    }
  });

  it.each(["", "new"])("offers what the operator suggests to try, and quotes it: /%s", async (screen) => {
    const broke = screen === "" ? { balance: 0 } : {};
    const sampleUrls = ["talk", "carousel", "article"].map((name) => `${stage.site}/${name}`);
    await page.route(/\/v1\/account$/u, async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...((await response.json()) as object), sampleUrls, ...broke }
      });
    });
    for (const width of [WIDE.width, 390]) {
      await page.setViewportSize({ ...WIDE, width });
      await page.evaluate(() => sessionStorage.removeItem("winnow.draft"));
      await page.goto(`${stage.app}${screen}`);
      await page.waitForSelector(".samples");
      const isTold = await page.isVisible("text=You have no credits yet");
      assert.strictEqual(isTold, screen === "");
      assert.deepStrictEqual(await page.locator(".samples button").allTextContents(), [
        "talk",
        "carousel",
        "article"
      ]);
      // In all widths.
      if (width === WIDE.width) assert.deepStrictEqual(await faultsOf(page), []);
      const heightOf = () => page.$eval(".source", (box) => box.getBoundingClientRect().height);
      const before = screen === "new" ? await heightOf() : undefined;
      await page.click(".samples >> text=article");
      await page.waitForSelector(".price-line");
      if (before !== undefined) assert.strictEqual(await heightOf(), before, String(width));
      assert.strictEqual(await page.inputValue("#address"), sampleUrls[2]);
      assert.strictEqual(await page.locator(".samples").count(), 0);
      if (screen === "new")
        assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "address");
    }
    await page.setViewportSize(WIDE);
    await page.unroute(/\/v1\/account$/u);
  });

  it("ticks each step by what the account has, and ends with the last", async () => {
    const { id } = await stage.client.submit({ url: `${stage.site}/article` });
    await stage.client.extractions.wait(id);
    await page.goto(stage.app);
    await page.waitForSelector("[data-run]");
    await page.waitForSelector(".first-steps .done:has-text('Extract a URL')");
    await stage.client.schemas.save({ name: "of a title", schema: NAMED });
    await page.goto(stage.app);
    await page.waitForSelector(".first-steps .done:has-text('Save a schema')");
    assert.deepStrictEqual(await faultsOf(page), []);
    // Asked again every few seconds, without a reload.
    await stage.client.webhookEndpoints.create({ url: stage.receiver.url });
    await page.waitForSelector(".first-steps", { state: "detached" });
  });

  it("is dismissed for good", async () => {
    for (const endpoint of (await stage.client.webhookEndpoints.page()).data)
      await stage.client.webhookEndpoints.delete(endpoint.id);
    await page.goto(stage.app);
    await page.click(".first-steps >> text=Dismiss");
    await page.waitForSelector(".first-steps", { state: "detached" });
    await page.reload();
    await page.waitForSelector("[data-run]");
    await page.waitForLoadState("networkidle");
    assert.strictEqual(await page.locator(".first-steps").count(), 0);
  });
});
