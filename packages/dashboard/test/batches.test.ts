// @module-tag long
/** Batches in a browser: links are quoted line by line, started together, paused, cancelled, and followed. */
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { readLinks } from "../src/screens/batches/BatchLinks.ts";
import { openBrowser, type Driven } from "./Driven.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium, openStage, type Stage } from "./Stage.ts";

const utf16 = (text: string): Blob => new Blob([new Uint8Array([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

const reasonOf = async (file: Blob): Promise<string> => {
  try {
    await readLinks(file);
    return "";
  } catch (error) {
    return String(error);
  }
};

describe("the links of a file", () => {
  it("are lines, or the column `url` of a table, in any encoding", async () => {
    const links = ["https://example.com/a", "https://example.com/b"];
    const table = `name;URL\r\n"x; ""y""\nz";"${links[0]}"\r\nw;${links[1]}\r\n`;
    assert.deepStrictEqual(await readLinks(new Blob([`# mine\n${links.join("\r\n\r\n")}\n`])), links);
    assert.deepStrictEqual(await readLinks(new Blob([table])), links);
    assert.deepStrictEqual(await readLinks(utf16(table)), links);
    assert.deepStrictEqual(await readLinks(utf16(table).slice(2)), links);
    const windows = new Blob([Buffer.from(`name,url\ncaf\u00E9,${links[0]}`, "latin1")]);
    assert.deepStrictEqual(await readLinks(windows), links.slice(0, 1));
  });

  it("are counted to the end where they are too many", async () => {
    const many = "https://example.com/a\r\n".repeat(100_001);
    assert.include(
      await reasonOf(new Blob([many])),
      "There are 100,001 links, and a batch has at most 1,000."
    );
    assert.include(await reasonOf(new Blob(['name,url\n"a,b'])), "A quote is not closed.");
  });
});

describe.skipIf(findChromium() === null)("a batch in the web app", () => {
  let stage: Stage;
  let driven: Driven;
  let page: Page;

  beforeAll(async () => {
    stage = await openStage();
    driven = await openBrowser();
    page = await driven.page(await driven.context());
    await page.goto(await stage.signInUrl());
    await page.waitForSelector("h1");
  });
  afterAll(async () => {
    await driven[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
  });

  const quote = async (links: ReadonlyArray<string>): Promise<void> => {
    await page.goto(`${stage.app}batches/new`);
    await page.fill("#links", links.join("\n"));
    await page.waitForSelector("form button[type=submit]:enabled");
  };

  it("is quoted line by line, says why a line is refused, and shows how it ends", async () => {
    const article = `${stage.site}/article`;
    await quote([article, "nonsense", article, `${stage.site}/recipe`]);
    const lines = await page.locator(".batch-rows > li").allTextContents();
    assert.match(lines[0] ?? "", /\d+ credits/u);
    assert.include(lines[1], "Refused");
    assert.include(lines[2], "The same as line 1, which gives its result.Twice");
    assert.deepStrictEqual(await faultsOf(page), []);
    const asked: Array<string | null> = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/batches"))
        asked.push(request.headers()["idempotency-key"] ?? null);
    });
    const { balance } = await stage.client.account();
    await page.fill("aside input[type=number]", "1");
    await page.waitForSelector("text=The price is above what you allow.");
    await page.fill("aside input[type=number]", "");
    const button = page.locator("form button[type=submit]");
    const price = /^Extract 2 links for (\d+) credits$/u.exec(await button.innerText())?.[1];
    await button.dblclick();
    await page.waitForSelector("[data-batch=complete]");
    assert.lengthOf(new Set(asked), 1);
    const { data } = await stage.client.batches.page();
    assert.lengthOf(data, 1);
    assert.strictEqual(data[0]?.creditsDebited, Number(price));
    assert.strictEqual(
      (await stage.client.account()).balance,
      balance - Number(price) + (data[0]?.creditsRefunded ?? 0)
    );
    assert.strictEqual(await page.locator(".batch-rows a").count(), 2);
    assert.strictEqual(await page.locator("main button", { hasText: "Pause" }).count(), 0);
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.click("text=Failed or refused");
    assert.strictEqual(await page.locator(".batch-rows > li").count(), 2);
    await page.goto(`${stage.app}batches`);
    await page.click("text=Batch of 4 links");
    await page.waitForSelector("[data-batch=complete]");
  });

  it("makes one batch of a try whose answer was lost", async () => {
    await quote([`${stage.site}/carousel`]);
    const before = (await stage.client.batches.page()).data.length;
    await page.route("**/v1/batches", async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute("**/v1/batches");
    });
    await page.click("form button[type=submit]");
    await page.waitForSelector("form [role=alert]");
    await page.click("form button[type=submit]");
    await page.waitForSelector("[data-batch]");
    assert.lengthOf((await stage.client.batches.page()).data, before + 1);
  });

  it("is refused with the number where it has more than 1,000 lines", async () => {
    await page.goto(`${stage.app}batches/new`);
    await page.setInputFiles("input[type=file]", {
      name: "links.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("https://example.com/a\n".repeat(1_234))
    });
    await page.waitForSelector("text=There are 1,234 links, and a batch has at most 1,000.");
    assert.isTrue(await page.locator("form button[type=submit]").isDisabled());
  });

  it("pauses, resumes, and cancels the rest with its refund", async () => {
    let release = (): void => undefined;
    stage.talks.hold = new Promise((resolve) => {
      release = resolve;
    });
    await quote([`${stage.talks.url}/long-talk`]);
    await page.click("form button[type=submit]");
    await page.waitForSelector("[data-batch=running]");
    await page.click("main button >> text=Pause");
    await page.waitForSelector("[data-batch=paused]");
    await page.click("main button >> text=Resume");
    await page.waitForSelector("[data-batch=running]");
    await page.click("main button >> text=Cancel the rest");
    await page.click("dialog button.danger");
    await page.waitForSelector("[data-batch=cancelled]");
    release();
    stage.talks.hold = null;
    const [batch] = (await stage.client.batches.page()).data;
    assert.isAbove(batch?.creditsDebited ?? 0, 0);
    assert.strictEqual(batch?.creditsRefunded, batch?.creditsDebited);
    await page.waitForSelector("main button >> text=Retry 1 failed");
    await page.waitForSelector(".batch-rows .fault");
    await page.click("main button >> text=Retry 1 failed");
    await page.click("dialog button.danger");
    await page.waitForSelector("[data-batch=complete]");
  });
});
