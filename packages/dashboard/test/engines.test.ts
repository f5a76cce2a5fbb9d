// @module-tag long
/**
 * What people do most, in the other engines: sign in, look at the list, submit one link with its price, read a run and a
 * quote, the table of results, a batch. Skipped for an engine that is not installed.
 */
import type { JsonSchema } from "@winnow/client";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { ENGINES, type EnginePage } from "./Engines.ts";
import { openStage, type Stage } from "./Stage.ts";

const TALK: JsonSchema = {
  type: "object",
  properties: { speaker: { type: "string" }, topic: { type: "string" } },
  required: ["speaker", "topic"]
};

/** In the page: the first element that matches and has the text, as soon as there is one. */
const shown = (selector: string, text = ""): string => `new Promise((resolve) => {
  const look = () => {
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})].find((each) =>
      each.textContent.includes(${JSON.stringify(text)}));
    if (found === undefined) setTimeout(look, 50);
    else resolve(found);
  };
  look();
})`;

const see = (page: EnginePage, selector: string, text?: string): Promise<unknown> =>
  page.evaluate(`${shown(selector, text)}.then((element) => element.textContent)`);

const click = (page: EnginePage, selector: string, text?: string): Promise<unknown> =>
  page.evaluate(`${shown(selector, text)}.then((element) => element.click())`);

const fill = (page: EnginePage, selector: string, value: string): Promise<unknown> =>
  page.evaluate(`${shown(selector)}.then((element) => {
    element.value = ${JSON.stringify(value)};
    element.dispatchEvent(new Event("input", { bubbles: true }));
  })`);

/** By the button of the link's page. Its answer is another page, before which an expression may be cut off. */
const signIn = async (page: EnginePage, { signInUrl, app }: Stage): Promise<void> => {
  await page.goto(await signInUrl());
  await click(page, "form button");
  const here = "new Promise((resolve) => setTimeout(() => resolve(location.href), 50))";
  while ((await page.evaluate(here).catch(() => null)) !== app);
};

describe.skipIf(Object.values(ENGINES).every(({ isHere }) => !isHere))("the web app in", () => {
  let stage: Stage;
  let talkId = "";

  beforeAll(async () => {
    stage = await openStage();
    ({ id: talkId } = await stage.client.submit({ url: `${stage.talks.url}/long-talk`, schema: TALK }));
    await stage.client.extractions.wait(talkId);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  for (const [name, { isHere, open }] of Object.entries(ENGINES)) {
    it.skipIf(!isHere)(`${name} signs in, submits, and shows a run, results and a batch`, async () => {
      await using page = await open();
      await signIn(page, stage);
      await see(page, `[data-run="${talkId}"]`);

      await page.goto(`${stage.app}new`);
      await fill(page, "#address", `${stage.site}/article?${encodeURIComponent(name)}`);
      await see(page, ".price-line");
      await click(page, "form button[type=submit]");
      await see(page, ".status", "Complete");

      await page.goto(`${stage.app}runs/${talkId}`);
      await see(page, "[data-line]");
      await click(page, "[data-quote]");
      await see(page, ".lines mark");

      await page.goto(`${stage.app}results?schemaId=any`);
      await see(page, "[data-row='0']");

      await page.goto(`${stage.app}new`);
      const links = ["recipe", "article?of-batch"].map(
        (each) => `${stage.site}/${each}-${encodeURIComponent(name)}`
      );
      await fill(page, "#address", links.join("\n"));
      await see(page, "form button[type=submit]:enabled", "Extract 1 link");
      await click(page, "form button[type=submit]");
      await see(page, "[data-batch]");
      const [batch] = (await stage.client.batches.page()).data;
      assert.strictEqual(await page.evaluate("location.pathname"), `/app/batches/${batch?.id}`);
    });
  }
});
