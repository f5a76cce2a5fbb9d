// @module-tag long
/** What people do all day: back to the list, a new extraction, a narrow window; see also manyTabs.test.ts. */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import type { Driven } from "./Driven.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const RUNS = 50;
const TYPED_EVERY_MS = 120;
/** Longer than the pause in typing after which a price is asked for. */
const PAUSE_MS = 700;
const NARROW = { width: 1_100, height: 700 };
const NARROW_WIDTH = 320;
const WIDE = { width: 1_280, height: 860 };

const TALK = {
  type: "object",
  properties: { speaker: { type: "string" }, topic: { type: "string" }, price: { type: "integer" } },
  required: ["speaker", "topic", "price"]
};

const RECIPE = {
  type: "object",
  properties: {
    flour: { type: "string" },
    baked: { type: "string" },
    duration: { type: "number" },
    kind: { type: "string" }
  },
  required: ["flour", "baked", "duration", "kind"]
};

describe.skipIf(findChromium() === null)("the web app in everyday use", () => {
  let app: App;
  let stage: Stage;
  let driven: Driven;
  let context: BrowserContext;
  let page: Page;
  let talkId = "";

  const open = async (screen: string): Promise<void> => {
    await page.goto(stage.app + screen);
    await page.waitForSelector("h1");
  };

  beforeAll(async () => {
    app = await openApp();
    ({ stage, driven, context, page } = app);
    const { id } = await stage.client.submit({
      url: `${stage.talks.url}/long-talk`,
      schema: TALK,
      inputs: ["transcript", "video"]
    });
    await stage.client.extractions.wait(id);
    talkId = id;
    await app.signIn("[data-run]");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("opens an extraction, a schema or a screen by a part of its name, from anywhere", async () => {
    await page.goto(`${stage.app}new`);
    await page.focus("#address");
    const { title } = await stage.client.extractions.get(talkId);
    const found = page.locator("[role=option]");
    for (const [text, screen] of [
      [title ?? "", `runs/${talkId}`],
      ["recip", "schemas/winnow.predefined.recipe.v1"],
      ["webh", "developers/webhooks"],
      ["new extr", "new"]
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.waitForSelector("dialog [role=combobox]");
      await page.keyboard.type(text);
      await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
      assert.strictEqual(await found.getAttribute("aria-selected"), "true");
      if (screen.startsWith("runs")) assert.deepStrictEqual(await faultsOf(page), []);
      await page.keyboard.press("Enter");
      await page.waitForURL(stage.app + screen);
    }
  });

  it("opens what is found with Caps Lock too, keeps the selected one, and says where nothing is found", async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/v1\/extractions\?.*q=/u, async (route) => {
      await held;
      const url = new URL(route.request().url());
      url.searchParams.delete("q");
      await route.continue({ url: url.href });
    });
    const selected = page.locator("[role=option][aria-selected=true]");
    await page.evaluate(() =>
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "K", ctrlKey: true, bubbles: true }))
    );
    const box = page.locator("dialog [role=combobox]");
    await box.fill("Developers");
    await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 3);
    assert.deepStrictEqual(await page.locator("[role=option] .grow").allTextContents(), [
      "API keys",
      "Webhooks",
      "MCP"
    ]);
    await box.press("ArrowDown");
    await box.dispatchEvent("keydown", { key: "ArrowDown", isComposing: true });
    assert.include(await selected.textContent(), "Webhooks");
    // Another text than the test before asked for, whose answer is still fresh.
    await box.fill("recipe");
    await selected.filter({ hasText: "recipe" }).waitFor();
    answer();
    await page.locator("[role=option]").first().filter({ hasText: "Extraction" }).waitFor();
    assert.include(await selected.textContent(), "recipe");
    await page.unrouteAll();
    await box.fill("nothing is named so");
    await page.waitForSelector("dialog >> text=Nothing has this in its name or URL.");
    assert.isNull(await box.getAttribute("aria-activedescendant"));
    assert.deepStrictEqual(await faultsOf(page), []);
    await box.press("Escape");
  });

  it("asks for a name once it is typed, again if it asked too often, and says what goes wrong", async () => {
    const asked: Array<string | null> = [];
    await page.route(/\/v1\/extractions\?.*q=/u, (route) => {
      asked.push(new URL(route.request().url()).searchParams.get("q"));
      if (asked.length > 1) return route.continue();
      const json = { error: { code: "rate_limited", message: "60 requests a minute are allowed here." } };
      return route.fulfill({ status: 429, headers: { "retry-after": "1" }, json });
    });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Open" }).evaluate(async (box: HTMLInputElement) => {
      for (const text of ["long", "long-t", "long-talk"]) {
        box.value = text;
        box.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
    });
    await page.waitForFunction(() => document.querySelector("[role=option]") !== null);
    assert.deepStrictEqual(asked, ["long-talk", "long-talk"]);
    await page.route(/\/v1\/extractions\?.*q=away/u, (route) => route.fulfill({ status: 500 }));
    await page.fill("dialog [role=combobox]", "away");
    await page.waitForSelector("dialog [role=alert]");
    await page.unrouteAll();
    await page.keyboard.press("Escape");
  });

  it("returns from a run to its row, with the focus, and to the rows that were loaded", async () => {
    const list = Array.from({ length: RUNS * 2 }, (_, index) => ({
      id: `ext_${String(RUNS * 2 - index).padStart(4, "0")}`,
      url: `https://example.com/${index}`,
      status: "complete",
      createdAt: "2026-11-22T03:00:00.000Z",
      completedAt: "2026-11-22T03:00:09.000Z",
      creditsDebited: 50,
      creditsRefunded: 0,
      cached: false,
      outcome: null,
      title: `Extraction number ${index} ${"with a long title ".repeat(index % 7)}`,
      kind: "video",
      durationSec: 60,
      thumbnail: null,
      madeBy: "api",
      apiKeyName: null
    }));
    await page.route(/\/v1\/extractions\?/u, (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0);
      const hasMore = from + RUNS < list.length;
      return route.fulfill({
        json: {
          data: list.slice(from, from + RUNS),
          has_more: hasMore,
          next_cursor: hasMore ? String(from + RUNS) : null
        }
      });
    });
    for (const width of [WIDE.width, NARROW_WIDTH]) {
      await page.setViewportSize({ width, height: WIDE.height });
      await open("");
      await page.waitForSelector("[data-run]");
      await page.focus("text=Show more");
      await page.waitForSelector(`[data-run="${list.at(-1)?.id}"]`);
      const row = page.locator(`[data-run="${list[RUNS + 30]?.id}"]`);
      await row.scrollIntoViewIfNeeded();
      const link = row.locator("a.row-link");
      const clickedAt = page.evaluate(
        () =>
          new Promise<number>((resolve) =>
            addEventListener(
              "click",
              ({ target }) => resolve((target as Element).getBoundingClientRect().top),
              { capture: true, once: true }
            )
          )
      );
      await link.click();
      const before = await clickedAt;
      await page.waitForSelector(".problem");
      assert.strictEqual(await page.evaluate(() => scrollY), 0);
      await page.evaluate(() => {
        // On a busy machine, the event of the last screen's scrolling comes when the URL is this one's already.
        addEventListener("popstate", () => dispatchEvent(new Event("scroll")), { once: true });
        history.back();
      });
      await page.waitForSelector("[data-run]");
      await page.waitForFunction(
        (id) => document.activeElement?.closest("[data-run]")?.getAttribute("data-run") === id,
        list[RUNS + 30]?.id
      );
      await link.evaluate((element, top) => {
        const isBack = (): boolean => Math.abs(element.getBoundingClientRect().top - top) <= 2;
        return new Promise<void>((resolve) => {
          const look = (): void => (isBack() ? resolve() : void requestAnimationFrame(look));
          look();
        });
      }, before);
    }
    await page.setViewportSize(WIDE);
    await page.unroute(/\/v1\/extractions\?/u);
  });

  it("cannot buy or save fields without a name", async () => {
    await open("new");
    await page.fill("#address", `${stage.site}/recipe`);
    await page.waitForSelector(".price-line");
    await page.check("text=With my own fields");
    await page.waitForSelector("text=Name at least one field to see the price");
    const button = page.locator("button.main[type=submit]");
    assert.isTrue(await button.isDisabled());
    assert.strictEqual(await button.textContent(), "Extract");
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.click("button:text-is('JSON Schema')");
    await page.waitForSelector("text=This schema names no value");
    await page.click("button:text-is('Fields')");
    await page.fill(".field-row input >> nth=0", "dish");
    await page.click("text=Add a field");
    await page.fill(".field-row >> nth=1 >> input >> nth=0", "dish");
    await page.waitForFunction(() => document.querySelector("form:invalid") !== null);
    await page.fill(".field-row >> nth=1 >> input >> nth=0", "");
    await page.waitForFunction(() => document.querySelector("form:invalid") === null);

    await open("schemas/new");
    await page.fill("form input >> nth=0", "of nothing");
    await page.waitForSelector("text=Name at least one field.");
    assert.isTrue(await page.isDisabled("button[type=submit]"));
    await page.fill(".field-row input >> nth=0", "dish");
    await page.waitForFunction(
      () => !document.querySelector<HTMLButtonElement>("button[type=submit]")?.disabled
    );
    await page.fill(".field-row input >> nth=0", " ");
    await page.waitForFunction(
      () => document.querySelector<HTMLButtonElement>("button[type=submit]")?.disabled
    );
  });

  it("asks for one quote per address and mode while fields are typed, and keeps showing the price", async () => {
    const tab = await driven.page(context);
    const asked: Array<string> = [];
    tab.on("request", (request) => {
      if (request.url().endsWith("/v1/probe")) asked.push(request.postData() ?? "");
    });
    await tab.clock.install();
    await tab.goto(`${stage.app}new`);
    await tab.fill("#address", `${stage.talks.url}/long-talk`);
    await tab.waitForSelector(".price-line");
    await tab.check("text=With my own fields");
    await tab.waitForSelector(".old .price-line");
    for (const [index, name] of ["speaker", "topic", "price", "place"].entries()) {
      if (index > 0) await tab.click("text=Add a field");
      await tab.focus(`.field-row >> nth=${index} >> input >> nth=0`);
      for (const letter of name) {
        await tab.keyboard.type(letter);
        await tab.clock.runFor(TYPED_EVERY_MS);
      }
      await tab.clock.runFor(PAUSE_MS);
      assert.strictEqual(await tab.locator(".price-line").count(), 1);
    }
    await tab.waitForSelector("button.main:has-text('Extract for')");
    assert.lengthOf(asked, 2, asked.join("\n"));
    await tab.close();
  });

  it("waits for a rate limit without an alarm, and goes on by itself", async () => {
    let refusals = 0;
    await page.route(/\/v1\/(?:extractions\?|account$)/u, (route) => {
      refusals += 1;
      if (refusals > 2) return route.continue();
      return route.fulfill({
        status: 429,
        headers: { "retry-after": "2" },
        json: { error: { code: "rate_limited", message: "60 requests a minute are allowed here." } }
      });
    });
    await open("");
    await page.waitForSelector("[data-run]");
    assert.strictEqual(await page.locator("[role=alert]").count(), 0);
    await page.unroute(/\/v1\/(?:extractions\?|account$)/u);
  });

  it("shows a list of words as bullets, of things as a table, and a quote that equals its value as a time", async () => {
    const evidence = {
      "/tags/0": [{ source: "transcript", quote: "wind", startSec: 65, endSec: 70 }],
      "/parts/1/name": [{ source: "transcript", quote: "so much chaff", startSec: 245, endSec: 250 }]
    };
    const extraction = { tags: ["wind", "grain"], parts: [{ name: "grain" }, { name: "chaff", kilos: 3 }] };
    const address = new RegExp(`${talkId}/result`, "u");
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const result = (await response.json()) as object;
      await route.fulfill({ response, json: { ...result, outcome: "ok", extraction, evidence } });
    });
    await open(`runs/${talkId}`);
    const values = page.locator("[aria-label=Values]");
    await values.waitFor();
    assert.strictEqual(await values.locator("li").count(), 2);
    assert.deepStrictEqual(await values.locator("th").allTextContents(), ["name", "kilos"]);
    assert.strictEqual(await values.locator("tbody tr").count(), 2);
    assert.deepStrictEqual(await values.locator(".quote:not(.chip)").allInnerTexts(), ["so much chaff 4:05"]);
    assert.include(await values.locator(".quote.chip").innerText(), "1:05");
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.unroute(address);
  });

  const leadsBack = async (): Promise<void> => {
    await page.click("text=Back to the value");
    await page.waitForFunction(() => document.activeElement?.matches("[data-quote][aria-pressed=true]"));
    await page.waitForSelector("text=Back to the value", { state: "detached" });
  };

  it.each([WIDE.width, NARROW.width, NARROW_WIDTH])(
    "shows the values before the text at %s pixels, and a clicked quote with its words and its second in one view",
    async (width) => {
      await page.setViewportSize({ width, height: NARROW.height });
      await open(`runs/${talkId}`);
      await page.waitForSelector("[data-line]");
      const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
      assert.isBelow(await topOf("[aria-label=Values]"), await topOf("[aria-label=Transcript]"));
      // Nobody has played it: it covers nothing.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      assert.isBelow(await topOf("video"), 0);
      await page.evaluate(() => scrollTo(0, 0));
      await page.click("[data-quote] >> nth=1");
      await page.waitForFunction(() => {
        const [video, mark] = ["video", ".lines mark"].map((each) =>
          document.querySelector(each)?.getBoundingClientRect()
        );
        if (video === undefined || mark === undefined) return false;
        return video.top >= 0 && mark.top >= video.bottom && mark.bottom <= innerHeight;
      });
      if (width === WIDE.width) {
        assert.strictEqual(await page.locator("text=Back to the value").count(), 0);
        assert.isAbove(await topOf("[data-quote][aria-pressed=true]"), await topOf("video"));
      } else await leadsBack();
      // The head that sticks to the top would cover buttons.
      await page.evaluate(() => scrollTo(0, 0));
      // In all widths.
      if (width === NARROW_WIDTH) assert.deepStrictEqual(await faultsOf(page), []);
      await page.setViewportSize(WIDE);
    }
  );

  it.each([WIDE.width, NARROW.width, NARROW_WIDTH])(
    "opens the page's own data at the words of a quote from it at %s pixels, and leads back to a value out of sight",
    async (width) => {
      await page.setViewportSize({ width, height: NARROW.height });
      const { id } = await stage.client.submit({ url: `${stage.talks.url}/recipe`, schema: RECIPE });
      await stage.client.extractions.wait(id);
      await open(`runs/${id}`);
      const marks = page.locator("[aria-label='Metadata of the source'] mark");
      const choose = async (quote: string, shown: string): Promise<void> => {
        await page.click(`[data-quote]:has(q:text-is("${quote}"))`);
        await page.waitForFunction(() => {
          const box = document.querySelector("details[open] mark")?.getBoundingClientRect();
          return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
        });
        assert.deepStrictEqual(await marks.allTextContents(), [shown]);
        if (width < WIDE.width) await leadsBack();
      };
      const flour = "500 g of spelt, sieved twice";
      await choose(flour, flour);
      await page.click("summary:has-text('Soda bread')");
      await choose(flour, flour);
      await choose("2026-04-09", "9 Apr 2026");
      await choose("3000", "50:00");
      await choose("Recipe", "Recipe");
      await page.evaluate(() => {
        const quote = document.querySelector("[data-quote][aria-pressed=true]")?.getBoundingClientRect();
        const head = document.querySelector(".top")?.getBoundingClientRect();
        scrollBy(0, (quote?.bottom ?? 0) - (head?.bottom ?? 0) / 2);
      });
      if (width < WIDE.width) await page.waitForSelector("text=Back to the value");
      await page.evaluate(() => scrollTo(0, 0));
      // In all widths.
      if (width === NARROW_WIDTH) assert.deepStrictEqual(await faultsOf(page), []);
      await page.setViewportSize(WIDE);
    }
  );
});
