// @module-tag long
/** Results in a browser: a table of many extractions, whose values are checked, corrected, sorted and exported. */
import type { ResultRow } from "@winnow/client";
import type { Page, Route } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import type { Driven } from "./Driven.ts";
import { faultsOf } from "./faultsOf.ts";
import { rowOf, SCHEMA } from "./ResultRows.ts";
import { findChromium, type Stage } from "./Stage.ts";

const MANY = 10_000;
const TABLE = /\/v1\/results\?.*format=jsonl/u;

const NO_PRICE = { values: { topic: "Topic 1", price: null, mail: null, venue: null } };
const lineOf = (index: number) => `${JSON.stringify(rowOf(index, index === 1 ? NO_PRICE : {}))}\n`;
const body = Array.from({ length: MANY }, (_, index) => lineOf(index)).join("");
const manyRows = (route: Route) => route.fulfill({ contentType: "application/x-ndjson", body });

describe.skipIf(findChromium() === null)("results in the web app", () => {
  let app: App;
  let stage: Stage;
  let driven: Driven;
  let page: Page;
  let schemaId = "";
  let talkId = "";

  beforeAll(async () => {
    app = await openApp();
    ({ stage, driven, page } = app);
    await app.signIn();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const cell = document.activeElement as HTMLElement | null;
      return `${cell?.parentElement?.dataset["row"]} ${cell?.dataset["column"]}`;
    });
  const openTable = async (query = ""): Promise<void> => {
    await page.goto(`${stage.app}results${query}`);
    await page.waitForSelector("[data-row='0']");
  };
  const corrections = async (): Promise<ResultRow["corrections"] | undefined> =>
    (await stage.client.results.page({ schemaId })).data.find(({ extractionId }) => extractionId === talkId)
      ?.corrections;
  const untilSaved = async (act: () => Promise<unknown>): Promise<void> => {
    const saved = page.waitForResponse(
      (response) => response.url().endsWith("/corrections") && response.request().method() === "PUT"
    );
    await act();
    await saved;
  };

  it("says how to get the first row, and that nothing matches", async () => {
    await page.goto(`${stage.app}results`);
    await page.waitForSelector("text=No results yet");
    assert.deepStrictEqual(await faultsOf(page), []);
    schemaId = (await stage.client.schemas.save({ name: "talk-facts", schema: SCHEMA })).id;
    const article = await stage.client.submit({ url: `${stage.site}/article`, schemaId });
    await stage.client.extractions.wait(article.id);
    talkId = (
      await stage.client.submit({
        url: `${stage.talks.url}/long-talk`,
        schemaId,
        inputs: ["transcript", "video"]
      })
    ).id;
    await stage.client.extractions.wait(talkId);
    await page.goto(`${stage.app}results?since=2999-01-01&schemaId=any`);
    await page.waitForSelector("text=No extraction matches");
    await page.click("text=Remove all filters");
    await page.waitForSelector("[data-row='1']");
  });

  it("says in the list, the head and beside each value what is to check", async () => {
    await page.goto(stage.app);
    const { valuesToCheck = 0 } = await stage.client.extractions.get(talkId);
    assert.isAbove(valuesToCheck, 0);
    const text = `${valuesToCheck} to check`;
    // Not innerText, which is empty for a row that was never painted.
    assert.strictEqual(await page.textContent(`[data-run="${talkId}"] .status.toCheck`), text);
    await page.goto(`${stage.app}runs/${talkId}`);
    assert.strictEqual(await page.textContent(".page-head .status.toCheck"), text);
    await page.waitForSelector(".values .status.toCheck");
    assert.strictEqual(await page.locator(".values .status.toCheck").count(), valuesToCheck);
    assert.deepStrictEqual(await faultsOf(page), []);
  });

  it.each(["", "?schemaId=any"])(
    "ends with a message if the page itself fails, and stops asking %s",
    async (query) => {
      const broken = await app.context.newPage();
      await broken.addInitScript(() => {
        TextDecoder.prototype.decode = () => {
          throw new TypeError("decode is broken");
        };
      });
      let asked = 0;
      broken.on("request", (request) => void (asked += Number(TABLE.test(request.url()))));
      await broken.goto(`${stage.app}results${query}`);
      await broken.waitForSelector("[role=alert] >> text=TypeError: decode is broken");
      assert.strictEqual(await broken.locator(".loading").count(), 0);
      assert.strictEqual(asked, 1);
      await broken.close();
    }
  );

  it("opens with the newest schema's columns, and a mark in words for each value", async () => {
    await openTable();
    assert.strictEqual(await page.inputValue(".schemaId select"), schemaId);
    assert.deepStrictEqual(await page.locator("[role=columnheader]").allInnerTexts(), [
      "Extraction",
      "topic",
      "price",
      "mail",
      "venue.city"
    ]);
    const cells = page.locator("[data-row='0'] [role=gridcell]");
    const marks = await cells
      .locator("[role=img]")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    assert.deepStrictEqual(marks, ["Quoted", "Quoted", "To check", "To check"]);
    assert.deepStrictEqual(await faultsOf(page), []);
  });

  it("shows a quote with the line around it and the player at its second, from the keyboard alone", async () => {
    await openTable(`?schemaId=${schemaId}`);
    await page.focus("[role=grid] [tabindex='0']");
    assert.strictEqual(await focused(), "0 1");
    await page.keyboard.press(" ");
    await page.waitForSelector(".result-details mark");
    await page.waitForSelector("blockquote:has-text('Nothing about the method is clever. The topic:')");
    await page.waitForSelector(".result-details video[src$='#t=245']");
    await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 1);
    await page.keyboard.press("p");
    await page.waitForFunction(() => {
      const { paused = true, currentTime = 0 } = document.querySelector("video") ?? {};
      return paused && currentTime >= 250;
    });
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.click("text=Show there");
    await page.waitForSelector("[data-quote][aria-pressed=true]");
    await page.waitForSelector(".line mark");
    await page.goBack();
    await page.waitForSelector("[data-row='0'] [data-column='1']:focus");
    await page.waitForSelector(".result-details video");
  });

  it("goes through what is to check, accepts, corrects and undoes, and sends what stays", async () => {
    await openTable(`?schemaId=${schemaId}`);
    await page.waitForSelector("text=4 to check");
    await page.keyboard.press("e");
    assert.strictEqual(await focused(), "0 3");
    await untilSaved(() => page.keyboard.press("a"));
    await page.waitForSelector("text=3 to check");
    assert.deepStrictEqual(await corrections(), { "/mail": "someone@example.com" });
    await untilSaved(() => page.keyboard.press("z"));
    await page.waitForSelector("text=4 to check");
    assert.deepStrictEqual(await corrections(), {});
    await page.keyboard.press("e");
    assert.strictEqual(await focused(), "0 4");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".result-details input:focus");
    await page.keyboard.type("dozen");
    await untilSaved(() => page.keyboard.press("Enter"));
    await page.waitForSelector(".result-details [role=alert]");
    await page.fill(".result-details input", "13");
    await untilSaved(() => page.keyboard.press("Enter"));
    await page.waitForSelector("[data-row='0'] [data-column='2'] [aria-label=Corrected]");
    assert.strictEqual(await focused(), "0 2");
    assert.include(await page.innerText(".result-details"), "Was read as: 12");
    assert.deepStrictEqual(await corrections(), { "/price": 13 });
    await page.reload();
    await page.waitForSelector("[data-row='0'] [data-column='2'] [aria-label=Corrected]");
  });

  it("shows nothing that the server refused, and says why", async () => {
    await openTable(`?schemaId=${schemaId}`);
    await page.route("**/corrections", (route) =>
      route.fulfill({ status: 404, json: { error: { code: "not_found", message: "It was deleted." } } })
    );
    await page.keyboard.press("e");
    await page.keyboard.press("a");
    await page.waitForSelector(".toast:has-text('It was deleted.')");
    await page.waitForSelector("[data-row='0'] [data-column='3'] [aria-label='To check']");
    assert.notProperty(await corrections(), "/mail");
    await page.unroute("**/corrections");
  });

  it("waits as the server asks, and then sends what was accepted", async () => {
    await openTable(`?schemaId=${schemaId}`);
    const statuses: Array<number> = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/corrections")) statuses.push(response.status());
    });
    await page.route(
      "**/corrections",
      (route) =>
        route.fulfill({
          status: 429,
          headers: { "retry-after": "1" },
          json: { error: { code: "rate_limited", message: "Slower." } }
        }),
      { times: 1 }
    );
    await page.keyboard.press("e");
    await untilSaved(() => page.keyboard.press("a"));
    await untilSaved(() => page.waitForSelector("[data-row='0'] [data-column='3'] [aria-label=Accepted]"));
    assert.deepStrictEqual(statuses, [429, 200]);
    assert.property(await corrections(), "/mail");
    await page.click(".result-details >> text=Remove the correction");
    await page.waitForSelector("[data-row='0'] [data-column='3'] [aria-label='To check']");
  });

  it("says that the server is away, and shows the rows once it is back", async () => {
    await page.route(TABLE, (route) => route.abort());
    await page.goto(`${stage.app}results?schemaId=${schemaId}`);
    await page.waitForSelector("main [role=alert]:has-text('unreachable')");
    await page.unroute(TABLE);
    await page.click("main >> text=Try again");
    await page.waitForSelector("[data-row='1']");
    assert.strictEqual(await page.locator("main [role=alert]").count(), 0);
  });

  it("searches, sorts and hides columns", async () => {
    await openTable(`?schemaId=${schemaId}`);
    await page.focus("[role=grid] [tabindex='0']");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[aria-sort=ascending]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[aria-sort=descending]:focus");
    assert.include(page.url(), "sort=-%2Fprice");
    await page.keyboard.press("/");
    await page.keyboard.type("winnowing is");
    await page.waitForFunction(() => document.querySelectorAll("[role=rowheader]").length < 2);
    await page.fill("#search", "");
    await page.waitForSelector("[data-row='1']");
    await page.click("main button >> text=Columns");
    await page.click("dialog label:has-text('mail')");
    await page.click("dialog label:has-text('city')");
    await page.keyboard.press("Escape");
    await page.waitForSelector("button:disabled:has-text('Next to check')");
    await page.reload();
    await page.waitForSelector("[data-row='0']");
    assert.notInclude(await page.locator("[role=columnheader]").allInnerTexts(), "mail");
    await page.click("main button >> text=Columns");
    await page.click("dialog label:has-text('mail')");
    await page.click("dialog label:has-text('city')");
    await page.keyboard.press("Escape");
    await page.waitForSelector("[role=columnheader]:has-text('mail')");
  });

  it("is exported as a file with corrected values, and as a link that needs no sign-in", async () => {
    await openTable(`?schemaId=${schemaId}`);
    await page.click("main button >> text=Export");
    await page.click("dialog label:has-text('stretch')");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click("dialog >> text=Download")
    ]);
    const chunks: Array<Buffer> = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const [head = "", ...lines] = Buffer.concat(chunks).toString().trim().split("\r\n");
    assert.match(head, /,range_startSec,range_endSec,.*\bprice\b/u);
    assert.deepStrictEqual([lines.length, lines[0]?.includes(",13,")], [2, true]);
    await page.click("dialog >> text=Link for a spreadsheet");
    await page.waitForSelector("text=Works until");
    assert.deepStrictEqual(await faultsOf(page), []);
    const response = await fetch(await page.innerText("dialog code"));
    assert.deepStrictEqual([response.status, (await response.text()).split("\r\n")[0]], [200, head]);
    await page.click("dialog >> text=Close");
  });

  it("draws only what is in sight of ten thousand rows, reaches the last with a key, and sorts and widens columns, for the next time too", async () => {
    await page.route(TABLE, manyRows);
    await openTable(`?schemaId=${schemaId}`);
    await page.waitForSelector("text=10,000 rows · 5,000 to check");
    const drawn = (): Promise<number> => page.locator("[data-row]").count();
    assert.isBelow(await drawn(), 60);
    const ends = await page
      .locator("[data-row]:is([data-row='0'], [data-row='1']) [data-column='2'] > span")
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().right)));
    assert.strictEqual(ends[0], ends[1], "a missing number stands where numbers end");
    await page.focus("[role=grid] [tabindex='0']");
    await page.keyboard.press("Control+End");
    await page.waitForSelector(`[data-row='${MANY - 1}'] [data-column='4']:focus`);
    assert.isTrue(await page.locator(`[data-row='${MANY - 1}']`).isVisible());
    assert.isBelow(await drawn(), 60);
    await page.keyboard.press("PageUp");
    await page.keyboard.press("Control+Home");
    await page.waitForSelector("[data-row='0'] [data-column='0']:focus");
    await page.locator("[role=grid]").evaluate((grid) => {
      grid.scrollTop = grid.scrollHeight / 2;
    });
    await page.waitForSelector("[data-row='5000']");
    assert.isBelow(await drawn(), 60);
    assert.strictEqual(await page.getAttribute("[role=grid]", "aria-rowcount"), String(MANY + 2));
    assert.match(await page.innerText(".result-foot"), /0 – 9,999/u);
    const widthOf = (name: string) =>
      page.locator(`[role=columnheader]:has-text('${name}')`).evaluate((head) => head.clientWidth);
    assert.isAbove(await widthOf("mail"), await widthOf("price"));
    const width = await widthOf("price");
    await page.locator("[role=grid]").evaluate((grid) => grid.scrollTo(0, 0));
    await page.click("[role=columnheader]:has-text('price')");
    await page.waitForSelector("[aria-sort=ascending]:focus");
    await page.keyboard.press("Enter");
    await page.waitForSelector(`[data-row='0'] [data-column='2']:has-text('${MANY - 1}')`);
    await page.keyboard.press("Shift+ArrowRight");
    assert.isAbove(await widthOf("price"), width);
    await page.keyboard.press("ArrowRight");
    // Every second one has no mail: those are the last in both directions.
    for (const direction of ["ascending", "descending"]) {
      await page.keyboard.press("Enter");
      await page.waitForSelector(`[aria-sort=${direction}]:has-text('mail')`);
      await page.waitForSelector("[data-row='0'] [data-column='3']:has-text('a@example.com')");
    }
    const edge = await page.locator("[role=columnheader]:has-text('price') .result-edge").boundingBox();
    await page.mouse.move((edge?.x ?? 0) + 4, (edge?.y ?? 0) + 8);
    await page.mouse.down();
    await page.mouse.move((edge?.x ?? 0) + 104, (edge?.y ?? 0) + 8);
    await page.mouse.up();
    assert.isAbove(await widthOf("price"), width + 100);
    await page.reload();
    await page.waitForSelector("[data-row='0']");
    assert.isAbove(await widthOf("price"), width + 100);
    await page.unroute(TABLE);
  });

  it("keeps its sideways scrolling in its own box on a phone, beside the names, which elsewhere give way to values first", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openTable(`?schemaId=${schemaId}`);
    await page.click("[data-row='0'] [data-column='1']");
    await page.waitForSelector(".result-details mark");
    const sheet = await page.locator(".result-details").boundingBox();
    const shown = await page.locator(":focus").boundingBox();
    assert.isAtMost((shown?.y ?? 0) + (shown?.height ?? 0), sheet?.y ?? 0);
    await page.keyboard.press("End");
    const cell = await page.locator(":focus").boundingBox();
    const name = await page.locator("[data-row='0'] [role=rowheader]").boundingBox();
    assert.isAtMost((cell?.x ?? 0) + (cell?.width ?? 0), 390);
    assert.isAtLeast(cell?.x ?? 0, (name?.x ?? 0) + (name?.width ?? 0) - 1);
    assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.setViewportSize({ width: 1_280, height: 860 });
    assert.isAtLeast((await page.locator(".results-box").boundingBox())?.width ?? 0, 700);
    const hiddenPx = await page.locator("[role=grid]").evaluate((box) => {
      box.style.width = "200rem";
      const last = box.querySelector<HTMLElement>(".result-head > :last-child");
      box.style.width = `${(last?.offsetLeft ?? 0) + (last?.offsetWidth ?? 0) - 20}px`;
      return box.scrollWidth - box.clientWidth;
    });
    assert.strictEqual(hiddenPx, 0);
  });

  it("is one step from a batch and from a schema", async () => {
    const items = [{ url: `${stage.talks.url}/long-talk`, schemaId }];
    const batch = await stage.client.batches.create({ items });
    for await (const _ of stage.client.batches.ended(batch.id));
    await page.goto(`${stage.app}batches/${batch.id}`);
    await page.waitForSelector("[data-run] .status.toCheck");
    await page.click(".count.open:has-text('To check')");
    await page.waitForSelector("h1:text-is('Review')");
    await page.waitForSelector("text=/1 row · [1-9]\\d* to check/");
    const [row] = (await stage.client.results.page({ batchId: batch.id })).data;
    const read = row?.values as Readonly<Record<string, string>>;
    const settled = Object.keys(row?.support ?? {})
      .filter((pointer) => row?.support[pointer] === "unsupported")
      .map((pointer) => [pointer, read[pointer.slice(1)] ?? null]);
    await stage.client.results.correct(row?.extractionId ?? "", { values: Object.fromEntries(settled) });
    await page.reload();
    await page.waitForSelector("text=No extraction matches");
    await page.goto(`${stage.app}batches/${batch.id}`);
    await page.waitForSelector(".count:not(.open):has-text('To check 0')");
    await page.waitForSelector("[data-run] .status.done");
    await page.click("main a:text-is('Results')");
    await page.waitForSelector("text=1 row ·");
    await page.click("text=Only one batch");
    await page.waitForSelector("text=3 rows ·");
    await page.goto(`${stage.app}schemas/${schemaId}`);
    await page.click("main a:text-is('Results')");
    await page.waitForSelector("text=3 rows ·");
    assert.strictEqual(new URL(page.url()).searchParams.get("schemaId"), schemaId);
  });

  it("no longer has an extraction that was deleted meanwhile", async () => {
    await openTable(`?schemaId=${schemaId}`);
    await page.waitForSelector("text=3 rows ·");
    await page.click("[data-row='0'] a");
    await page.click("main button >> text=Delete");
    await page.click("dialog button.danger");
    await page.waitForSelector("[data-run]");
    await page.click("nav a:text-is('Results')");
    await page.waitForSelector("text=2 rows ·");
    assert.isEmpty(driven.noise.filter((line) => !/status of 4|ERR_FAILED/u.test(line)));
  });
});
