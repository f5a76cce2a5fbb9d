// @module-tag long
/** The pages at /docs in a browser: sending with the session, the remembered language, the theme, and the search. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import type { Driven } from "./Driven.ts";
import { faultsOf, NARROW_ONLY } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

describe.skipIf(findChromium() === null)("the docs in a browser", () => {
  let app: App;
  let stage: Stage;
  let driven: Driven;
  let page: Page;
  let docs = "";
  let reference = "";

  beforeAll(async () => {
    app = await openApp();
    ({ stage, driven, page } = app);
    docs = `${stage.server.url}/docs`;
    reference = `${docs}/api/extractions`;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const open = (operation: string) => page.locator(`article[id="${operation}"] .try`);

  it("send nothing until somebody is signed in, and then reading requests, with the answer below", async () => {
    await page.goto(reference);
    const operation = open("extractions.get");
    await operation.locator("summary").click();
    assert.include(await operation.textContent(), "Sign in to the web app");
    assert.isTrue(await operation.locator("button").isDisabled());
    assert.strictEqual(await open("extractions.submit").count(), 0);
    await app.signIn();
    await page.click("nav a:text-is('Docs')");
    await page.waitForURL(docs);
    await page.goto(reference);
    const { name } = await stage.client.account();
    await operation.locator("summary").click();
    await operation.getByText(`Signed in as ${name}.`).waitFor();
    await operation.getByLabel("id").fill("ext_none/../..");
    await operation.getByRole("button", { name: "Send" }).click();
    await operation.getByText(/404 .* in \d+ ms/u).waitFor();
    assert.include(await operation.locator("pre").textContent(), '"code": "not_found"');
    const list = open("extractions.list");
    await list.locator("summary").click();
    await list.getByLabel("status").fill("complete");
    const asked = page.waitForRequest(/\/v1\/extractions/u);
    await list.getByRole("button", { name: "Send" }).click();
    assert.strictEqual(new URL((await asked).url()).search, "?status=complete");
    await list.getByText(/200 .* in \d+ ms/u).waitFor();
    assert.include(await list.locator("pre").textContent(), '"data": []');
    // A page of the reference that has all kinds of parts, and is a third as long.
    await page.goto(`${docs}/api/schemas`);
    const schemas = open("schemas.listSchemas");
    await schemas.locator("summary").click();
    await schemas.getByRole("button", { name: "Send" }).click();
    await schemas.getByText(/200 .* in \d+ ms/u).waitFor();
    assert.deepStrictEqual(await faultsOf(page), []);
  });

  it("remember the language of the examples, also with the keyboard alone", async () => {
    await page.goto(reference);
    const example = page.locator('article[id="extractions.submit"] .example');
    await page.locator("#in-curl").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.reload();
    const shown = await example.evaluateAll((all) =>
      all.filter((each) => getComputedStyle(each).display !== "none").map((each) => each.textContent ?? "")
    );
    assert.match(shown.join("\n---\n"), /^import os\n(?:(?!---)[\s\S])*$/u);
  });

  it("lead old links to the one page of the reference on to the page of their operation or type", async () => {
    for (const [anchor, path] of [
      ["extractions.get", "extractions"],
      ["schema-SubmitBody", "types"]
    ] as const) {
      await page.goto(`${docs}#${anchor}`);
      await page.waitForURL(`${docs}/api/${path}#${anchor}`);
      const article = await page.waitForSelector(`article[id="${anchor}"]`);
      const { y = -1 } = (await article.boundingBox()) ?? {};
      assert.isAtLeast(y, 0);
      assert.isBelow(y, page.viewportSize()?.height ?? 0);
    }
  });

  it("show their contents at a button in small windows, without faults for axe", async () => {
    await page.goto(docs);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    const link = page.locator("nav >> text=Start here");
    assert.isFalse(await link.isVisible());
    await page.click("text=Contents");
    await link.click();
    await page.waitForURL(`${docs}/start`);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(reference);
    await page.click("text=Contents");
    await page.click("nav >> text=Cancel an extraction");
    await page.waitForSelector("nav", { state: "hidden" });
    // The longest page.
    assert.deepStrictEqual(await faultsOf(page, NARROW_ONLY), []);
  });

  it("go to the search with /, and have the theme that was chosen in the app", async () => {
    await page.evaluate(() => localStorage.setItem("winnow.theme", "dark"));
    for (const path of ["", "/start"]) {
      await page.goto(docs + path);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.strictEqual(background, "rgb(19, 21, 22)");
      await page.keyboard.press("/");
      await page.keyboard.type("signature/");
      assert.strictEqual(await page.inputValue("input[type=search]"), "signature/");
    }
  });

  it("break no policy and print no error but of the question whether somebody is signed in", () => {
    const unexpected = driven.noise.filter((line) => !/status of (?:401|404)/u.test(line));
    assert.deepStrictEqual(unexpected, []);
  });
});
