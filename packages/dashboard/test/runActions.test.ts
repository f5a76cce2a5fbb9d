// @module-tag long
/** The actions of a run: one row in one order, by mouse and by key, and how many tab stops an hour's run has. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import { faultsOf } from "./faultsOf.ts";
import { shiftsOf } from "./shiftsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const TALK = {
  type: "object",
  properties: { speaker: { type: "string" }, topic: { type: "string" } },
  required: ["speaker", "topic"]
};

const HOUR_LINES = 900;
const LINE_SECONDS = 4;

/** Buttons, fields and files of a run's head, values, request and files: what a person tabs through. */
const HOUR_TAB_STOPS_MAX = 60;

describe.skipIf(findChromium() === null)("the actions of a run", () => {
  let app: App;
  let stage: Stage;
  let page: Page;
  let talkId = "";

  beforeAll(async () => {
    app = await openApp();
    ({ stage, page } = app);
    await app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { id } = await stage.client.submit({ url: `${stage.talks.url}/long-talk`, schema: TALK });
    await stage.client.extractions.wait(id);
    talkId = id;
    await app.signIn();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const open = async (id: string): Promise<void> => {
    await page.goto(`${stage.app}runs/${id}`);
    await page.waitForSelector("[aria-label=Request] dl");
  };
  const actions = async (): Promise<ReadonlyArray<string>> => {
    const texts = await page.locator("[aria-label=Actions] > *").allInnerTexts();
    return texts.map((text) => text.split("\n")[0] ?? "");
  };

  it("moves nothing when a title of the other direction takes the place of the screen's own", async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const title = "كيف تصنع خبزًا بالصودا في المنزل بدون فرن وبأقل عدد من المكونات";
    const { id } = await stage.client.submit({ url: `${stage.site}/article` });
    await stage.client.extractions.wait(id);
    await page.route(new RegExp(`extractions/${id}$`, "u"), async (route) => {
      const response = await route.fetch();
      await asked;
      await route.fulfill({ response, json: { ...((await response.json()) as object), title } });
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${stage.app}runs/${id}`);
    await page.waitForSelector(".balance strong");
    const shifts = await shiftsOf(page);
    answer();
    await page.waitForSelector(`h1:text-is("${title}")`);
    await page.waitForSelector("[aria-label=Request] dl");
    assert.deepStrictEqual(await shifts.jsonValue(), []);
    await page.unrouteAll({ behavior: "wait" });
    await page.setViewportSize({ width: 1_280, height: 860 });
  });

  const place = () =>
    page.$eval("[aria-label=Actions]", (row) => {
      const { right, top } = row.getBoundingClientRect();
      return { right, top };
    });

  it("stand in one order and place, whether it runs, failed, or is complete", async () => {
    await open(talkId);
    await page.waitForSelector("a[download]");
    const before = await place();
    const always = ["Run again", "Copy link"];
    assert.deepStrictEqual(await actions(), ["Download all", "Try other fields", ...always, "Delete"]);
    // The title is not cut for them.
    assert.isTrue(await page.$eval("h1", (title) => title.scrollHeight <= title.clientHeight + 1));
    const failed = await stage.client.submit({ url: `${stage.site}/nowhere` });
    await stage.client.extractions.wait(failed.id);
    await open(failed.id);
    assert.deepStrictEqual(await actions(), [...always, "Delete"]);
    assert.deepStrictEqual(await place(), before);
    assert.deepStrictEqual(await faultsOf(page), []);
    let release = (): void => undefined;
    stage.talks.hold = new Promise((resolve) => (release = resolve));
    const body = { url: `${stage.talks.url}/long-talk`, parts: ["video" as const], force: true };
    const { id } = await stage.client.submit(body);
    await open(id);
    assert.deepStrictEqual(await actions(), [...always, "Cancel run"]);
    assert.deepStrictEqual(await place(), before);
    await page.click("text=Cancel run");
    await page.waitForSelector("[aria-label=Actions] >> text=Delete");
    assert.strictEqual(await page.innerText(".page-head .status.cancelled"), "Cancelled");
    await page.waitForSelector("section[aria-label=Cancelled] >> text=The run was cancelled.");
    assert.strictEqual(await page.locator("section[aria-label=Cancelled] >> text=will not help").count(), 0);
    assert.deepStrictEqual(await faultsOf(page), []);
    release();
    stage.talks.hold = null;
  });

  it("stand beside a request that says why it cannot be shown", async () => {
    const error = { code: "internal_error", message: "This failed in the test." };
    await page.route(/\/request$/u, (route) => route.fulfill({ status: 400, json: { error } }));
    await page.goto(`${stage.app}runs/${talkId}`);
    const alert = page.locator("section[aria-label=Request] [role=alert]");
    await alert.waitFor();
    assert.include(await alert.innerText(), "This failed in the test.");
    await page.unroute(/\/request$/u);
  });

  it("stand beside who submitted it: not a person, only because there was no key", async () => {
    const ofRun = new RegExp(`/v1/extractions/${talkId}$`, "u");
    await page.route(ofRun, async (route) => {
      const response = await route.fetch({ maxRetries: 3 }); // a connection that has just been closed
      await route.fulfill({ response, json: { ...(await response.json()), apiKeyName: null } });
    });
    await open(talkId);
    const request = await page.innerText("section[aria-label=Request]");
    assert.include(request, "over the API, without a key");
    await page.unroute(ofRun);
  });

  it("copy its link, which opens it", async () => {
    await open(talkId);
    await page.click("text=Copy link");
    await page.waitForSelector(".toast:has-text('Link copied')");
    assert.strictEqual(
      await page.evaluate(() => navigator.clipboard.readText()),
      `${stage.app}runs/${talkId}`
    );
  });

  it("copy where the page came over plain http, too", async () => {
    const tab = await app.driven.page(page.context());
    await tab.addInitScript(() => {
      Object.defineProperty(window, "isSecureContext", { value: false });
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await tab.goto(`${stage.app}runs/${talkId}`);
    await tab.click("text=Copy link");
    await tab.waitForSelector(".toast:has-text('Link copied')");
    await tab.keyboard.press("Escape");
    await tab.goto(`${stage.app}new`);
    await tab.locator("#address").press("ControlOrMeta+V");
    assert.strictEqual(await tab.inputValue("#address"), `${stage.app}runs/${talkId}`);
    await tab.close();
  });

  it("have the keys that the help names", async () => {
    await open(talkId);
    await page.waitForSelector("a[download]");
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("d")]);
    assert.match(download.suggestedFilename(), /\.zip$/u);
    await page.keyboard.press("l");
    await page.waitForSelector(".toast:has-text('Link copied')");
    // Higher than the window, it is read from its start all the same.
    await page.setViewportSize({ width: 390, height: 600 });
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
    assert.strictEqual(await page.$eval("dialog[open]", (dialog) => dialog.scrollTop), 0);
    assert.isTrue(await page.$eval("dialog[open]", (dialog) => dialog.scrollHeight > dialog.clientHeight));
    await page.setViewportSize({ width: 1_280, height: 860 });
    const help = (await page.innerText("dialog[open]")).replaceAll(/\s+/gu, " ");
    for (const line of ["r Run again", "d Download all files", "l Copy the link"]) assert.include(help, line);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog[open]", { state: "detached" });
    await page.keyboard.press("r");
    await page.waitForURL(`**/new?from=${talkId}`);
    await page.goto(`${stage.app}settings/account`);
    const single = page.getByLabel("Single-key shortcuts");
    await single.uncheck();
    await page.keyboard.press("?");
    // Which opens nothing over another dialog, and cannot be switched off.
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog [role=combobox]");
    await page.keyboard.press("Escape");
    await single.check();
  });

  it("are, with an hour's transcript and the values, reached in few tab stops", async () => {
    const segments = Array.from({ length: HOUR_LINES }, (_, index) => ({
      startSec: index * LINE_SECONDS,
      endSec: (index + 1) * LINE_SECONDS,
      text: `Sentence number ${index}.`
    }));
    await page.route(/files\/transcript\.json/u, (route) =>
      route.fulfill({ json: { language: "en", segments } })
    );
    await open(talkId);
    await page.waitForFunction(
      (count) => document.querySelectorAll("[data-line]").length === count,
      HOUR_LINES
    );
    await page.focus("main");
    const isInside = () => page.evaluate(() => document.activeElement?.closest("main") !== null);
    let stops = 0;
    for (; stops <= HOUR_LINES; stops += 1) {
      await page.keyboard.press("Tab");
      if (!(await isInside())) break;
    }
    await page.unroute(/files\/transcript\.json/u);
    assert.isAtLeast(stops, (await actions()).length);
    assert.isAtMost(stops, HOUR_TAB_STOPS_MAX);
  });
});
