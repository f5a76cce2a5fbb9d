// @module-tag long
/** The price beside the form of a new extraction. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openBrowser, type Driven } from "./Driven.ts";
import { findChromium, openStage, type Stage } from "./Stage.ts";

describe.skipIf(findChromium() === null)("the price of a new extraction", () => {
  let stage: Stage;
  let driven: Driven;
  let page: Page;

  beforeAll(async () => {
    stage = await openStage();
    driven = await openBrowser();
    page = await driven.page(await driven.context());
    await page.goto(await stage.signInUrl());
    await page.waitForSelector("h1");
  });
  afterAll(async () => {
    await driven[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
  });

  it("offers no retry while it stays refused", async () => {
    const message = "This is a list, not one video.";
    const json = { error: { code: "unsupported_url", message } };
    await page.route(/\/v1\/probe/u, (route) => route.fulfill({ status: 422, json }));
    await page.goto(`${stage.app}new`);
    await page.fill("#address", `${stage.site}/refused`);
    const alert = page.locator(".price-panel [role=alert]");
    await alert.waitFor();
    assert.strictEqual(await alert.textContent(), message);
    assert.strictEqual(await page.locator(".price-panel >> text=Try again").count(), 0);
    await page.unroute(/\/v1\/probe/u);
  });

  it("is shown with what it is made of, and the sum is the price on the button", async () => {
    await page.goto(`${stage.app}new`);
    await page.fill("#address", `${stage.talks.url}/long-talk`);
    await page.waitForSelector(".receipt .total");
    const rows = await page.locator(".receipt dd").allTextContents();
    const numbers = rows.map((row) => Number(row.replaceAll(/\D/gu, "")));
    const total = numbers.pop() ?? 0;
    assert.strictEqual(
      numbers.reduce((sum, each) => sum + each, 0),
      total
    );
    const button = (await page.textContent(".price-panel button")) ?? "";
    assert.strictEqual(Number(button.replaceAll(/\D/gu, "")), total);
  });

  it("names the fee of the run and of the reading each by itself", async () => {
    const schema = { type: "object", properties: { dish: { type: "string" } } };
    const { id } = await stage.client.schemas.save({ name: "dishes", schema });
    await page.goto(`${stage.app}new?schema=${id}`);
    await page.fill("#address", `${stage.site}/recipe`);
    await page.waitForSelector(".receipt .total:has-text('100')");
    const rows = await page.locator(".receipt > div").allTextContents();
    assert.deepStrictEqual(rows, ["Base fee50", "Reading the text50", "Total100"]);
  });
});
