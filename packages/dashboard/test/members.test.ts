// @module-tag long: its own server, with WINNOW_SIGN_IN_HEADER
/** Invitations, switching accounts and removing members in a browser, behind a proxy that signs people in. */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { adminOf, createAccount, type DemoAccount, type DemoServer } from "../../../examples/demo/server.ts";
import { newDatabaseUrl, startSharedServer } from "../../../examples/test/SharedServer.ts";
import { newFolder } from "../../../examples/test/newFolder.ts";
import { followLink, openBrowser, type Driven } from "./Driven.ts";
import { faultsOf } from "./faultsOf.ts";
import { findChromium } from "./Stage.ts";

const KATE = "kate@example.com";

const SIGN_IN = { WINNOW_SIGN_IN_HEADER: "x-person", WINNOW_TRUSTED_PROXIES: "127.0.0.1" };

describe.skipIf(findChromium() === null)("members", () => {
  let server: DemoServer;
  let driven: Driven;
  let folder = "";
  let mine: DemoAccount;
  let other: DemoAccount;
  let kate: Page;

  const signInUrl = async ({ id }: DemoAccount): Promise<string> =>
    (await adminOf(server).signInLinks.create(id)).url;

  const statusOf = async (apiKey: string): Promise<number> =>
    (await fetch(`${server.url}/v1/account`, { headers: { "x-api-key": apiKey } })).status;

  const owner = async (): Promise<Page> => {
    const page = await driven.page(await driven.context());
    await followLink(page, await signInUrl(mine));
    await page.waitForURL(`${server.url}/app/**`);
    await page.goto(`${server.url}/app/settings/account`);
    return page;
  };

  beforeAll(async () => {
    folder = await newFolder("members");
    await mkdir(path.join(folder, "data"));
    server = await startSharedServer(await newDatabaseUrl(), path.join(folder, "data"), "127.0.0.1", SIGN_IN);
    [mine, other] = [await createAccount(server, 1_000), await createAccount(server, 1_000)];
    driven = await openBrowser();
  });
  afterAll(async () => {
    await driven[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("are invited in the app, and choose when they sign in", async () => {
    const page = await owner();
    await page.fill("input[type=email]", KATE);
    await page.click("button:text-is('Invite')");
    await page.waitForSelector(`li:has-text('${KATE}') >> text=invited until`);
    const browser = page.locator("[aria-label=Sessions] strong").first();
    assert.match(await browser.innerText(), /^Chrome \d+, Linux$/u);
    const context = await driven.context();
    await context.setExtraHTTPHeaders({ "x-person": KATE });
    kate = await driven.page(context);
    await kate.goto(`${server.url}/app/developers/keys`);
    await kate.waitForSelector("h1:text-is('Choose an account')");
    assert.deepStrictEqual(await faultsOf(kate), []);
    await kate.click("button:text-is('Accept')");
    await kate.waitForURL(`${server.url}/app/developers/keys`);
    await page.reload();
    await page.waitForSelector(`li:has-text('${KATE}') >> text=member since`);
  });

  it("can be removed with what they made", async () => {
    const made = await kate.evaluate(async () => {
      const body = JSON.stringify({ name: "Nightly import" });
      const headers = { "content-type": "application/json" };
      return (await (await fetch("/v1/api-keys", { method: "POST", headers, body })).json()) as {
        key: string;
      };
    });
    assert.strictEqual(await statusOf(made.key), 200);
    const page = await owner();
    await page.click(`li:has-text('${KATE}') button`);
    await page.waitForSelector("dialog >> text=Nightly import");
    assert.isTrue(await page.isChecked("dialog input[type=checkbox]"));
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.click("dialog button:text-is('Remove')");
    await page.waitForSelector(`li:has-text('${KATE}')`, { state: "detached" });
    assert.strictEqual(await statusOf(made.key), 401);
    assert.strictEqual(await statusOf(mine.apiKey), 200);
  });

  it("are asked before a link signs their browser in to another account", async () => {
    const page = await owner();
    const link = await signInUrl(other);
    await page.goto(link);
    await page.waitForSelector("h1:text-is('Switch accounts?')");
    assert.deepStrictEqual(await faultsOf(page), []);
    await page.click("a:has-text('Stay in')");
    await page.goto(`${server.url}/app/settings/account`);
    await page.waitForSelector(`dd:text-is('${mine.id}')`);
    await page.goto(link);
    await page.click("button:text-is('Switch to this account')");
    await page.waitForURL(`${server.url}/app/`);
    await page.goto(`${server.url}/app/settings/account`);
    await page.waitForSelector(`dd:text-is('${other.id}')`);
  });
});
