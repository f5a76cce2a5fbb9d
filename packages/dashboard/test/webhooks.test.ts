// @module-tag long: its own server, whose clock goes ahead and which is restarted
/** Webhooks as set up in the app, with a real receiver: over TLS, on loopback. At last, the server is restarted. */
import { verifyWebhook, type WebhookEvent } from "@winnow/client/webhooks";
import type { Page } from "playwright-core";
import { NO_MEDIA } from "../../server/test/ServerProcess.ts";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { openApp, type App } from "./App.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const DELIVERY_TIMEOUT_MS = 120_000;

/** The delays before the server's retries (docs/webhooks.md), and a little more. */
const WAITS_MS = [31_000, 121_000, 601_000];

describe.skipIf(findChromium() === null)("webhooks in a browser", () => {
  let app: App;
  let stage: Stage;
  let page: Page;
  let secret = "";
  let aheadMs = 0;

  beforeAll(async () => {
    app = await openApp({ own: true, env: NO_MEDIA });
    ({ stage, page } = app);
    await app.signIn("text=Nothing extracted yet");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** Verifies the delivery with this number, as its receiver would. */
  const received = async (number: number): Promise<WebhookEvent> => {
    const { body, headers } = stage.receiver.hooks[number] ?? assert.fail(`no delivery ${number}`);
    return verifyWebhook({ payload: body, headers, secret, now: Date.now() + aheadMs });
  };

  it("leads to its guide, which the same server has", async () => {
    await page.click("nav >> text=Developers");
    await page.click("nav >> text=Webhooks");
    const guide = await page.getAttribute("a:text-is('Read the guide')", "href");
    const answer = await fetch(new URL(guide ?? "", stage.app));
    assert.strictEqual(answer.status, 200);
    assert.include(await answer.text(), "<h1");
  });

  it("adds an endpoint, whose secret signs the test that arrives there", async () => {
    await page.click("nav >> text=Webhooks");
    await page.click("text=Add an endpoint");
    await page.fill("dialog input", stage.receiver.url);
    await page.click("dialog button[type=submit]");
    secret = (await page.textContent("dialog pre")) ?? "";
    await page.click("text=I have saved it");
    await page.waitForSelector("article:has-text('Nothing has been sent to it yet')");
    await page.click("text=Send a test");
    await page.waitForSelector("article [role=status]:has-text('The test was delivered')");
    await page.waitForSelector("ul.cards .status.done");
    assert.include(await page.innerText("ul.cards li"), stage.receiver.url.replace("https://", ""));
    assert.lengthOf(stage.receiver.hooks, 1);
    assert.strictEqual((await received(0)).event, "test");
  });

  it("shows every attempt with its answer over the list, and sends the same once more", async () => {
    await page.click("ul.cards a:text-is('Test')");
    await page.waitForSelector("dialog h3:text-is('Attempt 1')");
    await page.click("text=Send again");
    await page.waitForSelector("h3:text-is('Attempt 2')");
    assert.strictEqual(await page.locator("ol > li:has-text('HTTP 204')").count(), 2);
    assert.deepStrictEqual(await received(1), await received(0));
    assert.deepStrictEqual(await faultsOf(page), []);
    const { id } = (await stage.client.webhookDeliveries.page()).data[0] ?? assert.fail("no delivery");
    await page.goto(`${stage.app}developers/webhooks?delivery=${id}`);
    await page.waitForSelector("dialog h3:text-is('Attempt 2')");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
  });

  it("shows which receiver fails, and resends all failed deliveries once it responds again", async () => {
    const { hooks, answer } = stage.receiver;
    const arrived = (count: number) =>
      vi.waitUntil(() => hooks.length >= count, { timeout: DELIVERY_TIMEOUT_MS });
    await page.waitForSelector("ul.cards .status.done");
    answer(503);
    for (const tests of [1, 2]) {
      await page.click("text=Send a test");
      await page.waitForFunction(
        (waiting) => document.querySelectorAll("ul.cards .status.waiting").length === waiting,
        tests
      );
    }
    await page.waitForSelector("article [role=status]:has-text('The test was not delivered: ')");
    await page.waitForSelector("ul.cards li:has-text('1 attempt · HTTP 503')");
    await page.waitForSelector("text=/Failing since .*\\d:\\d\\d/");
    assert.deepStrictEqual(await faultsOf(page), []);
    let count = hooks.length;
    for (const waitMs of WAITS_MS) {
      await stage.goAhead((aheadMs += waitMs));
      await arrived((count += 2));
      for (const number of [count - 2, count - 1]) assert.strictEqual((await received(number)).event, "test");
    }
    await page.click("button:text-is('Failed')");
    await page.waitForFunction(() => document.querySelectorAll("ul.cards .status.failed").length === 2);
    answer(200);
    const json = { error: { code: "internal_error", message: "Nothing was sent." } };
    await page.route(/redeliver/u, (route) => route.fulfill({ status: 500, json }), { times: 1 });
    await page.click("text=Resend failed deliveries");
    await page.waitForSelector("span:has(> :text-is('Resend failed deliveries')) > [role=alert]");
    await page.click("text=Resend failed deliveries");
    await page.waitForSelector("text=2 deliveries queued to be sent again");
    await arrived((count += 2));
    await page.click("button:text-is('Delivered')");
    await page.waitForFunction(() => document.querySelectorAll("ul.cards .status.done").length === 3);
    await page.waitForSelector("text=The last delivery succeeded.");
    assert.strictEqual((await received(count - 1)).event, "test");
  });

  it("notifies the receiver of a run started in the app, and the run's page shows it", async () => {
    const before = stage.receiver.hooks.length;
    const { id } = await stage.client.submit({ url: `${stage.site}/article` });
    await page.goto(`${stage.app}runs/${id}`);
    await page.waitForSelector("[aria-label=Deliveries] .status.done");
    const { event, data } = await received(before);
    assert.deepStrictEqual([event, "id" in data && data.id], ["extraction.completed", id]);
  });

  it("signs with the new secret and the old one after a rotation", async () => {
    await page.goto(`${stage.app}developers/webhooks`);
    await page.waitForSelector("ul.cards .status.done");
    // The delivery of the test before, by the title of its extraction; what was sent has it too.
    const { title } =
      (await stage.client.extractions.page({ limit: 1 })).data[0] ?? assert.fail("no extraction");
    await page.click(`ul.cards a:text-is('Extraction completed: ${title}')`);
    await page.waitForSelector(`dialog a:text-is('${title}')`);
    await page.keyboard.press("Escape");
    await page.click("text=Rotate secret");
    await page.click("dialog button.danger");
    const next = (await page.textContent("dialog pre")) ?? "";
    assert.notStrictEqual(next, secret);
    await page.click("text=I have saved it");
    const before = stage.receiver.hooks.length;
    await page.click("text=Send a test");
    await page.waitForFunction(() => document.querySelectorAll("ul.cards .status.done").length === 5);
    assert.strictEqual((await received(before)).event, "test");
    secret = next;
    assert.strictEqual((await received(before)).event, "test");
  });

  it("are sent by a server that was restarted, from which two tabs recover", async () => {
    const other = await app.driven.page(app.context);
    for (const tab of [page, other]) {
      await tab.goto(stage.app);
      await tab.waitForSelector("[data-run]");
    }
    const before = stage.receiver.hooks.length;
    await stage.restart();
    const { id } = await stage.client.submit({ url: `${stage.site}/recipe` });
    for (const tab of [page, other]) {
      await tab.waitForSelector(`[data-run="${id}"]`);
      assert.strictEqual(await tab.locator("dialog").count(), 0);
    }
    await vi.waitUntil(() => stage.receiver.hooks.length > before, { timeout: DELIVERY_TIMEOUT_MS });
    assert.strictEqual((await received(before)).event, "extraction.completed");
  });
});
