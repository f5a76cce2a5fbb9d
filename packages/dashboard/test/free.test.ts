// @module-tag long: its own server, with WINNOW_PRIVATE
/** A server where nothing has a price: no screen has a word of money. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import { findChromium, type Stage } from "./Stage.ts";

const MONEY =
  /credit|\bprice|\bfree\b(?! disk)|refund|debit|balance|billing|\bpa(?:y|id)\b|\bcosts?\b|ledger|charge|\$\d|top.?up/iu;

const NAMED = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };

/** Of a predefined schema, which may well ask for prices. */
const FIELDS = /^\w+(?:, \w+)+$/u;

/** All that is read, seen or told by a screen reader, also in what is folded; not a request, which is its sender's. */
const moneyOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  const texts = await page.evaluate(() =>
    [...document.body.querySelectorAll(":not(pre, pre *)")].flatMap((element) => [
      ...["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? ""),
      ...[...element.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map(({ textContent }) => textContent ?? "")
    ])
  );
  return texts.filter((text) => MONEY.test(text) && !FIELDS.test(text));
};

describe.skipIf(findChromium() === null)("on a server where everything is free", () => {
  let app: App;
  let stage: Stage;
  let page: Page;
  let ids: Readonly<Record<"page" | "failed" | "batch" | "schema", string>>;

  beforeAll(async () => {
    app = await openApp({ env: { WINNOW_PRIVATE: "on" } });
    ({ stage, page } = app);
    const { client, site } = stage;
    const run = async (body: Parameters<Stage["client"]["submit"]>[0]): Promise<string> => {
      const { id } = await client.submit(body);
      await client.extractions.wait(id);
      return id;
    };
    const [text, failed, schema, batch] = await Promise.all([
      run({ url: `${site}/article`, schema: NAMED, maxCredits: 100 }),
      run({ url: `${site}/nowhere` }),
      client.schemas.save({ name: "of a title", schema: NAMED }),
      client.batches.create({ items: [{ url: `${site}/article` }, { url: `${site}/article` }] })
    ]);
    ids = { page: text, failed, schema: schema.id, batch: batch.id };
    await app.signIn("[data-run]");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const open = async (screen: string): Promise<void> => {
    await page.goto(stage.app + screen);
    await page.waitForSelector("h1");
    await page.waitForLoadState("networkidle");
  };

  it("no screen has a word of money", async () => {
    const screens = [
      ["settings/account", "settings/usage", "developers/mcp", "developers/webhooks", "developers/keys"],
      ["schemas", `schemas/${ids.schema}?from=${ids.page}`, "results", "new"],
      [`batches/${ids.batch}`, `runs/${ids.failed}`, `runs/${ids.page}`, `?peek=${ids.page}`]
    ].flat();
    const found: Array<readonly [string, ReadonlyArray<string>]> = [];
    for (const screen of screens) {
      await open(screen);
      found.push([screen, await moneyOf(page)]);
    }
    assert.deepStrictEqual(
      found.filter(([, words]) => words.length > 0),
      []
    );
  });

  it("a new extraction of one link or many is started without one", async () => {
    await open("new");
    const start = page.locator("button.main[type=submit]:enabled");
    await page.keyboard.type(`${stage.site}/talk`);
    await start.waitFor();
    assert.strictEqual(await start.textContent(), "Extract");
    assert.deepStrictEqual(await moneyOf(page), []);
    await page.fill("#address", `${stage.site}/talk\n${stage.site}/carousel`);
    await page.waitForSelector("button.main[type=submit]:enabled:has-text('2 links')");
    assert.strictEqual(await start.textContent(), "Extract 2 links");
    assert.deepStrictEqual(await moneyOf(page), []);
  });

  it("neither has a new key, nor the operator's view", async () => {
    await open("developers/keys");
    await page.click("text=Create a key");
    await page.waitForSelector("dialog");
    assert.deepStrictEqual(await moneyOf(page), []);
    await open("operator");
    await page.fill("[type=password]", stage.server.adminToken);
    await page.keyboard.press("Enter");
    await page.waitForSelector("button:has-text('Sign-in link')");
    assert.deepStrictEqual(await moneyOf(page), []);
  });
});
