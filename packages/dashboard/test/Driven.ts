/** The system's Chromium, and the errors that its pages report. */
import { existsSync } from "node:fs";
import path from "node:path";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserServer,
  type Cookie,
  type Page
} from "playwright-core";
import { runBrowserUrl } from "./BrowserBroker.ts";
import { findChromium } from "./Stage.ts";

export interface ContextOptions {
  readonly locale?: string;
  readonly cookies?: ReadonlyArray<Cookie>;
}

export interface Driven extends AsyncDisposable {
  /** Console errors and warnings of every page, exceptions, and violations of the content security policy. */
  readonly noise: Array<string>;
  readonly context: (options?: ContextOptions) => Promise<BrowserContext>;
  readonly page: (context: BrowserContext) => Promise<Page>;
}

/**
 * Playwright's own list, which this one replaces, and two drop-downs of the address bar, which are invisible
 * and take half of a page's CPU time.
 */
const FEATURES_OFF = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch"
];

/** Optimizing scripts takes more time than they run: a page lives for a second, with axe for another. */
const SCRIPTS_UNOPTIMIZED = "--js-flags=--no-opt --no-maglev";

/** Without a graphics card, Chromium would otherwise emulate one. */
const DRAWN_BY_SOFTWARE = ["--disable-gpu", "--disable-software-rasterizer"];

/** Sound is played to nobody: looking for a server of sound leaves a folder behind. */
const SILENT = "--disable-audio-output";

// Otherwise every test would wait for screens that the server does not have.
if (findChromium() !== null && !existsSync(path.join(import.meta.dirname, "../dist/app/assets.json"))) {
  throw new Error("The web app is not built. Build it with `npm run pnpm -- build`.");
}

/** Only a hang takes this long, even on a busy machine. */
const PAGE_TIMEOUT_MS = 120_000;

/**
 * Drawing an icon that turns, sixty times a second and without a graphics card, takes more CPU time than all else that
 * a waiting page does.
 */
const PAGE = { viewport: { width: 1_280, height: 860 }, reducedMotion: "reduce" } as const;

export interface BrowserOptions {
  /** Pages are kept for the back button, as people's browsers do; Playwright switches that off. */
  readonly keepsPages?: boolean;
  /** Further arguments of Chromium. */
  readonly args?: ReadonlyArray<string>;
}

const argumentsOf = ({ keepsPages = false, args = [] }: BrowserOptions) => {
  const executablePath = findChromium(keepsPages);
  if (executablePath === null) throw new Error("There is no Chromium on this machine.");
  return {
    executablePath,
    ignoreDefaultArgs: keepsPages ? ["--disable-back-forward-cache"] : [],
    args: [
      "--no-sandbox",
      ...DRAWN_BY_SOFTWARE,
      SILENT,
      SCRIPTS_UNOPTIMIZED,
      `--disable-features=${FEATURES_OFF.join(",")}`,
      ...args
    ]
  };
};

/** A browser that several processes can connect to. */
export const startBrowser = (): Promise<BrowserServer> => chromium.launchServer(argumentsOf({}));

/**
 * The browser of the test run, unless there is none, it has crashed or options ask for another; closing it closes its own
 * contexts.
 */
const browserWith = async (options: BrowserOptions): Promise<Browser> => {
  const url = Object.keys(options).length === 0 ? await runBrowserUrl() : null;
  const shared = url === null ? null : await chromium.connect(url).catch(() => null);
  return shared ?? chromium.launch(argumentsOf(options));
};

export const openBrowser = async (options: BrowserOptions = {}): Promise<Driven> => {
  const browser = await browserWith(options);
  const noise: Array<string> = [];
  return {
    noise,
    context: async ({ locale = "en-GB", cookies = [] } = {}) => {
      const context = await browser.newContext({ ...PAGE, locale });
      context.setDefaultTimeout(PAGE_TIMEOUT_MS);
      await context.addCookies([...cookies]);
      return context;
    },
    page: async (context) => {
      const page = await context.newPage();
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) noise.push(message.text());
      });
      page.on("pageerror", (error) => noise.push(String(error)));
      return page;
    },
    [Symbol.asyncDispose]: () => browser.close()
  };
};

/** Goes to a screen of another title within the app, as a link does, instead of loading all of the app again. */
export const visit = async (page: Page, url: string): Promise<void> => {
  const title = await page.title();
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, url);
  await page.waitForFunction((before) => document.title !== before, title);
  await page.waitForSelector("h1");
};

/** Opens an operator's link and presses its button. */
export const followLink = async (page: Page, link: string): Promise<void> => {
  await page.goto(link);
  await page.click("button:has-text('Sign in')");
};
