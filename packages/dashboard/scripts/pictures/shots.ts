/** Which screens are shown, and what is done on them first. */
import type { Page } from "playwright-core";
import type { Stage } from "../../test/Stage.ts";
import { LINKS, TALK_URL, type Seeded } from "./seed.ts";

export interface Shot {
  readonly name: string;
  /** Below /app/. */
  readonly screen: string;
  readonly act?: (page: Page) => Promise<void>;
  /** In docs/images, and in which theme. */
  readonly docs?: "light" | "dark";
  /** Part of README's loop. */
  readonly isOfTour?: boolean;
}

/** The form asks for a price when nothing was changed for a moment, and keeps what was chosen before. */
const QUOTE_MS = 1_500;

/** Chromium's spinner turns to the end of its round after a film has loaded. */
const SPINNER_MS = 2_500;

const filmIsStill = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => {
    const film = document.querySelector("video");
    return film !== null && !film.seeking && film.readyState >= 2;
  });
  await page.waitForTimeout(SPINNER_MS);
};

const runIsShown = async (page: Page): Promise<void> => {
  await page.waitForSelector("[data-line]");
  await filmIsStill(page);
};

export const shotsOf = (stage: Stage, seeded: Seeded): ReadonlyArray<Shot> => [
  { name: "list", screen: "", docs: "light" },
  { name: "preview", screen: `?peek=${seeded.talk}` },
  {
    name: "new",
    screen: `new?schema=${seeded.talkSchema}`,
    docs: "light",
    isOfTour: true,
    act: async (page) => {
      await page.fill("#address", TALK_URL);
      await page.waitForSelector(".price-line");
      await page.getByRole("checkbox", { name: /^Video/u }).check();
      await page.waitForTimeout(QUOTE_MS);
      await page.evaluate(() => scrollTo(0, 0));
    }
  },
  {
    name: "new-stretch",
    screen: "new",
    act: async (page) => {
      await page.fill("#address", TALK_URL);
      await page.click("summary:has-text('Only a stretch')");
      await page.getByRole("textbox", { name: "From" }).fill("1:05");
      await page.getByRole("slider", { name: "To" }).press("PageDown");
      await page.waitForTimeout(QUOTE_MS);
    }
  },
  { name: "values", screen: `runs/${seeded.talk}`, isOfTour: true, act: runIsShown },
  {
    name: "run",
    screen: `runs/${seeded.talk}`,
    docs: "light",
    isOfTour: true,
    act: async (page) => {
      await runIsShown(page);
      await page.click("[data-quote] >> nth=1");
      await filmIsStill(page);
      await page.evaluate(() => scrollTo(0, 0));
    }
  },
  { name: "failed", screen: `runs/${seeded.failed}` },
  {
    name: "results",
    screen: `results?schemaId=${seeded.productSchema}`,
    docs: "light",
    act: async (page) => {
      await page.click("[data-row='0'] [data-column='3']");
      await page.waitForSelector(".result-details mark");
    }
  },
  {
    name: "new-many",
    screen: "new",
    act: async (page) => {
      await page.fill("#address", LINKS.join("\n"));
      await page.waitForSelector("button[type=submit]:enabled");
    }
  },
  { name: "batch", screen: `batches/${seeded.batch}` },
  { name: "schemas", screen: "schemas" },
  { name: "schema", screen: `schemas/${seeded.talkSchema}?from=${seeded.talk}`, act: filmIsStill },
  { name: "keys", screen: "developers/keys" },
  { name: "webhooks", screen: "developers/webhooks" },
  { name: "mcp", screen: "developers/mcp" },
  { name: "usage", screen: "settings/usage" },
  { name: "account", screen: "settings/account" },
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
