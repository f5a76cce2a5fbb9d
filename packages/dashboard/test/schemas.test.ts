// @module-tag long
/** The screen of a schema in a browser: fields are tried on what is there, compared, run on the last extractions, and saved. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { cellsOf } from "../src/screens/schemas/comparison.ts";
import { openApp, type App } from "./App.ts";
import { visit } from "./Driven.ts";
import { faultsOf } from "./faultsOf.ts";
import { shiftsOf } from "./shiftsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

describe("the values of two results", () => {
  it("are compared value by value, in the order of the later one, what is gone last", () => {
    const before = { gone: null, offers: [{ price: 1 }, { price: 2 }], same: "x", empty: [] };
    const after = { same: "x", offers: [{ price: 1 }, { price: 3 }], empty: [], "a/b": true };
    assert.deepStrictEqual(cellsOf(before, after), [
      { pointer: "/same", before: "x", after: "x" },
      { pointer: "/offers/0/price", before: "1", after: "1" },
      { pointer: "/offers/1/price", before: "2", after: "3" },
      { pointer: "/empty", before: "[]", after: "[]" },
      { pointer: "/a~1b", before: null, after: "true" },
      { pointer: "/gone", before: "null", after: null }
    ]);
    assert.deepStrictEqual(cellsOf(undefined, { one: 1 }), [{ pointer: "/one", before: null, after: "1" }]);
  });
});

const SCHEMA = {
  type: "object",
  properties: { dish: { type: "string" }, servings: { type: "integer" } },
  required: ["dish", "servings"],
  additionalProperties: false
};
const READING = ".bench form button:disabled:text-is('Reading …')";
const TRY = ".bench form button:enabled:has-text('Try for')";

describe.skipIf(findChromium() === null)("the screen of a schema", () => {
  let app: App;
  let stage: Stage;
  let page: Page;
  let schemaId = "";
  let recipe = "";

  beforeAll(async () => {
    app = await openApp();
    ({ stage, page } = app);
    const { client, site } = stage;
    schemaId = (await client.schemas.save({ name: "dish-facts", schema: SCHEMA })).id;
    for (const name of ["article", "recipe"]) {
      recipe = (await client.submit({ url: `${site}/${name}` })).id;
      await client.extractions.wait(recipe);
    }
    await app.signIn();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("moves nothing when a name of two lines, its versions and what it is tried on arrive", async () => {
    const name = "What a kitchen needs to know of a dish before it is on the menu";
    await stage.client.schemas.save({ name, schema: SCHEMA });
    const { id } = await stage.client.schemas.save({ name, schema: { ...SCHEMA, title: "Dish" } });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${stage.app}settings/account`);
    await page.waitForSelector(".balance strong");
    const held = new Map<string, () => void>();
    for (const [part, url] of [
      ["schema", new RegExp(`/v1/schemas/${id}$`, "u")],
      ["runs", /\/v1\/extractions\?/u],
      ["versions", /\/v1\/schemas\?/u]
    ] as const) {
      const released = new Promise<void>((resolve) => held.set(part, resolve));
      await page.route(url, (route) => released.then(() => route.continue()));
    }
    await visit(page, `${stage.app}schemas/${id}`);
    const shifts = await shiftsOf(page);
    held.get("schema")?.();
    await page.waitForSelector(`h1:text-is("${name}")`);
    held.get("runs")?.();
    await page.waitForSelector(".bench form button:has-text('Try')");
    held.get("versions")?.();
    await page.waitForSelector(".versions:has-text('Version 2 of 2')");
    await page.waitForSelector("text=Changes since version 1");
    assert.deepStrictEqual(await shifts.jsonValue(), []);
    await page.unrouteAll({ behavior: "wait" });
    await page.setViewportSize({ width: 1_280, height: 860 });
  });

  /** Holds back that tries ended; what it answers lets them go on, until their price is another one. */
  const holdTries = async (): Promise<() => Promise<void>> => {
    const held = /\/v1\/extractions\/[^/?]+$/u;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(held, async (route) => {
      if (!route.request().url().includes(recipe)) await released;
      await route.continue();
    });
    return async () => {
      release();
      await page.locator(".bench form button:enabled:has-text('Try for free')").waitFor();
      await page.unroute(held);
    };
  };

  const tryIt = async (number: number): Promise<void> => {
    await page.locator(TRY).click();
    await page.locator(`.tabs button[aria-pressed=true]:has-text("Try ${number}")`).waitFor();
    await page.locator(".bench .values").waitFor();
  };

  it("tries fields for the price of reading, and leads from a value to its words", async () => {
    await page.goto(`${stage.app}schemas/${schemaId}?from=${recipe}`);
    await page.locator(TRY).waitFor();
    assert.strictEqual(
      await page.getByLabel("Try it on").locator(":checked").textContent(),
      "Soda bread with spelt"
    );
    assert.strictEqual(await page.locator(TRY).textContent(), "Try for 50 credits");
    const { balance } = await stage.client.account();
    await tryIt(1);
    assert.strictEqual((await stage.client.account()).balance, balance - 50);
    await page.locator("[data-quote]").first().click();
    await page.locator(".bench mark").first().waitFor();
    await page.locator(".prose mark").first().waitFor();
    assert.deepStrictEqual(await faultsOf(page), []);
  });

  it("is charged once for the same fields, however often it is clicked and though an answer is lost", async () => {
    const { balance } = await stage.client.account();
    await page.locator(".bench form textarea").last().fill("As it is written.");
    const release = await holdTries();
    await page.route("**/v1/extractions", async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute("**/v1/extractions");
    });
    await page.locator(TRY).click();
    await page.locator(".bench form [role=alert]").waitFor();
    await page.locator(TRY).click();
    await page.locator(READING).waitFor();
    await page.locator(".bench form textarea").last().press("Control+Enter");
    await release();
    assert.strictEqual((await stage.client.account()).balance, balance - 50);
    assert.strictEqual(await page.locator(".tabs button:has-text('Try')").count(), 2);
  });

  it("knows a try that still runs when somebody comes back, and is not charged again", async () => {
    const { balance } = await stage.client.account();
    await page.locator(".bench form textarea").last().fill("In short words.");
    const release = await holdTries();
    await page.locator(TRY).click();
    await page.locator(READING).waitFor();
    await page.reload();
    await page.locator(READING).waitFor();
    await release();
    await page.locator(".bench .values").waitFor();
    assert.strictEqual((await stage.client.account()).balance, balance - 50);
  });

  it("keeps a draft over a reload, and compares a try with the one before", async () => {
    await page.locator(".bench form textarea").last().fill("Metric units.");
    await page.reload();
    await page.locator(TRY).waitFor();
    assert.strictEqual(await page.locator(".bench form textarea").last().inputValue(), "Metric units.");
    await tryIt(1);
    await page.locator(".bench form button", { hasText: "JSON Schema" }).click();
    const text = page.getByRole("textbox", { name: "JSON Schema" });
    await text.fill("");
    await text.pressSequentially('{"desc');
    // A key is no choice for the first 75 ms of the list, lest somebody typing takes what just opened.
    await page.locator(".cm-tooltip-autocomplete >> text=description").click();
    assert.strictEqual(await text.innerText(), '{"description"}');
    await text.fill(`{\n"type": "object",\nproperties\n}`);
    await page.locator(".cm-lint-marker-error").waitFor();
    await page.locator(".fault:has-text('line 3')").waitFor();
    const { servings: _, ...properties } = SCHEMA.properties;
    await text.fill(JSON.stringify({ ...SCHEMA, properties, required: ["dish"] }));
    await tryIt(2);
    await page.getByLabel("Compare with the try before").check();
    const row = page.locator(".comparison tr.differs");
    await row.waitFor();
    assert.match((await row.textContent()) ?? "", /servings.*none/u);
  });

  it("runs the saved version and the draft on the last extractions, cell by cell, then saves it", async () => {
    await page.getByRole("button", { name: "Get the price" }).click();
    await page.getByRole("button", { name: /^Run/u }).click();
    await page.locator("[role='status']:has-text('4 complete')").waitFor();
    await page.reload();
    await page.locator("[role='status']:has-text('4 complete')").waitFor();
    const table = page.locator(".comparison").last();
    await table.waitFor();
    assert.match((await table.textContent()) ?? "", /Version 1These fields/u);
    assert.match((await table.textContent()) ?? "", /Soda bread with spelt/u);
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await page.waitForURL((url) => !url.href.includes(schemaId));
    const saved = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    assert.strictEqual((await stage.client.schemas.get(saved)).version, 2);
    await page.locator("text=servings: is gone").waitFor();
    await page.getByLabel("Version", { exact: true }).selectOption("Version 1 of 2");
    await page.waitForURL((url) => url.pathname.endsWith(schemaId));
    assert.deepStrictEqual(await faultsOf(page), []);
  });
});
