// @module-tag long
/** The pages at /docs in a browser: the reference, the guides, their theme and search. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import type { Driven } from "./Driven.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

describe.skipIf(findChromium() === null)("the docs in a browser", () => {
  let app: App;
  let stage: Stage;
  let driven: Driven;
  let page: Page;
  let docs = "";

  beforeAll(async () => {
    app = await openApp();
    ({ stage, driven, page } = app);
    docs = `${stage.server.url}/docs`;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("are reached from the app: the reference with its samples, which needs no other host, and from it the guides", async () => {
    const asked: Array<string> = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    await app.signIn();
    await page.click("nav a:text-is('Docs')");
    await page.waitForURL(docs);
    await page.getByRole("heading", { name: "Submit an extraction", exact: true }).first().waitFor();
    assert.deepStrictEqual([...new Set(asked)], [stage.server.url]);
    await page.getByRole("link", { name: "Guides" }).click();
    await page.waitForURL(`${docs}/README`);
    await page.click("nav >> text=The app");
    await page.waitForURL(`${stage.server.url}/app/**`);
  });

  it("show their contents at a button in small windows, without faults for axe", async () => {
    await page.goto(`${docs}/README`);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    const link = page.locator("nav >> text=Start here");
    assert.isFalse(await link.isVisible());
    await page.click("text=Contents");
    await link.click();
    await page.waitForURL(`${docs}/start`);
    assert.deepStrictEqual(await faultsOf(page), []);
  });

  it("go to the search with /, and have the theme that was chosen in the app", async () => {
    await page.evaluate(() => localStorage.setItem("winnow.theme", "dark"));
    await page.goto(`${docs}/start`);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.strictEqual(background, "rgb(19, 21, 22)");
    await page.keyboard.press("/");
    await page.keyboard.type("verify/");
    assert.strictEqual(await page.inputValue("input[type=search]"), "verify/");
  });

  it("find the places that have every word, and show words as text", async () => {
    await page.fill("input[type=search]", "verify signature");
    await page.keyboard.press("Enter");
    await page.click("#findings a[href='webhooks#verify']");
    await page.waitForURL(`${docs}/webhooks#verify`);
    await page.goto(`${docs}/search?q=%3Cb%3Enothing`);
    const told = await page.locator("#findings p").textContent();
    assert.include(told, "Nothing has all the words of “<b>nothing”");
  });

  it("break no policy and print no error but of the question whether somebody is signed in", () => {
    const unexpected = driven.noise.filter((line) => !/status of (?:401|404)/u.test(line));
    assert.deepStrictEqual(unexpected, []);
  });
});
