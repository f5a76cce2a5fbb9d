/** What most browser tests begin with: a stage, a browser, and a page whose visitor can sign in. */
import type { BrowserContext, Page } from "playwright-core";
import { followLink, openBrowser, type BrowserOptions, type Driven } from "./Driven.ts";
import { openStage, type Stage, type StageOptions } from "./Stage.ts";

export interface App extends AsyncDisposable {
  readonly stage: Stage;
  readonly driven: Driven;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Signs the page in, and waits for `selector`. */
  readonly signIn: (selector?: string) => Promise<void>;
}

export const openApp = async ({
  keepsPages,
  args,
  ...stageOptions
}: StageOptions & BrowserOptions = {}): Promise<App> => {
  const browserOptions = {
    ...(keepsPages === undefined ? {} : { keepsPages }),
    ...(args === undefined ? {} : { args })
  };
  const [stage, driven] = await Promise.all([openStage(stageOptions), openBrowser(browserOptions)]);
  const context = await driven.context();
  const page = await driven.page(context);
  return {
    stage,
    driven,
    context,
    page,
    signIn: async (selector = "h1") => {
      await followLink(page, await stage.signInUrl());
      await page.waitForSelector(selector);
    },
    [Symbol.asyncDispose]: async () => {
      await driven[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    }
  };
};
