// @module-tag long
/** The price beside the form of a new extraction, and what was used. */
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import { faultsOf } from "./faultsOf.ts";
import { shiftsOf } from "./shiftsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const WIDE = { width: 1_280, height: 860 };
const SMALL_WIDTH = 320;

/** The account's balance is asked for every few seconds: what pages see of it. */
const withBalance = (page: Page, balance: number): Promise<void> =>
  page
    .route(/\/v1\/account$/u, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), balance } });
    })
    .then(() => undefined);

const numberIn = (text: string | null): number => Number((text ?? "").replaceAll(/\D/gu, ""));

describe.skipIf(findChromium() === null)("the price of a new extraction", () => {
  let app: App;
  let stage: Stage;
  let page: Page;

  beforeAll(async () => {
    app = await openApp();
    ({ stage, page } = app);
    await app.signIn();
  });
  afterAll(() => app[Symbol.asyncDispose]());

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
    const lineHeights = await page
      .locator(".receipt > div")
      .evaluateAll((lines) =>
        lines.map((line) => line.clientHeight / parseFloat(getComputedStyle(line).lineHeight))
      );
    assert.isBelow(Math.max(...lineHeights), 2, "a name and its amount share a line");
    const numbers = rows.map((row) => Number(row.replaceAll(/\D/gu, "")));
    const total = numbers.pop() ?? 0;
    assert.strictEqual(
      numbers.reduce((sum, each) => sum + each, 0),
      total
    );
    const button = (await page.textContent(".price-panel button")) ?? "";
    assert.strictEqual(Number(button.replaceAll(/\D/gu, "")), total);
  });

  it("counts the seconds of a stretch, by handles or typed times", async () => {
    await page.goto(`${stage.app}new`);
    await page.fill("#address", `${stage.talks.url}/long-talk`);
    await page.waitForSelector(".receipt .total");
    const isPriced = async (range: object): Promise<void> => {
      const { price } = await stage.client.probe({ url: `${stage.talks.url}/long-talk`, range });
      await page.waitForSelector(`.buy button:has-text('Extract for ${price.credits} credits')`);
      assert.strictEqual(numberIn(await page.textContent(".receipt .total dd")), price.credits);
    };
    await page.click("summary:has-text('Only a stretch')");
    await page.getByRole("textbox", { name: "From" }).fill("1:00");
    await page.getByRole("slider", { name: "From" }).focus();
    for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press("ArrowRight");
    await page.waitForSelector("summary:text-is('Only 1:05 to the end, 8:55 long')");
    await isPriced({ startSec: 65 });
    // No handle passes the other.
    await page.getByRole("slider", { name: "To" }).press("Home");
    await page.waitForSelector("summary:text-is('Only 1:05 to 1:06, 0:01 long')");
    await page.getByRole("textbox", { name: "To" }).fill("1:0");
    const isWrongAlone = async (end: string, other: string): Promise<void> => {
      const wrong = await page.waitForSelector(`[placeholder=${end}][aria-invalid=true]`);
      const right = await page.waitForSelector(`[placeholder=${other}]:not([aria-invalid])`);
      const borders = [wrong, right].map((input) =>
        input.evaluate((each) => getComputedStyle(each).borderColor)
      );
      assert.lengthOf(new Set(await Promise.all(borders)), 2);
    };
    await isWrongAlone("end", "start");
    await page.waitForSelector("text=Correct the times of the stretch to see the price.");
    assert.isTrue(await page.isDisabled(".buy button[type=submit]"));
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.getByRole("textbox", { name: "To" }).fill("");
    await page.getByRole("textbox", { name: "From" }).fill("20:00");
    await isWrongAlone("start", "end");
    await page.waitForSelector(".buy [role=alert]:has-text('The stretch is not within the video')");
    assert.isTrue(await page.isVisible(".source-title"));
    await page.getByRole("textbox", { name: "From" }).fill("1:05");
    await page.getByRole("textbox", { name: "To" }).fill("2:30");
    await isPriced({ startSec: 65, endSec: 150 });
  });

  it("is paid for a stretch, whose player has the times of the source", async () => {
    await page.click(".buy button[type=submit]");
    await page.waitForSelector("[data-line]");
    await page.waitForSelector("[aria-label=Request] dd:text-is('1:05 to 2:30')");
    await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 1);
    // Nothing moves on, to the end of the subtitle before.
    await page.$eval("video", (video: HTMLVideoElement) => void (video.playbackRate = 0));
    await page.click("button[aria-label='Play from 2:00']");
    await page.waitForSelector("[aria-current]:has(button[aria-label='Play from 2:00'])");
    const lengthSec = await page.$eval("video", ({ duration }: HTMLVideoElement) => duration);
    assert.strictEqual(Math.round(lengthSec), 85);
    // 55 s of the file.
    await page.waitForFunction(() => {
      const { currentTime = 0, textTracks } = document.querySelector("video") ?? {};
      const shown = Array.from(textTracks?.[0]?.activeCues ?? []).map(({ startTime }) => startTime);
      return currentTime > 55 && currentTime < 56 && shown.join() === "55";
    });
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

  it.each([1_280, 1_024, 390])("moves nothing when it is found, at %s pixels", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(() => sessionStorage.removeItem("winnow.draft"));
    await page.goto(`${stage.app}new`);
    await page.waitForSelector("#address");
    // The account's, which comes at any time.
    await page.waitForSelector(".balance strong");
    await page.evaluate(() => document.fonts.ready);
    const shifts = await shiftsOf(page);
    await page.keyboard.press("h");
    await page.keyboard.insertText(`${stage.talks.url}/long-talk`.slice(1));
    await page.waitForSelector(".buy button:has-text('Extract for')");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(`${stage.site}/recipe`);
    await page.waitForSelector(".source:has-text('Web page')");
    await page.waitForSelector(".buy button:has-text('Extract for')");
    assert.deepStrictEqual(await shifts.jsonValue(), []);
    await page.setViewportSize(WIDE);
  });

  it.each([1_024, 390, SMALL_WIDTH])(
    "stands with its button at the end of the window at %s pixels, and covers nothing with the focus",
    async (width) => {
      const height = 700;
      await page.setViewportSize({ width, height });
      await page.goto(`${stage.app}new`);
      await page.fill("#address", `${stage.talks.url}/long-talk`);
      await page.waitForSelector(".buy button:has-text('Extract for')");
      await page.click("text=More options");
      // The head that sticks to the top would cover controls.
      await page.evaluate(() => scrollTo(0, 0));
      // In all widths.
      if (width === SMALL_WIDTH) assert.deepStrictEqual(await faultsOf(page), []);
      await page.setViewportSize({ width, height });
      const bar = await page.locator(".buy").boundingBox();
      assert.strictEqual((bar?.y ?? 0) + (bar?.height ?? 0), height);
      assert.isAtMost(bar?.height ?? height, height / 5);
      await page.focus("#address");
      for (let stops = 0; stops < 40; stops += 1) {
        await page.keyboard.press("Tab");
        const covered = await page.evaluate((top) => {
          const { activeElement: element } = document;
          if (element === null || element === document.body || element.closest(".buy, .top") !== null)
            return "";
          return element.getBoundingClientRect().bottom > top ? element.outerHTML : "";
        }, bar?.y ?? 0);
        assert.strictEqual(covered, "");
        if (await page.evaluate(() => document.activeElement?.closest(".buy") !== null)) break;
      }
      assert.isTrue(await page.evaluate(() => document.activeElement?.matches(".buy button")));
      await page.setViewportSize(WIDE);
    }
  );

  it("is that of less when the balance is too small, on request", async () => {
    await withBalance(page, 450);
    await page.evaluate(() => sessionStorage.removeItem("winnow.draft"));
    await page.goto(`${stage.app}new`);
    await page.fill("#address", `${stage.talks.url}/long-talk`);
    await page.waitForSelector("text=Your balance is 50 credits short");
    const less = page.locator("button:has-text('Without video')");
    const credits = numberIn(await less.textContent());
    assert.isTrue(await page.isDisabled(".buy button[type=submit]"));
    await less.click();
    await page.waitForSelector(".buy button[type=submit]:enabled");
    assert.strictEqual(numberIn(await page.textContent(".buy button[type=submit]")), credits);
    assert.strictEqual(numberIn(await page.textContent(".receipt .total dd")), credits);
    assert.isFalse(await page.isChecked(".part:has-text('Video') input"));
    await page.unroute(/\/v1\/account$/u);
  });

  it("is nothing for a result that there is, which can be opened, or made again for its price", async () => {
    await page.evaluate(() => sessionStorage.removeItem("winnow.draft"));
    const url = `${stage.talks.url}/long-talk`;
    const { id, creditsDebited } = await stage.client.submit({ url });
    await stage.client.extractions.wait(id);
    await page.goto(`${stage.app}new`);
    await page.fill("#address", url);
    await page.waitForSelector("text=/You have this result from \\d+ \\w+, \\d\\d:\\d\\d/");
    await page.waitForSelector(".source img");
    assert.deepStrictEqual(await faultsOf(page), []);
    const href = await page.getAttribute("a.main:text-is('Open the result')", "href");
    assert.strictEqual(href, `/app/runs/${id}`);
    assert.strictEqual(await page.textContent(".price-line"), `0 credits${creditsDebited}`);
    await page.click("button:has-text('Run again for')");
    await page.waitForSelector(`button[type=submit]:has-text('Extract for ${creditsDebited} credits')`);
    assert.strictEqual(await page.locator("text=Open the result").count(), 0);
  });

  it("tells a refusal at the button, without the id of a request that nobody has to look into", async () => {
    const message = "Your balance does not cover it.";
    const json = { error: { code: "insufficient_credits", message } };
    await page.route(/\/v1\/extractions$/u, (route) =>
      route.fulfill({ status: 402, json, headers: { "x-request-id": "req_1" } })
    );
    await page.click(".buy button[type=submit]");
    assert.strictEqual(await page.textContent(".buy [role=alert] p"), message);
    const topUp = page.locator(".buy [role=alert] a:text-is('See how to add credits')");
    assert.strictEqual(await topUp.getAttribute("href"), `${new URL(stage.app).pathname}settings/usage`);
    await page.uncheck(".part:has-text('Video') input");
    await page.waitForSelector(".buy [role=alert]", { state: "detached" });
    await page.unroute(/\/v1\/extractions$/u);
    await page.evaluate(() => sessionStorage.removeItem("winnow.draft"));
  });

  it("stands part by part on the run that was debited it, above what came back and what is paid", async () => {
    const url = `${stage.talks.url}/long-talk`;
    const { id, creditsDebited } = await stage.client.submit({ url, force: true });
    await stage.client.extractions.wait(id);
    await page.evaluate(() => sessionStorage.removeItem("winnow.draft"));
    await page.goto(`${stage.app}new`);
    await page.fill("#address", url);
    await page.click("button:has-text('Run again for')");
    await page.waitForSelector(".receipt .total");
    const quoted = await page.locator(".receipt > div").allTextContents();
    const { creditsRefunded } = await stage.client.extractions.get(id);
    const paid = creditsDebited - creditsRefunded;
    const rowsOf = async (run: string): Promise<ReadonlyArray<string>> => {
      await page.goto(`${stage.app}runs/${run}`);
      await page.waitForSelector("[aria-label=Cost]");
      const rows = await page.locator("[aria-label=Cost] dl > div").allTextContents();
      return rows.map((row) => row.replace(/ (?:US)?\$.*$/u, ""));
    };
    assert.deepStrictEqual(await rowsOf(id), [
      ...quoted.map((row) => row.replace("Total", "Debited")),
      creditsRefunded === 0 ? "Refunded0" : `Refunded−${creditsRefunded}`,
      `Paid${paid} credits`
    ]);
    assert.deepStrictEqual(await faultsOf(page), []);
    const reused = await stage.client.submit({ url });
    const [debited] = await rowsOf(reused.id);
    assert.strictEqual(debited, `Debited${creditsDebited} 0`);
    assert.strictEqual(await page.textContent("[aria-label=Cost] s"), String(creditsDebited));
  });

  it("says what each day and key used, on an axis, and how long the balance lasts", async () => {
    const runs = 3;
    const days = ["21", "22", "23", "24"].map((of) => ({
      day: `2026-11-${of}`,
      runs,
      debited: Number(of) * 100,
      refunded: 100
    }));
    const keys = [{ apiKeyId: null, apiKeyName: null, runs: 12, debited: 9_000, refunded: 400 }];
    const bySchema = [{ schemaId: "winnow.predefined.recipe.v1", runs: 2, debited: 500, refunded: 0 }];
    const byPart = [{ part: "breakdown.text", debited: 1_240, refunded: 40 }];
    await page.route(/\/v1\/usage/u, (route) =>
      route.fulfill({ json: { data: days, keys, bySchema, byPart } })
    );
    await withBalance(page, 21_500);
    await page.goto(`${stage.app}settings/usage`);
    await page.waitForSelector("text=8,600 credits in 4 days, at most 2,300 on one day");
    await page.waitForSelector("text=At this pace, your balance lasts 10 days.");
    assert.deepStrictEqual(await page.locator(".chart li").allTextContents(), ["4,000", "2,000", "0"]);
    await page.hover(".chart g:nth-of-type(3) .hit", { force: true });
    await page.waitForSelector("text=23 Nov 2026: 2,200 credits, 100 refunded, 3 extractions");
    assert.include(await page.textContent(".file-list"), "8,600 credits, 400 refunded, 12 extractions");
    await page.waitForSelector(".file-list >> nth=1 >> li:has(a:text-is('recipe')):has-text('500 credits')");
    assert.include(
      await page.textContent("h3:text-is('By part of the price') + .file-list"),
      "Reading the text1,200 credits, 40 refunded"
    );
    const period = page.getByLabel("Period");
    const month = await period.locator("option").nth(4).getAttribute("value");
    const ofMonth = page.waitForRequest((request) => request.url().endsWith(`/v1/usage?month=${month}`));
    await period.selectOption(month);
    await ofMonth;
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.unrouteAll();
  });

  it("is paid with credits that are bought there, and is a line of the ledger, which is a file too", async () => {
    const note = "Or write to https://pay.example/ask.";
    const packs = [{ credits: 50_000, priceCents: 500 }];
    await page.route(/\/v1\/billing$/u, (route) => route.fulfill({ json: { methods: [], packs, note } }));
    await page.route(/\/v1\/top-ups$/u, (route) =>
      route.fulfill({ json: { url: `${stage.app}new?${String(route.request().postData())}` } })
    );
    await page.goto(`${stage.app}settings/usage?paid=yes`);
    await page.waitForSelector("[role=status]:has-text('The credits appear here')");
    await page.waitForSelector("a[href='https://pay.example/ask']:text-is('https://pay.example/ask')");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click("button:text-is('Download as CSV')")
    ]);
    const [head, newest] = (await text(await download.createReadStream())).split("\r\n");
    const [entry] = (await stage.client.ledger.page({ limit: 1 })).data;
    assert.match(head ?? "", /^id,createdAt,kind,credits,balanceAfter,/u);
    assert.strictEqual(newest?.split(",")[0], entry?.id);
    await page.click("button:text-is('Buy 50,000 credits for US$5.00')");
    await page.waitForURL(/new\?/u);
    assert.include(decodeURI(page.url()), '{"credits":50000}');
    await page.unrouteAll();
  });
});
