// @module-tag long
/**
 * States of screens that a well-behaved server never causes: refused, delayed, unreachable, and far more data
 * than usual. The app is the built one from a real server; individual responses are replaced.
 */
import type { Page, Route } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import { followLink, type Driven } from "./Driven.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

/** The server's own answer, with these fields of its body. */
const answeredWith = (fields: object) => async (route: Route) => {
  const response = await route.fetch();
  await route.fulfill({ response, json: { ...((await response.json()) as object), ...fields } });
};

const IMAGES = 100;
/** A talk of some five hours. */
const LINES = 5_000;

const refusal = (status: number, code: string, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { "x-request-id": "request-of-the-test", ...headers },
  json: { error: { code, message } }
});

describe.skipIf(findChromium() === null)("a screen of the web app", () => {
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
    await app.signIn("[data-run]");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const replaced = async (
    pattern: RegExp,
    answer: (route: Route) => Promise<void>,
    test: () => Promise<void>
  ) => {
    await page.route(pattern, answer);
    await test();
    await page.unroute(pattern);
  };

  it("shows the server's message with its request id, and retries on request", async () => {
    const fault = refusal(403, "forbidden", "This is refused by the test.");
    await replaced(
      /\/v1\/api-keys/u,
      (route) => route.fulfill(fault),
      async () => {
        await page.goto(`${stage.app}developers/keys`);
        await page.waitForSelector("text=This is refused by the test.");
        assert.strictEqual(await page.textContent("[role=alert] code"), "request-of-the-test");
      }
    );
    await page.click("text=Try again");
    await page.waitForSelector("text=demo");
  });

  it("counts down the wait of a rate limit", async () => {
    const held = refusal(429, "rate_limited", "Too many requests.", { "retry-after": "30" });
    await replaced(
      /\/v1\/usage/u,
      (route) => route.fulfill(held),
      async () => {
        await page.goto(`${stage.app}settings/usage`);
        const button = page.locator("button:has-text('Try again in')");
        await button.waitFor();
        assert.isTrue(await button.isDisabled());
        assert.match((await button.textContent()) ?? "", /Try again in (?:30|2\d) s/u);
      }
    );
  });

  it("opens where somebody wanted to go before the sign-in", async () => {
    const tab = await driven.page(await driven.context());
    await tab.goto(`${stage.app}runs/${talkId}`);
    await tab.waitForSelector("h1:has-text('Sign in')");
    await followLink(tab, await stage.signInUrl());
    await tab.waitForURL(`**/runs/${talkId}`);
    await tab.goto(stage.app);
    await tab.waitForSelector("[data-run]");
    assert.strictEqual(tab.url(), stage.app);
    await tab.context().close();
  });

  it("has the chosen theme before the app's script has loaded", async () => {
    const context = await driven.context({ cookies: await page.context().cookies() });
    const tab = await driven.page(context);
    const theme = () => tab.getAttribute("html", "data-theme");
    await tab.goto(`${stage.app}settings/account`);
    await tab.getByLabel("Theme").selectOption("dark");
    assert.strictEqual(await theme(), "dark");
    await tab.route(/\/assets\/.*\.js$/u, () => Promise.resolve());
    await tab.goto(stage.app, { waitUntil: "commit" });
    await tab.waitForFunction(() => document.body !== null);
    assert.strictEqual(await theme(), "dark");
    await context.close();
  });

  it("passes axe while the account is loading", async () => {
    const never = (): Promise<void> => Promise.resolve();
    await replaced(/\/v1\/account$/u, never, async () => {
      await page.goto(stage.app);
      await page.waitForSelector("a.balance .skeleton");
      assert.deepStrictEqual(await faultsOf(page), []);
    });
  });

  it("says that the browser is offline, and recovers automatically", async () => {
    await page.goto(`${stage.app}settings/account`);
    await page.waitForSelector("text=Sessions");
    await page.context().setOffline(true);
    await page.click("nav >> text=Extractions");
    await page.click("nav >> text=Developers").catch(() => undefined);
    await page.context().setOffline(false);
    await page.waitForSelector("text=Create a key");
    await page.waitForFunction(() => document.querySelectorAll("[role=alert]").length === 0);
    assert.include(page.url(), "developers/keys");
  });

  it("says so if a part of it cannot be loaded, and recovers", async () => {
    // A new context has an empty cache.
    const context = await driven.context({ cookies: await page.context().cookies() });
    const fresh = await driven.page(context);
    await fresh.goto(stage.app);
    await fresh.waitForSelector("[data-run]");
    await context.setOffline(true);
    await fresh.click("nav >> text=Schemas");
    await fresh.waitForSelector("[role=alert]:has-text('You are offline')");
    await fresh.click("[role=alert] >> text=Try again");
    assert.strictEqual(await fresh.locator("[role=alert]").count(), 1);
    await context.setOffline(false);
    await fresh.waitForSelector("h1:text-is('Schemas')");
    assert.strictEqual(await fresh.locator("[role=alert]").count(), 0);
    await context.close();
  });

  it("leads on from what does not exist", async () => {
    await page.goto(`${stage.app}runs/ext_none`);
    await page.waitForSelector("[role=alert]:has-text('There is no such extraction.')");
    await page.click("[role=alert] a:text-is('Go to Extractions')");
    await page.waitForSelector("[data-run]");
    assert.strictEqual(page.url(), stage.app);
  });

  it("handles a transcript of several hours: the current line is marked, words are found", async () => {
    const segments = Array.from({ length: LINES }, (_, index) => ({
      startSec: index * 4,
      endSec: index * 4 + 4,
      text: `Sentence number ${index} of a talk that goes on for a very long time indeed.`
    }));
    await replaced(
      /files\/transcript\.json/u,
      (route) => route.fulfill({ json: { language: "en", segments } }),
      async () => {
        await page.goto(`${stage.app}runs/${talkId}`);
        await page.waitForFunction(
          (count) => document.querySelectorAll("[data-line]").length === count,
          LINES
        );
        await page.fill("#transcript-search", "number 4321 ");
        await page.waitForSelector("text=1 of 1");
        const row = page.locator('[data-line="4321"].hit');
        await row.locator("button").click();
        await page.fill("#transcript-search", "number 432");
        // The lines 432, 4320 to 4329: Enter goes on, Shift+Enter back, around the end.
        await page.waitForSelector("text=1 of 11");
        await page.press("#transcript-search", "Enter");
        await page.waitForSelector("text=2 of 11");
        await page.waitForSelector('[data-line="4320"].hit');
        await page.press("#transcript-search", "Shift+Enter");
        await page.press("#transcript-search", "Shift+Enter");
        await page.waitForSelector('[data-line="4329"].hit');
        await page.fill("#transcript-search", "nowhere");
        await page.waitForSelector("text=Not found");
        await page.fill("#transcript-search", "");
      }
    );
    assert.strictEqual(await page.locator(".lines").count(), 1);
  });

  it("handles a post of a hundred images", async () => {
    await replaced(
      new RegExp(`${talkId}/result`, "u"),
      async (route) => {
        const response = await route.fetch();
        const result = (await response.json()) as {
          artifacts: { thumbnail: string; images: ReadonlyArray<string> };
        };
        const { thumbnail } = result.artifacts;
        result.artifacts.images = Array.from({ length: IMAGES }, (_, index) => `${thumbnail}?${index}`);
        await route.fulfill({ response, json: result });
      },
      async () => {
        await page.goto(`${stage.app}runs/${talkId}`);
        await page.waitForFunction(
          (count) => document.querySelectorAll(".image-grid img").length === count,
          IMAGES
        );
        assert.strictEqual(await page.locator('.image-grid img[alt="Image 100"]').count(), 1);
      }
    );
  });

  it("shows fifty comments, and all on request", async () => {
    const comments = Array.from({ length: 60 }, (_, at) => ({
      id: String(at),
      author: at === 1 ? null : "Ada",
      text: `Number ${at}`,
      likeCount: 1_200 + at,
      parentId: at === 1 ? "0" : null
    }));
    await page.route(/files\/comments\.json/u, (route) => route.fulfill({ json: comments }));
    const told = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      const result = (await response.json()) as { readonly summary: object };
      const summary = { ...result.summary, commentsFile: "comments.json" };
      await route.fulfill({ response, json: { ...result, summary } });
    };
    await replaced(new RegExp(`${talkId}/result`, "u"), told, async () => {
      await page.goto(`${stage.app}runs/${talkId}`);
      const shown = page.locator("[aria-label=Comments] li");
      await shown.nth(49).waitFor();
      assert.strictEqual(await shown.count(), 50);
      assert.strictEqual(await shown.nth(0).innerText(), "Ada · 1,200 likes\n\nNumber 0");
      assert.include(await page.innerText(".comment.answer"), "Unknown author");
      await page.click("[aria-label=Comments] >> text=Show more");
      await shown.nth(59).waitFor();
    });
    await page.unroute(/files\/comments\.json/u);
  });

  it("shows the words of a slide beside its picture, and marks a quote from them", async () => {
    const words = "[1] Soda bread\n\n[3] Bake at 180 degrees\nfor 45 minutes. [1] Soda bread\n";
    const evidence = { "/dish": [{ source: "slides", quote: "Bake at\n180 degrees", slide: 3 }] };
    await page.route(/files\/slides\.txt/u, (route) => route.fulfill({ body: words }));
    await replaced(
      new RegExp(`${talkId}/result`, "u"),
      async (route) => {
        const response = await route.fetch();
        const result = (await response.json()) as {
          summary: { files: ReadonlyArray<string> };
          artifacts: { thumbnail: string; images: ReadonlyArray<string> };
        };
        const { artifacts, summary } = result;
        artifacts.images = [1, 2, 3].map((number) => `${artifacts.thumbnail}?/image.0${number}.jpg`);
        summary.files = [...summary.files, "slides.txt"];
        const json = { ...result, outcome: "ok", extraction: { dish: "Soda bread" }, evidence };
        await route.fulfill({ response, json });
      },
      async () => {
        await page.goto(`${stage.app}runs/${talkId}`);
        const beside = page.locator(".image-grid.worded li");
        await beside.nth(2).locator("p").waitFor();
        assert.deepStrictEqual(await beside.locator("p").allInnerTexts(), [
          "Soda bread",
          "Bake at 180 degrees\nfor 45 minutes. [1] Soda bread"
        ]);
        await page.click('[data-quote]:has-text("Image 3")');
        assert.strictEqual(await beside.nth(2).locator("mark").innerText(), "Bake at 180 degrees");
        assert.strictEqual(await page.locator(".image-grid mark").count(), 1);
      }
    );
    await page.unroute(/files\/slides\.txt/u);
  });

  it("marks a quote that does not support the value, and names the page of one in a document", async () => {
    const evidence = {
      "/total": [{ source: "page", quote: "Sum of all items: 12", page: 7 }],
      "/paid": [{ source: "page", quote: "Not paid yet", page: 8, supported: false }]
    };
    await replaced(
      new RegExp(`${talkId}/result`, "u"),
      answeredWith({ outcome: "ok", extraction: { total: 12, paid: true }, evidence }),
      async () => {
        await page.goto(`${stage.app}runs/${talkId}`);
        await page.waitForSelector("[data-quote]");
        const quotes = await page.locator("[data-quote]").allTextContents();
        assert.lengthOf(quotes, 2);
        assert.include(quotes[0], "Page 7");
        assert.notInclude(quotes[0], "bear");
        assert.include(quotes[1], "Page 8");
        assert.include(quotes[1], "This quote does not support the value");
      }
    );
    assert.strictEqual(await page.locator(".file-list a:text-is('metadata.json')").count(), 1);
  });

  it("raises no alarm about parts that nobody asked for, or that the kind of source cannot have", async () => {
    const parts = { transcript: "found", comments: "not_found", audio: "not_found", video: "not_found" };
    const told = {
      parts,
      warnings: ["None there.", "In German."],
      warningCodes: ["not_found", "other_language"]
    };
    const open = async (request: object): Promise<void> => {
      await page.route(/\/request$/u, (route) => route.fulfill({ json: { url: stage.site, ...request } }));
      await page.goto(`${stage.app}runs/${talkId}`);
      await page.waitForSelector(".file-list a");
    };
    await page.route(new RegExp(`extractions/${talkId}$`, "u"), answeredWith({ kind: "webpage" }));
    await replaced(new RegExp(`${talkId}/result`, "u"), answeredWith(told), async () => {
      await open({ parts: ["comments"] });
      await page.waitForSelector(".notice:text-is('None there.')");
      await page.unroute(/\/request$/u);
      await open({});
      await page.waitForSelector("[aria-label=Request] dd");
      assert.deepStrictEqual(await page.locator(".notice").allTextContents(), ["In German."]);
      assert.strictEqual(await page.locator("[aria-label=Parts]").count(), 0);
    });
    await page.unroute(/\/request$/u);
    await page.unroute(new RegExp(`extractions/${talkId}$`, "u"));
  });

  it("says why a run failed, what helps, and where to read more", async () => {
    const { id } = await stage.client.submit({ url: `${stage.site}/nowhere` });
    await stage.client.extractions.wait(id);
    const result = await stage.client.extractions.result(id);
    assert.strictEqual(result.status, "failed");
    await page.goto(`${stage.app}runs/${id}`);
    const failed = page.locator("section.problem");
    assert.include(await failed.innerText(), result.status === "failed" ? result.failure.hint : "");
    assert.strictEqual(
      await failed.locator("a").getAttribute("href"),
      "/docs/troubleshooting#reasons-of-failed-runs"
    );
  });

  it("marks a quote from the metadata", async () => {
    const quote = "about sieves";
    await replaced(
      new RegExp(`${talkId}/result`, "u"),
      answeredWith({
        outcome: "ok",
        extraction: { topic: "sieves" },
        evidence: { "/topic": [{ source: "metadata", quote }] }
      }),
      async () => {
        await page.goto(`${stage.app}runs/${talkId}`);
        await page.waitForSelector("[data-fact=title]");
        await page.click("[data-quote]");
        assert.strictEqual(await page.textContent("[data-fact=title] mark"), quote);
        await page.waitForSelector("#announcer:text-is('Quote marked')", { state: "attached" });
      }
    );
  });

  it("shows the selection in forced colours", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(`${stage.app}runs/${talkId}`);
    await page.click("[data-line] >> nth=1 >> button");
    await page.waitForSelector("[data-line][aria-current]");
    const outlines = await page.evaluate(() =>
      ["[data-line][aria-current]", "[data-line]:not([aria-current])", "nav a[aria-current]"].map(
        (each) => getComputedStyle(document.querySelector(each) ?? document.body).outlineStyle
      )
    );
    await page.emulateMedia({ forcedColors: "none" });
    assert.deepStrictEqual(outlines, ["solid", "none", "solid"]);
  });

  it("is fully usable with the Tab key, starting with the skip link", async () => {
    await page.goto(`${stage.app}settings/usage`);
    await page.waitForSelector("text=Balance after");
    await page.keyboard.press("Tab");
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.isTrue(
      await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement) ?? false)
    );
  });
});
