// @module-tag long
/**
 * The app in a real browser, against a real server: the whole journey, every screen checked by axe in both
 * themes and at 320 pixels, untrusted text. Skipped without Chromium.
 */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import { followLink, visit, type Driven } from "./Driven.ts";
import { LIST_EVERY_MS } from "./ExtractionItems.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const TALK = {
  type: "object",
  properties: { speaker: { type: "string" }, topic: { type: "string" }, price: { type: "integer" } },
  required: ["speaker", "topic", "price"]
};

/** Near the pause of a held download (TalkSite). */
const HELD_FROM_PERCENT = 60;

describe.skipIf(findChromium() === null)("the web app in a browser", () => {
  let app: App;
  let stage: Stage;
  let driven: Driven;
  let context: BrowserContext;
  let page: Page;
  let talkId = "";
  let carouselId = "";
  let hostileId = "";
  let failedId = "";

  const screens: Readonly<Record<string, () => string>> = {
    list: () => "",
    preview: () => `?peek=${talkId}`,
    new: () => "new",
    talk: () => `runs/${talkId}`,
    carousel: () => `runs/${carouselId}`,
    "failed run": () => `runs/${failedId}`,
    failure: () => "runs/none",
    schemas: () => "schemas",
    "new schema": () => "schemas/new",
    "predefined schema": () => "schemas/winnow.predefined.recipe.v1",
    keys: () => "developers/keys",
    webhooks: () => "developers/webhooks",
    mcp: () => "developers/mcp",
    usage: () => "settings/usage",
    account: () => "settings/account",
    unknown: () => "nowhere",
    operator: () => "operator"
  };

  const open = async (screen: string): Promise<void> => {
    await page.goto(stage.app + screen);
    await page.waitForSelector("h1");
  };
  const run = async (body: Parameters<Stage["client"]["submit"]>[0]): Promise<string> => {
    const { id } = await stage.client.submit(body);
    await stage.client.extractions.wait(id);
    return id;
  };

  beforeAll(async () => {
    app = await openApp();
    ({ stage, driven, context, page } = app);
    talkId = await run({
      url: `${stage.talks.url}/long-talk`,
      schema: TALK,
      inputs: ["transcript", "video"]
    });
    carouselId = await run({ url: `${stage.site}/carousel` });
    hostileId = await run({ url: `${stage.talks.url}/hostile` });
    failedId = await run({ url: `${stage.site}/nowhere` });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("tells signed-out people what to do, and signs in with a link", async () => {
    await page.goto(stage.app);
    await page.waitForSelector("h1:has-text('Sign in')");
    assert.deepStrictEqual(await faultsOf(page), []);
    driven.noise.length = 0;
    const layout = () =>
      page.$$eval("h1, .brand", (all) =>
        all.map((each) => [each.getBoundingClientRect().left, getComputedStyle(each).fontSize])
      );
    const own = await layout();
    // A link that is wrong, and a right one, are pages of the server that look like it.
    await page.fill("input", "https://elsewhere.example/sign-in?token=wrong");
    await page.click("text=Open");
    await page.waitForSelector("h1:has-text('This link no longer works')");
    assert.deepStrictEqual(await layout(), own);
    await page.goto(stage.app);
    await page.fill("input", await stage.signInUrl());
    await page.keyboard.press("Enter");
    await page.waitForSelector("button:has-text('Sign in')");
    assert.deepStrictEqual(await layout(), own);
    await page.click("button:has-text('Sign in')");
    await page.waitForSelector("[data-run]");
    assert.strictEqual(await page.title(), "Extractions – Winnow");
    assert.strictEqual(new URL(page.url()).pathname, "/app/");
  });

  it("quotes, submits, and shows the result", async () => {
    await open("new");
    await page.keyboard.type(`${stage.site}/talk`);
    const button = page.locator("button.main[type=submit]");
    await page.waitForFunction(() =>
      /\d/u.test(document.querySelector("button.main[type=submit]")?.textContent ?? "")
    );
    const quoted = Number(/\d+/u.exec((await button.textContent()) ?? "")?.[0]);
    await button.click();
    await page.waitForSelector("video");
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { creditsDebited, madeBy } = await stage.client.extractions.get(id);
    assert.strictEqual(creditsDebited, quoted);
    assert.strictEqual(madeBy, "web");
  });

  it("shows the progress of a run, and its result when it ends", async () => {
    let release = (): void => undefined;
    stage.talks.hold = new Promise((resolve) => (release = resolve));
    const { id } = await stage.client.submit({
      url: `${stage.talks.url}/long-talk`,
      parts: ["video"],
      force: true
    });
    // What comes after is only repeated, every few seconds.
    for await (const { event, data } of stage.client.extractions.events(id)) {
      if (event === "progress" && (data.percent ?? 0) > HELD_FROM_PERCENT) break;
    }
    await open(`runs/${id}`);
    await page.waitForSelector(".status.working");
    await page.waitForSelector("text=The result appears here automatically");
    await page.waitForFunction(() =>
      /^[1-9]\d? %$/u.test(document.querySelector(".percent")?.textContent ?? "")
    );
    await page.waitForSelector("text=/B fetched/");
    assert.deepStrictEqual(await faultsOf(page), []);
    assert.strictEqual(await page.textContent(".steps [aria-current=step]"), "Fetching");
    // Only for people who do not ask for less motion.
    const animations = () => page.evaluate(() => document.getAnimations().length);
    assert.strictEqual(await animations(), 0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    assert.isAbove(await animations(), 0);
    await page.emulateMedia({ reducedMotion: "reduce" });
    release();
    stage.talks.hold = null;
    await page.waitForSelector("video");
    assert.strictEqual((await stage.client.extractions.get(id)).status, "complete");
  });

  it("jumps from evidence to its time, and marks the words across lines", async () => {
    await open(`runs/${talkId}`);
    await page.waitForSelector("[data-line]");
    await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 1);
    await page.click("[data-quote] >> nth=1");
    await page.waitForFunction(() => Math.abs((document.querySelector("video")?.currentTime ?? 0) - 245) < 1);
    const marked = await page.locator(".lines mark").allTextContents();
    assert.deepStrictEqual(marked, [
      "how the wind sorts grain from chaff",
      "and why nobody has found a better way since"
    ]);
    await page.waitForSelector('[data-line="49"][aria-current]');
    await page.keyboard.press("e");
    await page.waitForFunction(() => Math.abs((document.querySelector("video")?.currentTime ?? 0) - 485) < 1);
    await page.click('[data-line="97"] button');
    await page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) >= 485);
  });

  it("follows the player in the transcript, until the reader scrolls", async () => {
    await open(`runs/${talkId}`);
    await page.waitForSelector("[data-line]");
    await page.click('[data-line="49"] button');
    await page.$eval("video", (video: HTMLVideoElement) => {
      video.muted = true;
      video.playbackRate = 16;
      return video.play();
    });
    const lines = page.locator("ol.lines");
    const playsAfter = (line: number) =>
      page.waitForFunction(
        (before) =>
          Number(document.querySelector<HTMLElement>("[aria-current][data-line]")?.dataset["line"]) > before,
        line
      );
    await playsAfter(50);
    const at = await lines.evaluate((list) => list.scrollTop);
    await playsAfter(53);
    assert.isAbove(await lines.evaluate((list) => list.scrollTop), at);
    await lines.hover();
    await page.mouse.wheel(0, -4_000);
    await page.waitForFunction(() => document.querySelector("ol.lines")?.scrollTop === 0);
    await playsAfter(56);
    assert.strictEqual(await lines.evaluate((list) => list.scrollTop), 0);
  });

  it("previews the picture, the values with their quotes, and the first lines", async () => {
    await open(`?peek=${talkId}`);
    const preview = page.locator("aside.peek");
    await preview.locator(".peek-image").waitFor();
    assert.include(await preview.locator(".values").innerText(), "12");
    assert.isAbove(await preview.locator(".values q").count(), 0);
    await preview.locator("text=You loosen everything first").waitFor();
  });

  it("finds words in the transcript", async () => {
    await open(`runs/${talkId}`);
    await page.waitForSelector("[data-line]");
    await page.keyboard.press("/");
    await page.keyboard.type("kilo");
    await page.waitForSelector("text=1 of 1");
    assert.strictEqual(await page.locator(".lines .hit mark").textContent(), "kilo");
  });

  it("has one tab stop for the whole transcript, which the arrow keys move", async () => {
    await open(`runs/${talkId}`);
    await page.waitForSelector("[data-line]");
    const stops = page.locator('.lines button[tabindex="0"]');
    const isFocused = (line: string) =>
      page.locator(`${line} button`).evaluate((button) => button === document.activeElement);
    await stops.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    assert.isTrue(await isFocused('[data-line="1"]'));
    await page.keyboard.press("End");
    assert.isTrue(await isFocused("[data-line]:last-child"));
    assert.strictEqual(await stops.count(), 1);
  });

  it("shows a source's metadata, and where each value was read", async () => {
    await open(`runs/${talkId}`);
    await page.waitForSelector("[data-fact=author]");
    const author = page.locator("[data-fact=author]");
    assert.deepStrictEqual(await author.locator("dd").allTextContents(), ["Ada Korn", "JSON-LD"]);
    assert.include(await page.textContent("[data-fact=publishedAt] dd"), "14 Mar 2026");
    const thing = page.locator("details:has(summary:has-text('What the wind knows'))");
    await thing.locator("summary").click();
    assert.include(await thing.textContent(), "durationSeconds10:00");
  });

  it("shows untrusted text as text", async () => {
    await open(`runs/${hostileId}`);
    assert.include(await page.textContent(":has(.prose) h1"), "<img src=x onerror=");
    assert.strictEqual(await page.locator('main img, main a[href^="javascript"]').count(), 0);
    assert.notStrictEqual(await page.title(), "owned");
  });

  it("shows a table whole, however long the text is around it", async () => {
    const [shown, whole] = await page.locator(".prose").evaluate((prose) => {
      const table = Object.assign(document.createElement("div"), { innerText: "A" });
      table.classList.add("table-scroll");
      prose.append(table, Object.assign(document.createElement("p"), { innerText: "b\n".repeat(400) }));
      return [table.clientHeight, table.scrollHeight];
    });
    assert.strictEqual(shown, whole);
  });

  it("supports keys in the list, the preview, and filters in the URL", async () => {
    await open("");
    await page.waitForSelector("[data-run]");
    await page.keyboard.press("j");
    await page.keyboard.press(" ");
    await page.waitForSelector("aside.peek h2");
    assert.match(page.url(), /peek=ext_/u);
    await page.keyboard.press("Escape");
    await page.waitForSelector("aside.peek", { state: "detached" });
    await page.selectOption("select >> nth=2", "photos");
    await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 1);
    assert.match(page.url(), /kind=photos/u);
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 1);
    assert.strictEqual(await page.getAttribute("[data-run]", "data-run"), carouselId);
  });

  it("creates a key whose extractions appear without a reload", async () => {
    const tab = await driven.page(context);
    await tab.clock.install();
    await tab.goto(`${stage.app}developers/keys`);
    await tab.click("text=Create a key");
    await tab.fill("dialog input", "of the test");
    await tab.click("dialog button[type=submit]");
    const key = (await tab.textContent("dialog pre")) ?? "";
    await tab.click("text=I have saved it");
    await tab.click("nav >> text=Extractions");
    await tab.waitForSelector("[data-run]");
    const response = await fetch(`${stage.server.url}/v1/extractions`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ url: `${stage.site}/article` })
    });
    assert.strictEqual(response.status, 201);
    await tab.clock.fastForward(LIST_EVERY_MS);
    await tab.waitForSelector("text=Key “of the test”");
    await tab.close();
  });

  it("saves a schema made of fields, and its next version", async () => {
    await open("schemas/new");
    await page.fill("form input >> nth=0", "dishes");
    await page.fill(".field-row input >> nth=0", "dish");
    await page.click("button[type=submit]");
    await page.waitForSelector("text=Save as version 2");
    await page.click("text=Add a field");
    await page.fill(".field-row >> nth=1 >> input >> nth=0", "minutes");
    await page.click("text=Save as version 2");
    await page.waitForSelector("text=Save as version 3");
    const saved = (await stage.client.schemas.page({ limit: 100 })).data.filter(
      ({ name }) => name === "dishes"
    );
    assert.deepStrictEqual(saved.map(({ version }) => version).toSorted(), [1, 2]);
    await page.goto(`${stage.app}schemas/${saved.find(({ version }) => version === 1)?.id}`);
    const shown = page.locator("select.versions :checked", { hasText: "Version 1 of 2" });
    await shown.waitFor({ state: "attached" });
    assert.isTrue(await page.isDisabled("text=Save as version 3"));
    await page.click("text=Add a field");
    await page.fill(".field-row >> nth=1 >> input >> nth=0", "hours");
    assert.isTrue(await page.isEnabled("text=Save as version 3"));
  });

  describe.each(Object.keys(screens))("the screen %s", (name) => {
    it("passes axe in both themes, and does not scroll sideways when zoomed or small", async () => {
      const screen = screens[name]?.() ?? "";
      // The preview has the title of the list, and the operator's app is another one.
      const isLoaded = ["list", "preview", "operator"].includes(name);
      await (isLoaded ? open(screen) : visit(page, stage.app + screen));
      await page.waitForFunction(() => document.querySelector(".loading, .skeleton") === null);
      assert.deepStrictEqual(await faultsOf(page), []);
    });
  });

  it.each([
    ["of all keys", "", () => page.keyboard.press("?")],
    ["of a new key", "developers/keys", () => page.click("text=Create a key")],
    ["of a new endpoint", "developers/webhooks", () => page.click("text=Add an endpoint")],
    ["before everybody is signed out", "settings/account", () => page.click("text=Sign out everywhere")]
  ])("the dialog %s has no fault for axe", async (_, screen, opened) => {
    await open(screen);
    await page.waitForFunction(() => document.querySelector(".loading, .skeleton") === null);
    await opened();
    await page.waitForSelector("dialog[open]");
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog[open]", { state: "detached" });
  });

  it("logs nothing to the console: no policy blocks anything", () => {
    // The browser itself logs missing resources and 401 responses.
    assert.deepStrictEqual(
      driven.noise.filter((line) => !/status of (?:401|404)/u.test(line)),
      []
    );
  });

  it("keeps the input when the session ends", async () => {
    await open("new");
    await page.fill("#address", "https://example.com/typed");
    await stage.admin.accounts.signOutEverywhere(stage.account.id);
    await page.waitForSelector("dialog:has-text('Your session ended') a:focus:has-text('Sign in')");
    const other = await driven.page(context);
    await followLink(other, await stage.signInUrl());
    await other.waitForSelector("[data-run]");
    await other.close();
    await page.click("text=I am signed in again");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.strictEqual(await page.inputValue("#address"), "https://example.com/typed");
  });

  it("signs out", async () => {
    await open("settings/account");
    await page.click("text=/^Sign out$/");
    await page.waitForSelector("h1:has-text('Sign in')");
    await page.reload();
    await page.waitForSelector("h1:has-text('Sign in')");
    assert.deepStrictEqual(await context.cookies(), []);
  });

  it("lets the operator create an account and a link, with the admin token only", async () => {
    await open("operator");
    await page.fill("input[type=password]", "wrong");
    await page.click("text=Continue");
    await page.waitForSelector("text=This is not this server");
    await page.fill("input[type=password]", stage.server.adminToken);
    await page.click("text=Continue");
    // The token form is still shown for a moment.
    const name = `Made beside ${stage.account.id}`;
    await page.fill("form:has-text('Create account') input", name);
    await page.click("text=Create account");
    await page.waitForSelector(`h2:has-text('${name}')`);
    await page.fill("input[type=search]", name);
    await page.click("form[role=search] button");
    await page.waitForFunction(() => document.querySelectorAll("main li h2").length === 1);
    await page.click("main li >> text=Sign-in link");
    const link = (await page.textContent("main li pre")) ?? "";
    assert.match(link, /\/sign-in\?token=/u);
    assert.deepStrictEqual(await faultsOf(page), []);
    await followLink(page, link);
    await page.waitForSelector("text=Nothing extracted yet");
  });
});
