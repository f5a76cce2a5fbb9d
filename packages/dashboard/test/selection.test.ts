// @module-tag long
/** Selecting rows of the list in a browser, and what is done with them: on those it fits, within the rate limits. */
import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import { extractionItem } from "./ExtractionItems.ts";
import { faultsOf } from "./faultsOf.ts";
import { shiftsOf } from "./shiftsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const LISTS = /\/v1\/extractions\?/u;
const MANY = 1_200;

const item = (number: number, more: object = {}) =>
  extractionItem(number, { status: "complete", completedAt: "2026-11-22T03:00:09.000Z", ...more });

const failed = {
  status: "failed",
  error: "The source did not answer.",
  failureReason: "timeout",
  creditsRefunded: 50
};
const gone = { ...failed, error: "It was removed.", failureReason: "removed" };

const error = (code: string, message: string) => ({ error: { code, message } });

describe.skipIf(findChromium() === null)("the selection of a list", () => {
  let app: App;
  let stage: Stage;
  let page: Page;

  const list = async (rows: ReadonlyArray<object>): Promise<void> => {
    await page.route(LISTS, (route) => {
      const query = new URL(route.request().url()).searchParams;
      const from = Number(query.get("cursor") ?? 0);
      const next = from + Number(query.get("limit"));
      const hasMore = next < rows.length;
      return route.fulfill({
        json: {
          data: rows.slice(from, next),
          has_more: hasMore,
          next_cursor: hasMore ? String(next) : null
        }
      });
    });
    await page.goto(stage.app);
    await page.waitForSelector("[data-run]");
  };
  const selected = () =>
    page
      .locator("[data-run]:has(input:checked)")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-run")));
  const bar = () => page.locator(".selection-bar");
  const tick = (id: string, modifiers: ReadonlyArray<"Shift"> = []) =>
    page.click(`[data-run=${id}] .select`, { modifiers: [...modifiers] });

  beforeAll(async () => {
    app = await openApp();
    ({ stage, page } = app);
    await app.signIn();
  });
  beforeEach(() => page.setViewportSize({ width: 1_280, height: 800 }));
  afterEach(() => page.unrouteAll({ behavior: "wait" }));
  afterAll(() => app[Symbol.asyncDispose]());

  it("has rows whose box, actions, status, cost and time are apart at 320 pixels", async () => {
    await page.setViewportSize({ width: 320, height: 800 });
    await list([item(0, { creditsDebited: 123_456 }), item(1, failed)]);
    const overlapping = await page.locator("[data-run]").evaluateAll((rows) =>
      rows.flatMap((row) => {
        const parts = [...row.querySelectorAll(".status, .run-cost, .run-time, .row-actions > *, input")];
        const boxes = parts.map((part) => ({ part: part.className, box: part.getBoundingClientRect() }));
        return boxes.flatMap(({ part, box: one }, at) =>
          boxes
            .slice(at + 1)
            .filter(({ box }) => one.left < box.right && box.left < one.right)
            .filter(({ box }) => one.top < box.bottom && box.top < one.bottom)
            .map((other) => `${part} and ${other.part}`)
        );
      })
    );
    assert.deepStrictEqual(overlapping, []);
  });

  it("moves nothing at 390 pixels when its counts arrive after its rows", async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.route(/\/v1\/account$/u, (route) => asked.then(() => route.continue()));
    await list(Array.from({ length: 30 }, (_, index) => item(index)));
    const shifts = await shiftsOf(page);
    answer();
    await page.waitForSelector(".balance strong");
    await page.waitForSelector(".count:has-text('Running 0')");
    assert.deepStrictEqual(await shifts.jsonValue(), []);
  });

  it.each([390, 1_024])("has the actions of a row once it is chosen at %s pixels", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await list([item(0), item(1)]);
    const actions = page.locator("[data-run=ext_0] .row-actions");
    const height = async () => (await page.locator("[data-run=ext_0]").boundingBox())?.height ?? 0;
    const before = await height();
    assert.isBelow(before, 90, "a name, an origin, and one line of all else");
    assert.isFalse(await actions.isVisible());
    await tick("ext_0");
    await actions.getByRole("button", { name: "Preview" }).waitFor();
    assert.strictEqual(await height(), before);
    await tick("ext_0");
    await page.focus("[data-run=ext_1] .row-link");
    await page.keyboard.press("Tab");
    assert.strictEqual(
      await page.evaluate(() => document.activeElement?.textContent),
      "Preview Extraction number 1"
    );
  });

  it("selects rows one by one and in ranges, with the mouse and with keys, and moves nothing", async () => {
    await list(Array.from({ length: 9 }, (_, index) => item(index)));
    const tops = () =>
      page
        .locator("[data-run] .row-link")
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().toJSON() as DOMRect));
    const before = await tops();
    await tick("ext_1");
    await tick("ext_3", ["Shift"]);
    assert.deepStrictEqual(await selected(), ["ext_1", "ext_2", "ext_3"]);
    await bar().waitFor();
    assert.deepStrictEqual(await tops(), before);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.keyboard.press("x");
    assert.deepStrictEqual(await selected(), ["ext_1", "ext_2"]);
    await page.keyboard.press("Escape");
    assert.deepStrictEqual(await selected(), []);
    await page.focus("[data-run=ext_4] .row-link");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("X");
    assert.deepStrictEqual(await selected(), ["ext_4", "ext_5", "ext_6"]);
    await page.keyboard.press(".");
    await page.keyboard.press("Enter");
    await page.click("text=9 selected");
  });

  it("acts only on those that an action fits, and asks before", async () => {
    await list([item(1, { status: "running" }), item(2, failed), item(3, gone), item(4)]);
    await page.route(/\/ext_2\/request$/u, (route) =>
      route.fulfill({ json: { url: `${stage.site}/article`, force: true } })
    );
    const cancelled: Array<string> = [];
    await page.route(/\/cancel$/u, (route) => {
      cancelled.push(new URL(route.request().url()).pathname.split("/").at(-2) ?? "");
      return route.fulfill({ json: item(1, failed) });
    });
    for (const number of [1, 2, 3, 4]) await tick(`ext_${number}`);
    await bar().getByRole("button", { name: "Cancel 1" }).waitFor();
    await bar().getByRole("button", { name: "Delete 3" }).waitFor();
    await bar().getByRole("button", { name: "Retry 1" }).click();
    await page.waitForSelector("dialog >> text=1 of 4 can be retried.");
    await page.waitForSelector("dialog >> text=at most 50 credits");
    const submitted = page.waitForRequest((request) => request.method() === "POST");
    await page.click("dialog button:text-is('Retry 1')");
    assert.strictEqual((await submitted).headers()["idempotency-key"], "retry-ext_2");
    await page.waitForSelector(".toast:has-text('1 extraction submitted again')");
    assert.deepStrictEqual(await selected(), ["ext_1", "ext_3", "ext_4"]);

    await bar().getByRole("button", { name: "Cancel 1" }).click();
    await page.click("dialog button:text-is('Back')");
    assert.isEmpty(cancelled);
    await bar().getByRole("button", { name: "Cancel 1" }).click();
    await page.click("dialog button:text-is('Cancel 1')");
    await page.waitForSelector(".toast:has-text('1 extraction cancelled')");
    assert.deepStrictEqual(cancelled, ["ext_1"]);
  });

  it("waits when the server asks to, goes on, and tells what could not be done", async () => {
    const rows = Array.from({ length: 5 }, (_, index) => item(index));
    await list(rows);
    const asked: Array<string> = [];
    const deletion = (route: Route): Promise<void> => {
      const id = route.request().url().split("/").at(-1) ?? "";
      asked.push(id);
      if (asked.length === 2) {
        const headers = { "retry-after": "1" };
        return route.fulfill({ status: 429, headers, json: error("rate_limited", "60 a minute.") });
      }
      if (id === "ext_3") return route.fulfill({ status: 500, json: error("internal", "The disk is full.") });
      rows.splice(
        rows.findIndex((row) => row.id === id),
        1
      );
      return route.fulfill({ status: 204 });
    };
    await page.route(/\/v1\/extractions\/ext_\d$/u, deletion);
    await tick("ext_0");
    await bar().getByRole("button", { name: "Select all 5" }).click();
    await bar().getByRole("button", { name: "Delete 5" }).click();
    await page.click("dialog button:text-is('Delete 5')");
    await page.waitForSelector("text=Rate limit: goes on in 1 s");
    await page.waitForSelector("text=1 could not be deleted:");
    await bar().getByText("Extraction number 3: The disk is full.").waitFor();
    assert.deepStrictEqual(asked, ["ext_0", "ext_1", "ext_1", "ext_2", "ext_3", "ext_4"]);
    assert.deepStrictEqual(await selected(), ["ext_3"]);
    assert.strictEqual(await page.locator("[data-run]").count(), 1);
    await page.waitForSelector(".toast:has-text('4 extractions deleted')");
  });

  it("selects all that match the filters, also those that are not shown, up to a thousand", async () => {
    await list(Array.from({ length: MANY }, (_, index) => item(index)));
    await tick("ext_0");
    await bar().getByText("Select all that match").click();
    await bar().getByText("1,000 selected").waitFor();
    await page.waitForSelector(".toast:has-text('newest 1,000 that match')");
    await page.selectOption("select >> nth=2", "video");
    await bar().waitFor({ state: "detached" });
    assert.isEmpty(await selected());
  });
});
