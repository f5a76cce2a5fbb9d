// @module-tag long
/** Batches in a browser: links are quoted line by line, started together, paused, cancelled, and followed. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { openApp, type App } from "./App.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, type Stage } from "./Stage.ts";

const POSTS = 5;

const post = (path: string): string => {
  const words =
    "<p>Grain is heavy and falls where it stood, and chaff drifts a few steps further.</p>".repeat(12);
  return `<!doctype html><title>Post ${path}</title><article><h1>Post ${path}</h1>${words}</article>`;
};

/** A site with a feed of posts at `/feed`. */
const openFeed = async (): Promise<{ readonly server: Server; readonly host: string }> => {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const isFeed = path === "/feed";
    const links = Array.from({ length: POSTS }, (_, at) => `http://${request.headers.host}/post/${at + 1}`);
    const items = links.map((link) => `<item><title>Post</title><link>${link}</link></item>`).join("");
    response.setHeader("content-type", isFeed ? "application/rss+xml" : "text/html; charset=utf-8");
    response.end(
      isFeed ? `<rss version="2.0"><channel><title>Posts</title>${items}</channel></rss>` : post(path)
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe.skipIf(findChromium() === null)("a batch in the web app", () => {
  let feed: Awaited<ReturnType<typeof openFeed>>;
  let app: App;
  let stage: Stage;
  let page: Page;

  beforeAll(async () => {
    feed = await openFeed();
    app = await openApp();
    ({ stage, page } = app);
    await app.signIn();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    feed.server.close();
  });

  const quote = async (links: ReadonlyArray<string>): Promise<void> => {
    await page.goto(`${stage.app}new`);
    await page.fill("#address", links.join("\n"));
    await page.waitForSelector(`.new-form button[type=submit]:enabled:has-text("link")`);
  };

  it("is quoted line by line, says why a line is refused, and shows how it ends", async () => {
    const article = `${stage.site}/article`;
    await quote([article, "nonsense", article, `${stage.site}/recipe`]);
    const lines = await page.locator(".batch-rows > li").allTextContents();
    assert.match(lines[0] ?? "", /\d+ credits/u);
    assert.include(lines[1], "Refused");
    assert.match((await page.textContent("#address-hint .refused")) ?? "", /^2 nonsense: ./u);
    await page.waitForSelector("text=for 2 links; 1 duplicate and 1 refused, at no cost");
    assert.include(lines[2], "The same as line 1, which gives its result.Duplicate");
    assert.deepStrictEqual(await faultsOf(page), []);
    const asked: Array<string | null> = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/batches"))
        asked.push(request.headers()["idempotency-key"] ?? null);
    });
    const { balance } = await stage.client.account();
    await page.click("text=More options");
    const limit = page.getByLabel("Refuse if it costs more than (credits)");
    await limit.fill("1");
    await page.waitForSelector("text=The price is above what you allow.");
    await limit.fill("");
    const button = page.locator("form button[type=submit]");
    const price = /^Extract 2 links for (\d+) credits$/u.exec(await button.innerText())?.[1];
    await button.dblclick();
    await page.waitForSelector("[data-batch=complete]");
    assert.lengthOf(new Set(asked), 1);
    await page.goBack();
    await page.waitForSelector("#address");
    await page.goForward();
    await page.waitForSelector("[data-batch=complete]");
    const { data } = await stage.client.batches.page();
    assert.lengthOf(data, 1);
    assert.strictEqual(data[0]?.creditsDebited, Number(price));
    assert.strictEqual(
      (await stage.client.account()).balance,
      balance - Number(price) + (data[0]?.creditsRefunded ?? 0)
    );
    await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 2);
    await page.waitForSelector("[data-batch] .hint:has-text('2 complete, 2 failed or refused')");
    assert.strictEqual(await page.locator("main button", { hasText: "Pause" }).count(), 0);
    assert.deepStrictEqual(await page.locator(".refused .fault").allTextContents(), [
      "url must be a whole address that begins with https://, such as https://example.com/article.",
      "The same as line 1, which gives its result."
    ]);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.click(".count:has-text('Failed 0')");
    await page.waitForSelector("text=No extraction matches these filters");
  });

  it("is one row of the list, which has its new name and opens the rows of its links", async () => {
    const { id } = await stage.client.submit({ url: `${stage.site}/talk`, parts: [] });
    await stage.client.extractions.wait(id);
    await page.goto(stage.app);
    await page.waitForSelector(`[data-run="${id}"]`);
    assert.strictEqual(await page.locator("[data-run]").count(), 1);
    const batch = page.locator(".run-row", { has: page.locator(".batch-bar") });
    assert.strictEqual(
      await batch.locator(".batch-bar").getAttribute("aria-label"),
      "2 complete, 2 failed or refused"
    );
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    assert.isTrue(await batch.locator("a").evaluate((link) => link === document.activeElement));
    await page.keyboard.press("Enter");
    await page.click("text=Rename");
    await page.fill("[aria-label=Name]", "Grain & bread");
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:text-is('Grain & bread')");
    await page.waitForSelector("button:focus >> text=Rename");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open] input:focus");
    await page.keyboard.press("Escape");
    await page.waitForSelector("button:focus >> text=Rename");
    await page.locator("[data-run] a.row-link").first().click();
    await page.click("a:text-is('Grain & bread')");
    await page.waitForSelector("[data-batch=complete]");
    await page.click("nav >> text=Extractions");
    await page.waitForSelector(".row-link:text-is('Grain & bread')");
    await page.fill("#search", "recipe");
    await page.waitForSelector("[data-run] .hint:has-text('Grain & bread')");
    await page.fill("#search", "");
    await page.waitForSelector(`[data-run="${id}"]`);
  });

  const drop = async (name: string, bytes: Uint8Array): Promise<void> => {
    const transfer = await page.evaluateHandle(
      ([file, content]) => {
        const dropped = new DataTransfer();
        dropped.items.add(new File([new Uint8Array(content)], file));
        return dropped;
      },
      [name, [...bytes]] as const
    );
    await page.dispatchEvent(".drop", "drop", { dataTransfer: transfer });
  };

  it("has the fields that were named for all its links, with one price", async () => {
    await quote([`${stage.site}/article?own`, `${stage.site}/recipe?own`]);
    await page.check("text=With my own fields");
    await page.waitForSelector("text=Name at least one field to see the price");
    await page.fill(".field-row input >> nth=0", "title");
    await page.waitForSelector(".buy button:has-text('Extract 2 links for 200 credits')");
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.locator("#address").press("Control+Enter");
    await page.waitForURL(/batches\/bat_/u);
    const [batch] = (await stage.client.batches.page()).data;
    const [item] = (await stage.client.batches.get(batch?.id ?? "")).items;
    const { schema, inputs } = await stage.client.extractions.request(item?.id ?? "");
    assert.deepStrictEqual(Object.keys(schema?.["properties"] as object), ["title"]);
    assert.isUndefined(inputs);
    await page.goto(`${stage.app}new`);
    await page.click("text=Clear");
  });

  it("takes a dropped table as Excel writes it, and says why it cannot take a picture", async () => {
    await page.goto(`${stage.app}new`);
    const links = [`${stage.site}/article`, `${stage.site}/recipe`];
    const table = `sep=;\r\nName;URL\r\n"Caf\u00E9; ""one""\r\nand two";${links.join("\r\n3;")}\r\n`;
    await page.waitForSelector(".drop");
    await drop("links.csv", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(table, "utf16le")]));
    await page.waitForSelector("text=2 links");
    assert.strictEqual(await page.inputValue("#address"), links.join("\n"));
    await drop("picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]));
    await page.waitForSelector("text=This file is not text.");
    assert.strictEqual(await page.inputValue("#address"), "");
    assert.deepStrictEqual(await faultsOf(page), []);
  });

  it("takes the first links of a channel or playlist in place of its line, by keyboard", async () => {
    const links = [`${stage.site}/article`, `http://${feed.host}/feed`, "https://www.youtube.com/@someone"];
    await quote(links);
    const rows = page.locator(".batch-rows > li");
    assert.deepStrictEqual(
      await Promise.all([0, 1, 2].map((at) => rows.nth(at).getByRole("button").count())),
      [0, 1, 1]
    );
    assert.deepStrictEqual(await faultsOf(page), []);
    assert.include(await rows.nth(2).textContent(), "A channel, a playlist or a search, which lists links.");
    await rows.nth(2).getByRole("button", { name: "Add its first 50" }).press("Enter");
    await rows.nth(2).locator("[role=alert]").waitFor();
    const howMany = rows.nth(1).getByLabel("How many of its links");
    await howMany.fill("201");
    await howMany.press("Enter");
    assert.isFalse(await howMany.evaluate((input: HTMLInputElement) => input.checkValidity()));
    await howMany.fill("3");
    await howMany.press("Enter");
    await page.waitForFunction(
      (count) => document.querySelectorAll(".batch-rows > li").length === count,
      links.length + 2
    );
    const posts = [1, 2, 3].map((at) => `http://${feed.host}/post/${at}`);
    const box = page.locator("#address");
    assert.strictEqual(await box.inputValue(), [links[0], ...posts, links[2]].join("\n"));
    assert.isTrue(await box.evaluate((element) => element === document.activeElement));
    await page.getByRole("button", { name: /^Extract 4 links for \d+ credits$/u }).waitFor();
    await page.click("text=Clear");
    await page.fill("#address", `http://${feed.host}/feed`);
    await page.getByRole("button", { name: "Add its first 50" }).click();
    await page.getByRole("button", { name: /^Extract 5 links for \d+ credits$/u }).waitFor();
    await page.click("text=Clear");
  });

  it("makes one batch of a try whose answer was lost, from another screen and after a reload too", async () => {
    await quote([`${stage.site}/carousel`, `${stage.site}/article?lost`]);
    const before = (await stage.client.batches.page()).data.length;
    await page.route("**/v1/batches", async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute("**/v1/batches");
    });
    await page.click("form button[type=submit]");
    await page.waitForSelector(".buy [role=alert]");
    const mayHave = page.locator(".buy >> text=may have started this");
    await mayHave.waitFor();
    await page.click("nav >> text=Results");
    // With its schema, if that is already known.
    await page.waitForURL(/results(?:\?|$)/u);
    await page.goBack();
    await mayHave.waitFor();
    await page.reload();
    await mayHave.waitFor();
    await page.click("form button[type=submit]:enabled");
    await page.waitForSelector("[data-batch]");
    assert.lengthOf((await stage.client.batches.page()).data, before + 1);
  });

  it("is refused with the number where it has more than 1,000 lines", async () => {
    await page.goto(`${stage.app}new`);
    await page.setInputFiles("input[type=file]", {
      name: "links.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("https://example.com/a\n".repeat(1_234))
    });
    await page.waitForSelector("text=There are 1,234 links, and a batch has at most 1,000.");
    assert.isTrue(await page.locator("form button[type=submit]").isDisabled());
  });

  /** Submits a talk as a batch, which goes on when `release` is called. */
  const heldBatch = async () => {
    let release = (): void => undefined;
    stage.talks.hold = new Promise((resolve) => {
      release = resolve;
    });
    await quote([`${stage.talks.url}/long-talk`, "nonsense"]);
    await page.click("form button[type=submit]");
    await page.waitForSelector("[data-batch=running]");
    return () => {
      release();
      stage.talks.hold = null;
    };
  };

  it("pauses, resumes, and cancels the rest with its refund, for good", async () => {
    const release = await heldBatch();
    await page.click("main button >> text=Pause");
    await page.waitForSelector("[data-batch=paused]");
    await page.click("main button >> text=Resume");
    await page.waitForSelector("[data-batch=running]");
    await page.click("main button >> text=Cancel the rest");
    await page.click("dialog button.danger");
    await page.waitForSelector("[data-batch=cancelled]");
    release();
    const [batch] = (await stage.client.batches.page()).data;
    assert.isAbove(batch?.creditsDebited ?? 0, 0);
    assert.strictEqual(batch?.creditsRefunded, batch?.creditsDebited);
    await page.waitForSelector("[data-run] .status.cancelled");
    await page.waitForSelector("[aria-label='1 refused, 1 cancelled or failed']");
    await page.waitForSelector("[data-batch] .hint:has-text('1 refused, 1 cancelled or failed')");
    await page.waitForSelector(".count:has-text('Cancelled or failed 1')");
    assert.strictEqual(await page.locator("main button >> text=Retry").count(), 0);
  });

  it("is refused, not complete, where none of its links was accepted", async () => {
    const { id } = await stage.client.batches.create({ urls: ["nonsense", "ftp://example.com/a"] });
    await page.goto(`${stage.app}batches/${id}`);
    await page.waitForSelector("[data-batch] .status.failed:has-text('Refused')");
    await page.waitForSelector("[data-batch] .hint:has-text('2 failed or refused')");
    await page.waitForSelector("text=This batch has no extractions");
    assert.strictEqual(await page.locator("text=Show all extractions").count(), 0);
  });

  it("tries again what failed", async () => {
    const release = await heldBatch();
    const [batch] = (await stage.client.batches.page()).data;
    const [item] = (await stage.client.batches.get(batch?.id ?? "")).items;
    await stage.client.extractions.cancel(item?.id ?? "");
    release();
    await page.click("main button >> text=Retry 1 failed");
    await page.click("dialog button.danger");
    await page.waitForSelector("main .page-head button >> text=Retry", { state: "detached" });
    await page.waitForSelector("[data-batch=complete]");
    const again = await stage.client.batches.get(batch?.id ?? "");
    assert.deepInclude(again, { status: "complete", counts: { ...again.counts, complete: 1, failed: 0 } });
  });
});
