/**
 * Pictures of every screen, in light and dark, wide and at 320 pixels, from a real server with the sample site:
 *
 *   node packages/dashboard/scripts/screenshots.ts [FOLDER]
 *
 * Those that stand in the docs go to docs/images, small; all of them go to FOLDER where one is given.
 */
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "../test/Driven.ts";
import { openStage, type Stage } from "../test/Stage.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../docs/images");
const SETTLE_MS = 900;

const TALK = {
  type: "object",
  properties: {
    speaker: { type: "string", description: "Who speaks." },
    topic: { type: "string" },
    price: { type: "integer" }
  },
  required: ["speaker", "topic", "price"]
};
const RECIPE = {
  type: "object",
  properties: { dish: { type: "string" }, servings: { type: "integer" }, minutes: { type: "integer" } },
  required: ["dish", "servings", "minutes"]
};

/** A third of the size: few colours, which is what a screen has. */
const saveSmall = async (png: Buffer, file: string): Promise<void> => {
  await writeFile(`${file}.whole.png`, png);
  const filter = "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none";
  const program = process.env["WINNOW_FFMPEG"] ?? "ffmpeg";
  await promisify(execFile)(program, [
    "-loglevel",
    "error",
    "-y",
    "-i",
    `${file}.whole.png`,
    "-vf",
    filter,
    file
  ]);
  await rm(`${file}.whole.png`);
};

/** Lines out of sight are not drawn, and a head that sticks stands where the page was scrolled to: so, a long window. */
const showWhole = async (page: Page): Promise<void> => {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 320, height });
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(SETTLE_MS / 3);
};

interface Shot {
  readonly name: string;
  readonly screen: string;
  readonly act?: (page: Page) => Promise<void>;
  /** In the docs, and in which theme. */
  readonly docs?: "light" | "dark";
}

/** Nobody looks at so many screens in a minute. */
const LIMITS = { readsPerMinute: 1_000, othersPerMinute: 1_000 };

const seed = async ({ account, admin, client, site, talks }: Stage): Promise<string> => {
  await admin.accounts.update(account.id, { limits: LIMITS });
  const bodies = [
    { url: `${site}/article` },
    { url: `${site}/carousel` },
    { url: `${site}/nowhere` },
    { url: `${site}/recipe`, schema: RECIPE },
    { url: `${talks.url}/long-talk`, schema: TALK, inputs: ["transcript", "video"] as const }
  ];
  let last = "";
  for (const body of bodies) {
    last = (await client.submit(body)).id;
    await client.extractions.wait(last);
  }
  await client.schemas.save({ name: "talk-facts", schema: TALK });
  return last;
};

const shotsOf = (stage: Stage, talk: string): ReadonlyArray<Shot> => [
  { name: "list", screen: "", docs: "light" },
  { name: "preview", screen: `?peek=${talk}` },
  {
    name: "new",
    screen: "new",
    docs: "light",
    act: async (page) => {
      await page.fill("#address", `${stage.talks.url}/long-talk`);
      await page.waitForSelector(".price-line");
    }
  },
  {
    name: "run",
    screen: `runs/${talk}`,
    docs: "dark",
    act: async (page) => {
      await page.waitForSelector("[data-line]");
      await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 1);
      await page.click("[data-quote] >> nth=1");
    }
  },
  { name: "schemas", screen: "schemas" },
  { name: "schema", screen: "schemas/new" },
  { name: "webhooks", screen: "webhooks" },
  { name: "keys", screen: "keys" },
  { name: "billing", screen: "billing" },
  { name: "account", screen: "account" },
  { name: "operator-door", screen: "operator" },
  {
    name: "operator",
    screen: "operator",
    act: async (page) => {
      await page.fill("input[type=password]", stage.server.adminToken);
      await page.click("button[type=submit]");
      await page.waitForSelector("li h2");
    }
  }
];

const folder = process.argv[2];
await using stage = await openStage();
await using driven = await openBrowser();
const context = await driven.context();
const page = await driven.page(context);
const shots = shotsOf(stage, await seed(stage));
await page.goto(await stage.signInUrl());
await page.waitForSelector("[data-run]");
await mkdir(DOCS, { recursive: true });
if (folder !== undefined) await mkdir(folder, { recursive: true });
for (const { name, screen, act, docs } of shots) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1_280, 320]) {
      const isOfDocs = docs === colorScheme && width === 1_280;
      if (folder === undefined && !isOfDocs) continue;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(stage.app + screen);
      await page.waitForSelector("h1");
      await act?.(page);
      await page.waitForTimeout(SETTLE_MS);
      if (folder !== undefined) {
        const file = path.join(folder, `${name}-${colorScheme}-${width}.png`);
        if (width === 320) await showWhole(page);
        await page.screenshot({ path: file });
      }
      if (isOfDocs) await saveSmall(await page.screenshot(), path.join(DOCS, `web-app-${name}.png`));
    }
  }
}
