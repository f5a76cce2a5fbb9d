// @module-tag long
/** The form of a new extraction: its fields, what it offers, and what it keeps. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { PREDEFINED } from "../../core/src/domain/json-schema/Predefined.ts";
import { openApp, type App } from "./App.ts";
import type { Driven } from "./Driven.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const SMALL = { width: 320, height: 700 };
const WIDE = { width: 1_280, height: 860 };

describe.skipIf(findChromium() === null)("the form of a new extraction", () => {
  let app: App;
  let stage: Stage;
  let driven: Driven;
  let page: Page;

  const open = async (screen: string): Promise<void> => {
    await page.goto(stage.app + screen);
    await page.waitForSelector("h1");
  };

  beforeAll(async () => {
    app = await openApp();
    ({ stage, driven, page } = app);
    await app.signIn();
  });
  afterAll(async () => {
    // Some of the URLs that are typed do not exist.
    assert.deepStrictEqual(
      driven.noise.filter((line) => !/status of (?:4\d\d|502)/u.test(line)),
      []
    );
    await app[Symbol.asyncDispose]();
  });

  it("opens a predefined schema as fields, and saves it as it was under another name", async () => {
    const id = "winnow.predefined.recipe.v1";
    await open(`schemas/${id}`);
    await page.waitForSelector(".field-row .field-row");
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.fill("form input >> nth=0", "my recipe");
    // A change and its way back.
    await page.fill(".field-row input >> nth=0", "titles");
    await page.fill(".field-row input >> nth=0", "title");
    await page.click("button[type=submit]");
    await page.waitForSelector("text=Save as version 2");
    const saved = (await stage.client.schemas.page({ limit: 100 })).data.find(
      ({ name }) => name === "my recipe"
    );
    assert.strictEqual(JSON.stringify(saved?.schema), JSON.stringify(PREDEFINED.get(id)?.schema));
  });

  it("adds, moves and removes fields and those of groups by keyboard, at 320 pixels too", async () => {
    await page.setViewportSize(SMALL);
    await open("new");
    await page.check("text=With my own fields");
    const names = () =>
      page
        .locator(".field-row > .mono")
        .evaluateAll((all) => (all as Array<HTMLInputElement>).map(({ value }) => value));
    await page.focus(".field-row input");
    await page.keyboard.type("dish");
    await page.keyboard.press("Enter");
    await page.keyboard.type("steps");
    await page.selectOption("[aria-label='Type of steps']", "groups");
    await page.fill("[aria-label='Fields of steps'] .mono", "what");
    await page.locator("text=Add a field to the group").press("Enter");
    await page.keyboard.type("level");
    await page.selectOption("[aria-label='Type of level']", "choice");
    await page.fill("[aria-label^='Choices of level']", "low\nhigh\n");
    await page.check("label:has-text('May be missing') >> nth=-1");
    // Where no control is half under the bar with the price.
    await page.evaluate(() => scrollTo(0, 0));
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.locator("[title='Move level up']").press("Enter");
    assert.deepStrictEqual(await names(), ["dish", "steps", "level", "what"]);
    await page.locator("[title='Move steps up']").press("Enter");
    assert.deepStrictEqual(await names(), ["steps", "level", "what", "dish"]);
    // It is the first now, and cannot move on.
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === "steps");
    await page.locator("[title='Remove dish']").press("Enter");
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === "steps");
    await page.click("button:text-is('JSON Schema')");
    const editor = page.getByRole("textbox", { name: "JSON Schema" });
    await editor.waitFor();
    // The editor draws only the lines in sight; the draft has them all.
    const text = await page.evaluate(
      () =>
        Object.values({ ...sessionStorage })
          .flatMap((kept) => /"schemaText":("(?:[^"\\]|\\.)*")/u.exec(String(kept))?.[1] ?? [])
          .map((json) => JSON.parse(json) as string)[0] ?? ""
    );
    assert.deepStrictEqual(JSON.parse(text), {
      type: "object",
      properties: {
        steps: {
          type: "array",
          items: {
            type: "object",
            properties: {
              level: { type: ["string", "null"], enum: ["low", "high", null] },
              what: { type: "string" }
            },
            required: ["level", "what"],
            additionalProperties: false
          }
        }
      },
      required: ["steps"],
      additionalProperties: false
    });
    await editor.press("ControlOrMeta+a");
    await page.keyboard.insertText(text.replace('"what": {', '"what": { "minLength": 2,'));
    await page.waitForSelector("text=The fields cannot show “minLength” of “steps.what”");
    // A URL that is pasted there stays there.
    const link = "https://example.com/schema";
    await editor.press("ControlOrMeta+a");
    await editor.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      const line = element.querySelector(".cm-line") ?? element;
      line.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, composed: true, cancelable: true })
      );
    }, link);
    assert.strictEqual((await editor.innerText()).trim(), link);
    assert.strictEqual(await page.inputValue("#address"), "");
    await page.setViewportSize(WIDE);
  });

  it("is cleared at once, and neither filled nor emptied by a run that is repeated", async () => {
    const { id } = await stage.client.submit({ url: `${stage.site}/article` });
    await stage.client.extractions.wait(id);
    await open("new");
    await page.fill("#address", "https://example.com/mine");
    await page.check("text=Let the model decide");
    await open(`new?from=${id}`);
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>("#address")?.value.endsWith("/article") === true
    );
    await page.click("button:has-text('Run again for 50 credits')");
    await page.click("button[type=submit]:enabled");
    await page.waitForURL(/runs\//u);
    await open("new");
    assert.strictEqual(await page.inputValue("#address"), "https://example.com/mine");
    await page.click("text=Clear");
    assert.strictEqual(await page.inputValue("#address"), "");
    assert.isTrue(await page.isChecked("text=No, download only"));
    assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "address");
    await open("new");
    assert.strictEqual(await page.inputValue("#address"), "");
    await open(`new?from=${id}`);
    await page.click("text=Clear");
    await page.waitForURL(/new$/u);
    assert.strictEqual(await page.inputValue("#address"), "");
  });

  it("keeps a list of a thousand long links, or what was chosen without it where there is no room", async () => {
    await open("new");
    await page.fill("#address", "https://example.com/before");
    const list = Array.from({ length: 1_000 }, (_, at) => `https://example.com/${"long-".repeat(40)}${at}`);
    await page.setInputFiles("input[type=file]", {
      name: "links.txt",
      mimeType: "text/plain",
      buffer: Buffer.from(list.join("\n"))
    });
    await page.waitForSelector("text=1,000 links");
    await page.check("text=Let the model decide");
    await page.reload();
    await page.waitForSelector("text=1,000 links");
    assert.isTrue((await page.inputValue("#address")) === list.join("\n"));
    await page.evaluate(() => {
      sessionStorage.clear();
      // All of the room that browsers give a site but what a short draft takes.
      const fill = (characters: number): void => {
        for (let at = 0; ; at += 1) {
          try {
            sessionStorage.setItem(`full.${characters}.${at}`, "x".repeat(characters));
          } catch {
            return;
          }
        }
      };
      fill(1_000_000);
      fill(10_000);
    });
    await page.check("text=With my own fields");
    await page.reload();
    await page.waitForSelector("#address");
    assert.strictEqual(await page.inputValue("#address"), "");
    assert.isTrue(await page.isChecked("text=With my own fields"));
    await page.evaluate(() => sessionStorage.clear());
    await page.click("text=Clear");
  });

  it("names the text of a page as all that there is of it", async () => {
    const parts = page.locator(".price-parts .part");
    await open("new");
    await page.fill("#address", `${stage.site}/article`);
    await page.waitForSelector(".price-parts .part:has-text('Text of the page')");
    assert.strictEqual(await parts.count(), 1);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.fill("#address", `${stage.talks.url}/long-talk`);
    await page.waitForSelector(".price-parts .part:has-text('Video')");
    assert.strictEqual(await parts.count(), 4);
    await page.click("text=Clear");
  });

  it("repeats what was read from a stored source with its URL", async () => {
    const source = await stage.client.submit({ url: `${stage.site}/recipe` });
    await stage.client.extractions.wait(source.id);
    const schema = { type: "object", properties: { dish: { type: "string" } } };
    const { id } = await stage.client.submit({ fromExtraction: source.id, schema });
    await stage.client.extractions.wait(id);
    await open(`new?from=${id}`);
    await page.waitForSelector(".field-row");
    assert.strictEqual(await page.inputValue("#address"), `${stage.site}/recipe`);
    assert.strictEqual(await page.inputValue(".field-row input"), "dish");
  });

  it("shows the picture of what is quoted, in the place that an icon has without one", async () => {
    const place = () => page.locator(".source .thumb").boundingBox();
    await page.setViewportSize(WIDE);
    await open("new");
    await page.fill("#address", `${stage.talks.url}/hostile`);
    await page.waitForSelector(".source .thumb svg");
    const empty = await place();
    await page.fill("#address", `${stage.talks.url}/long-talk`);
    const picture = page.locator('.source img[src*="/v1/probe/thumbnail?url="]');
    await picture.waitFor();
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".source img")?.complete);
    const [alt, width, height] = await picture.evaluate((image: HTMLImageElement) => [
      image.alt,
      image.naturalWidth,
      image.naturalHeight
    ]);
    assert.deepStrictEqual([alt, width, height], ["", 320, 180]);
    assert.deepStrictEqual(await place(), empty);
    await page.click("text=Clear");
  });

  it("looks at a URL as soon as it is there, whatever else is missing", async () => {
    await open("new");
    await page.check("text=With a saved schema");
    await page.fill("#address", `${stage.talks.url}/long-talk`);
    await page.waitForSelector(".source-title:has-text('What the wind knows')");
    await page.waitForSelector("text=Choose a schema to see the price.");
    assert.isTrue(await page.isDisabled("button[type=submit]"));
    const menu = page.locator("select:has(optgroup)");
    const groups = await menu
      .locator("optgroup")
      .evaluateAll((all) => all.map((group) => [group.getAttribute("label"), group.firstChild?.textContent]));
    assert.deepStrictEqual(groups.slice(0, 1), [["Saved by you", "my recipe, version 1"]]);
    await menu.selectOption({ label: "recipe" });
    await page.waitForSelector("button[type=submit]:enabled:has-text('Extract for')");
    await page.fill("#address", "http://10.0.0.1/x");
    await page.waitForSelector(".buy [role=alert]:has-text('This host is not public')");
    await page.click("text=Clear");
  });

  it("wants a fresh run of one source only", async () => {
    await open("new");
    await page.fill("#address", `${stage.site}/article`);
    await page.click("text=Run again for");
    await page.waitForSelector("button[type=submit]:has-text('Extract for')");
    await page.fill("#address", `${stage.site}/recipe`);
    await page.waitForSelector(".buy a.main:text-is('Open the result')");
    assert.strictEqual(await page.locator("button[type=submit]").count(), 0);
    await page.click("text=Clear");
  });

  it("offers transcription only if the server supports it, and sends the choice", async () => {
    const speech = page.getByLabel("Transcribe the audio");
    const find = async (): Promise<void> => {
      await page.waitForSelector(".price-line");
      await page.click("text=More options");
    };
    await open("new");
    await page.fill("#address", `${stage.site}/talk`);
    await find();
    assert.strictEqual(await speech.count(), 0);
    const asked: Array<{ readonly speech?: boolean }> = [];
    await page.route(/\/v1\/probe$/u, async (route) => {
      const body = route.request().postDataJSON() as { readonly speech?: boolean };
      asked.push(body);
      // The server of this test does not transcribe, and would refuse the option.
      const response = await route.fetch({ postData: { ...body, speech: false } });
      const json = { ...((await response.json()) as object), speechConfigured: true };
      await route.fulfill({ response, json });
    });
    await page.reload();
    await find();
    await speech.check();
    await page.waitForSelector(".old .price-line");
    await page.waitForSelector(".buy-price > :not(.old) > .price-line");
    assert.isTrue(asked.at(-1)?.speech);
    await page.unroute(/\/v1\/probe$/u);
    await page.click("text=Clear");
  });

  it("offers no values on a server without a language model, and says why", async () => {
    await page.route(/\/v1\/account$/u, async (route) => {
      const response = await route.fetch();
      const json = { ...((await response.json()) as object), aiConfigured: false };
      await route.fulfill({ response, json });
    });
    await open("new?schema=winnow.predefined.recipe.v1");
    await page.waitForSelector("text=This server has no language model");
    assert.deepStrictEqual(await faultsOf(page), []);
    assert.isTrue(await page.isChecked("text=No, download only"));
    assert.strictEqual(await page.locator("[name=schema-choice]:disabled").count(), 3);
    const href = (await page.getAttribute("a:text-is('Set one up')", "href")) ?? "";
    assert.strictEqual((await page.request.get(new URL(href, stage.app).href)).status(), 200);
    await page.unroute(/\/v1\/account$/u);
  });
});
