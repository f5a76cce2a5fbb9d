// @module-tag long
/** Lists in a browser: they change while they are shown, may be long, and a row that is removed can be put back. */
import type { Page, Route } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "vitest";
import { openApp, type App } from "./App.ts";
import type { Driven } from "./Driven.ts";
import { extractionItem, LIST_EVERY_MS } from "./ExtractionItems.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const EXTRACTIONS = 1_000;
const PAGE_SIZE = 50;
const LISTS = /\/v1\/extractions\?/u;

/** Enough for the page to draw a change, and little of the time to undo. */
const DRAW_MS = 100;
const UNDO_MS = 5_000;

const listPage = async (route: Route): Promise<void> => {
  const from = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0);
  const data = Array.from({ length: PAGE_SIZE }, (_, index) => extractionItem(from + index));
  const next = from + PAGE_SIZE;
  const hasMore = next < EXTRACTIONS;
  await route.fulfill({ json: { data, has_more: hasMore, next_cursor: hasMore ? String(next) : null } });
};

describe.skipIf(findChromium() === null)("a list of the web app", () => {
  let app: App;
  let stage: Stage;
  let driven: Driven;
  let page: Page;
  let talkId = "";

  beforeAll(async () => {
    app = await openApp();
    ({ stage, driven, page } = app);
    const { id } = await stage.client.submit({ url: `${stage.site}/talk` });
    await stage.client.extractions.wait(id);
    talkId = id;
    await page.clock.install();
    await app.signIn("[data-run]");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("shows what changed in a list while it is visible, also on further pages", async () => {
    let rows = Array.from({ length: 2 * PAGE_SIZE }, (_, index) => extractionItem(index));
    const answer = async (route: Route): Promise<void> => {
      const cursor = new URL(route.request().url()).searchParams.get("cursor");
      const from = cursor === null ? 0 : rows.findIndex(({ id }) => id === cursor) + 1;
      const data = rows.slice(from, from + PAGE_SIZE);
      const hasMore = from + PAGE_SIZE < rows.length;
      await route.fulfill({
        json: { data, has_more: hasMore, next_cursor: hasMore ? data.at(-1)?.id : null }
      });
    };
    await page.route(LISTS, answer);
    await page.goto(stage.app);
    await page.waitForSelector("[data-run=ext_49]");
    await page.focus("text=Show more");
    await page.waitForSelector("[data-run=ext_99]");
    rows = [
      extractionItem(1_000),
      ...rows
        .filter(({ id }) => id !== "ext_7" && id !== "ext_77")
        .map((row) => (row.id === "ext_88" ? { ...row, status: "complete" } : row))
    ];
    await page.clock.fastForward(LIST_EVERY_MS);
    await page.waitForSelector("[data-run=ext_1000]");
    await page.waitForSelector("[data-run=ext_88] .status.done");
    const shown = await page
      .locator("[data-run]")
      .evaluateAll((each) => each.map((row) => row.getAttribute("data-run")));
    assert.deepStrictEqual(
      shown,
      rows.map(({ id }) => id)
    );
    await page.unroute(LISTS);
  });

  it("says since when it is not updated, and that it tries again", async () => {
    await page.goto(stage.app);
    await page.waitForSelector("[data-run]");
    const rows = await page.locator("[data-run]").count();
    await page.route(LISTS, (route) => route.abort());
    await page.clock.fastForward(LIST_EVERY_MS);
    await page.waitForSelector(".stale >> text=/^Not updated since \\d+:\\d\\d.*, trying again$/");
    assert.strictEqual(await page.locator("[data-run]").count(), rows);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.unroute(LISTS);
    await page.clock.fastForward(LIST_EVERY_MS);
    await page.waitForSelector(".stale", { state: "detached" });
  });

  it("keeps its filters within the head, and whole lines of text, with a mouse and with a finger", async () => {
    const pointer = await page.context().newCDPSession(page);
    onTestFinished(() => void pointer.detach());
    for (const enabled of [true, false]) {
      await pointer.send("Emulation.setTouchEmulationEnabled", { enabled });
      await page.goto(stage.app);
      await page.waitForSelector("[data-run]");
      assert.strictEqual(await page.evaluate(() => matchMedia("(pointer: coarse)").matches), enabled);
      const { bottom, controls, cut } = await page.evaluate(() => ({
        bottom: document.querySelector("header.top")?.getBoundingClientRect().bottom ?? 0,
        controls: [...document.querySelectorAll(".list-filters :is(input, select, button)")].map((each) => {
          const { top, bottom: end, height } = each.getBoundingClientRect();
          return { top, end, height };
        }),
        cut: [...document.querySelectorAll(".run-name > *")].filter(
          (line) => line.scrollHeight > line.clientHeight
        ).length
      }));
      assert.isAbove(controls.length, 3);
      for (const { top, end, height } of controls) {
        assert.isAtLeast(top, 0);
        assert.isBelow(end, bottom);
        assert.isAtLeast(height, enabled ? 44 : 36);
      }
      assert.strictEqual(cut, 0);
    }
  });

  it("keeps rows of one height and their actions in place when a run ends, and retries a failed one inline", async () => {
    const long = "A title that is far too long for its line ".repeat(10).trim();
    const error = "The source did not answer in time.";
    let first = { ...extractionItem(1), status: "running", title: long };
    const failed = { status: "failed", title: null, creditsRefunded: 50 };
    const late = extractionItem(2, { ...failed, error, failureReason: "timeout" });
    const gone = extractionItem(3, { ...failed, error: "It was removed.", failureReason: "removed" });
    await page.route(LISTS, (route) =>
      route.fulfill({
        json: { data: [first, late, gone, extractionItem(4)], has_more: false, next_cursor: null }
      })
    );
    const body = { url: `${stage.site}/article`, force: true };
    await page.route(/\/ext_2\/request$/u, (route) => route.fulfill({ json: body }));
    const boxes = () =>
      page.locator("[data-run]").evaluateAll((rows) =>
        rows.map((row) => {
          const { x, width } = row.querySelector(".row-actions")?.getBoundingClientRect() ?? new DOMRect();
          return { height: row.getBoundingClientRect().height, x, width };
        })
      );

    await page.goto(stage.app);
    await page.waitForSelector("[data-run=ext_1] .status.working");
    const before = await boxes();
    for (const { height, x } of before) {
      assert.isAtLeast(height, 48);
      assert.isAtMost(height, 56);
      assert.strictEqual(x, before[0]?.x);
    }
    assert.strictEqual(await page.getAttribute("[data-run=ext_1] .row-link", "title"), long);
    assert.strictEqual(await page.textContent("[data-run=ext_2] .run-name p"), error);
    first = { ...first, status: "complete" };
    await page.clock.fastForward(LIST_EVERY_MS);
    await page.waitForSelector("[data-run=ext_1] .status.done");
    assert.deepStrictEqual(await boxes(), before);

    const submitted = page.waitForRequest((request) => request.method() === "POST");
    await page.click("button.retry");
    assert.deepStrictEqual((await submitted).postDataJSON(), { ...body, maxCredits: 50 });
    assert.include((await (await page.waitForSelector(".toast")).textContent()) ?? "", "Submitted again");
    assert.strictEqual(await page.locator("button.retry").count(), 1);
    await page.unroute(LISTS);
  });

  it("has fifteen whole rows in a window of 1280 by 800, and a preview beside them, along which keys go", async () => {
    await page.route(LISTS, listPage);
    await page.route(/\/v1\/extractions\/ext_\d+$/u, (route) =>
      route.fulfill({ json: extractionItem(Number(/\d+$/u.exec(route.request().url())?.[0])) })
    );
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.goto(stage.app);
    await page.waitForSelector("[data-run]");
    await page.evaluate(() => document.fonts.ready);
    const tops = () =>
      page.locator("[data-run]").evaluateAll((rows) =>
        rows
          .map((row) => row.getBoundingClientRect())
          .filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight)
          .map(({ top }) => top)
      );
    const before = await tops();
    assert.lengthOf(before, 15);
    await page.keyboard.press("j");
    await page.keyboard.press(" ");
    await page.waitForSelector(".peek h2:has-text('Extraction number 0')");
    assert.deepStrictEqual(await tops(), before);
    const rows = await page.locator(".rows").boundingBox();
    const preview = await page.locator(".peek").boundingBox();
    assert.isAbove(preview?.x ?? 0, (rows?.x ?? 0) + (rows?.width ?? 0));
    await page.keyboard.press("j");
    await page.waitForSelector(".peek h2:has-text('Extraction number 1')");
    await page.keyboard.press(" ");
    await page.waitForSelector(".peek", { state: "detached" });
    await page.unroute(LISTS);
    await page.unroute(/\/v1\/extractions\/ext_\d+$/u);
    await page.setViewportSize({ width: 1_280, height: 860 });
  });

  it("shows what runs first, also when it is older than the rows that are loaded, and lists what it counts", async () => {
    const done = (number: number) => ({ ...extractionItem(number), status: "complete" });
    const rows = Array.from({ length: PAGE_SIZE }, (_, index) => done(index));
    rows[7] = extractionItem(7);
    rows[9] = { ...extractionItem(9), status: "running" };
    const starting = { ...extractionItem(98), status: "pending" };
    const old = { ...extractionItem(99), status: "running" };
    await page.route(/\/v1\/account$/u, async (route) => {
      const response = await route.fetch();
      const account = (await response.json()) as object;
      return route.fulfill({ response, json: { ...account, runningExtractions: 3, queuedExtractions: 1 } });
    });
    await page.route(LISTS, (route) => {
      const status = new URL(route.request().url()).searchParams.get("status");
      const active = [rows[9], starting, old].filter((row) => row?.status === status);
      const data = status === null ? rows : active;
      return route.fulfill({ json: { data, has_more: false, next_cursor: null } });
    });
    const shown = () =>
      page.locator("[data-run]").evaluateAll((all) => all.map((row) => row.getAttribute("data-run")));
    await page.goto(stage.app);
    await page.waitForSelector("[data-run=ext_99]");
    assert.deepStrictEqual((await shown()).slice(0, 6), [
      "ext_9",
      "ext_98",
      "ext_99",
      "ext_7",
      "ext_0",
      "ext_1"
    ]);
    await page.click(".count:has-text('Running 3')");
    await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 3);
    assert.deepStrictEqual(await shown(), ["ext_98", "ext_9", "ext_99"]);
    await page.unroute(LISTS);
    await page.unroute(/\/v1\/account$/u);
  });

  it("filters by schema, key and day in the URL, with a chip for each, which removes it", async () => {
    const asked: Array<URLSearchParams> = [];
    await page.route(LISTS, (route) => {
      const query = new URL(route.request().url()).searchParams;
      if (query.get("status") === null) asked.push(query);
      return route.fulfill({ json: { data: [extractionItem(1)], has_more: false, next_cursor: null } });
    });
    await page.goto(`${stage.app}?since=2026-11-24&until=2026-11-24`);
    await page.waitForSelector("[data-run]");
    const first = asked.find((query) => query.has("since"));
    const day = Date.parse(first?.get("until") ?? "") - Date.parse(first?.get("since") ?? "");
    assert.strictEqual(day, 24 * 3_600_000);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.isFalse(await page.isVisible("select >> nth=0"));
    assert.isTrue(await page.isVisible("[data-run] .thumb"));
    await page.click(".filters-button");
    assert.deepStrictEqual(await faultsOf(page), []);
    const key = await page.waitForSelector("label:has-text('API key') option >> nth=1", {
      state: "attached"
    });
    const apiKeyId = await key.getAttribute("value");
    await page.selectOption("label:has-text('API key') select", apiKeyId);
    const schema = await page.waitForSelector("label:has-text('Schema') option >> nth=1", {
      state: "attached"
    });
    const schemaId = await schema.getAttribute("value");
    await page.selectOption("label:has-text('Schema') select", schemaId);
    await page.waitForSelector(".chips li >> nth=3");
    await page.click(".chips button:has-text('From')");
    await page.waitForFunction(() => document.querySelectorAll(".chips li").length === 3);
    const inUrl = new URL(page.url()).searchParams;
    assert.deepStrictEqual(Object.fromEntries(inUrl), {
      apiKeyId,
      schemaId,
      until: "2026-11-24"
    } as Record<string, string>);
    while (asked.at(-1)?.has("since") ?? true) await page.waitForRequest(LISTS);
    assert.strictEqual(asked.at(-1)?.get("apiKeyId"), apiKeyId);
    assert.strictEqual(asked.at(-1)?.get("schemaId"), schemaId);
    await page.unroute(LISTS);
    const response = page.waitForResponse(LISTS);
    await page.reload();
    assert.strictEqual((await response).status(), 200);
    await page.setViewportSize({ width: 1_280, height: 860 });
  });

  it("counts what failed today, and lists it at a click", async () => {
    const { id } = await stage.client.submit({ url: `${stage.site}/nowhere` });
    await stage.client.extractions.wait(id);
    await page.goto(stage.app);
    await page.click(".count:has-text('Failed today 1')");
    await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 1);
    assert.strictEqual(await page.getAttribute("[data-run]", "data-run"), id);
    assert.match(page.url(), /status=failed&since=\d{4}-\d{2}-\d{2}$/u);
    await page.waitForSelector(".count:has-text('Running 0')");
  });

  it("asks for ten pages again every 25 seconds, within the rate limit", async () => {
    const context = await driven.context({ cookies: await page.context().cookies() });
    const tab = await driven.page(context);
    let elapsedMs = 0;
    const asked: Array<{ readonly cursor: string | null; readonly atMs: number }> = [];
    await tab.route(LISTS, (route) => {
      const { searchParams } = new URL(route.request().url());
      // The counts above the list ask by status, each in its own rhythm.
      if (!searchParams.has("status")) asked.push({ cursor: searchParams.get("cursor"), atMs: elapsedMs });
      return listPage(route);
    });
    const draw = async (): Promise<void> => {
      elapsedMs += DRAW_MS;
      await tab.clock.runFor(DRAW_MS);
    };
    await tab.clock.install();
    await tab.goto(stage.app);
    await tab.waitForSelector("[data-run]");
    await tab.clock.pauseAt(Date.now() + 60_000);
    for (let shown = PAGE_SIZE; shown < 10 * PAGE_SIZE; shown += PAGE_SIZE) {
      await tab.evaluate(() => scrollTo(0, document.body.scrollHeight));
      while ((await tab.locator(`[data-run=ext_${shown}]`).count()) === 0) await draw();
    }
    // A slow machine may be within a round by now: what is between the beginnings of the next two counts, but for a page
    // that is loaded only then, for whoever scrolls.
    const loaded = new Set(asked.map(({ cursor }) => cursor));
    asked.length = 0;
    const begins = () => asked.flatMap(({ cursor }, index) => (cursor === null ? [index] : []));
    while (begins().length < 2) await draw();
    const [first = 0, second = 0] = begins();
    const round = asked.slice(first, second).filter(({ cursor }) => loaded.has(cursor));
    assert.isAtLeast(round.length, 10);
    const REQUESTS_PER_MINUTE = 24;
    const atLeastMs = (round.length / REQUESTS_PER_MINUTE) * 60_000 - 10 * DRAW_MS;
    assert.isAtLeast((asked[second]?.atMs ?? 0) - (asked[first]?.atMs ?? 0), atLeastMs);
    await context.close();
  });

  it("handles a thousand extractions, also with keys", async () => {
    await page.route(LISTS, listPage);
    await page.goto(stage.app);
    await page.waitForSelector("[data-run]");
    for (let shown = PAGE_SIZE; shown < EXTRACTIONS; shown += PAGE_SIZE) {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.waitForFunction(
        (count) => document.querySelectorAll("[data-run]").length >= count,
        shown + PAGE_SIZE
      );
    }
    assert.strictEqual(await page.locator("[data-run]").count(), EXTRACTIONS);
    assert.strictEqual(await page.locator("text=Show more").count(), 0);
    await page.keyboard.press("j");
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    assert.strictEqual(focused, "Extraction number 0");
    const ring = await page.$eval(".run-row:has(:focus)", (row) => getComputedStyle(row).outlineStyle);
    assert.strictEqual(ring, "solid", "around the row, whose second line it would cross otherwise");
    await page.unroute(LISTS);
  });

  it("puts a deleted extraction back by button and key, and deletes it when the time to undo is over", async () => {
    const unhurried = await driven.context({ cookies: await page.context().cookies() });
    const tab = await driven.page(unhurried);
    const deletions: Array<string> = [];
    await tab.route(`**/v1/extractions/${talkId}`, (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      deletions.push(route.request().url());
      return route.fulfill({ status: 404, json: { error: { code: "not_found", message: "gone" } } });
    });
    // A busy machine may take longer than the five seconds to undo, so the page's clock stands still.
    await tab.clock.install();
    await tab.goto(`${stage.app}?kind=video`);
    await tab.waitForSelector("[data-run]");
    await tab.clock.pauseAt(Date.now() + 60_000);
    const remove = async (): Promise<void> => {
      await tab.click("[data-run] .row-actions button >> nth=-1");
      await tab.clock.runFor(DRAW_MS);
      await tab.waitForSelector("[data-run]", { state: "detached" });
    };
    const isBack = async (): Promise<void> => {
      while ((await tab.locator("[data-run]").count()) === 0) await tab.clock.runFor(DRAW_MS);
    };

    await remove();
    await tab.hover(".toast");
    const listed = tab.waitForResponse(LISTS);
    await tab.clock.runFor(UNDO_MS);
    await (await listed).finished();
    await tab.clock.runFor(DRAW_MS);
    assert.strictEqual(await tab.locator("[data-run]").count(), 0);
    await tab.click("text=Undo");
    await isBack();
    await remove();
    await tab.keyboard.press("z");
    await isBack();
    await tab.clock.runFor(UNDO_MS);
    assert.isEmpty(deletions);

    await remove();
    const refused = tab.waitForResponse((response) => response.request().method() === "DELETE");
    await tab.clock.runFor(UNDO_MS);
    await (await refused).finished();
    await isBack();
    assert.lengthOf(deletions, 1);
    await unhurried.close();
  });
});
