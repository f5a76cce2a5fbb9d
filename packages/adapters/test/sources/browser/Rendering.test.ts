// @module-tag alone: what a process hands on
import { assert, describe, it } from "@effect/vitest";
import type { Browser } from "playwright-core";
import { afterEach, vi } from "vitest";
import { RENDER_TIMEOUT_MS } from "../../../src/sources/browser/RenderLimits.ts";
import { Rendering } from "../../../src/sources/browser/Rendering.ts";

const TASK = {
  id: 1,
  url: "https://example.org/",
  timeoutMs: RENDER_TIMEOUT_MS,
  userAgent: "test",
  proxy: { server: "http://127.0.0.1:9", username: "u", password: "p" }
};

/** A busy browser that returns its first context on request. */
const busyBrowser = () => {
  const context = Promise.withResolvers<object>();
  const closed = Promise.withResolvers<"closed">();
  const late = {
    close: async () => closed.resolve("closed"),
    addInitScript: () => Promise.reject(new Error("the context is closed"))
  };
  return {
    browser: { newContext: () => context.promise } as unknown as Browser,
    handOut: () => context.resolve(late),
    closed: closed.promise
  };
};

const ignore = (): void => {};
const done = async (): Promise<void> => {};

interface FakePage {
  readonly newCDPSession: () => Promise<object>;
  /** Accepts listeners for the page's traffic. */
  readonly on?: (event: string, listener: () => void) => void;
}

const browserOf = ({ newCDPSession, on = ignore }: FakePage): Browser => {
  const page = { once: ignore, on, goto: done, url: () => TASK.url, context: () => context };
  const context = {
    addInitScript: done,
    route: done,
    newPage: async () => page,
    on: ignore,
    close: done,
    newCDPSession
  };
  return { newContext: async () => context } as unknown as Browser;
};

/** A browser whose page crashes as soon as it is opened. */
const brokenBrowser = (): Browser =>
  browserOf({ newCDPSession: () => Promise.reject(new Error("the page crashed")) });

/**
 * Its page has text from this poll on, counted from 1. `look` is called before each poll is answered, with a
 * function that ends the page's pending request.
 */
const slowBrowser = (
  textFrom: number,
  look: (number: number, arrive: () => void) => Promise<void>
): Browser => {
  const listeners = new Map<string, () => void>();
  let looks = 0;
  const evaluate = async (expression: string): Promise<number | string> => {
    if (!expression.includes("innerText.length")) return looks < textFrom ? "<p></p>" : "<p>text</p>";
    looks += 1;
    if (looks === 1) listeners.get("request")?.();
    await look(looks, () => listeners.get("requestfinished")?.());
    return looks < textFrom ? 0 : "text".length;
  };
  const answers: Readonly<Record<string, (parameters: { readonly expression: string }) => Promise<object>>> =
    {
      "Page.getFrameTree": async () => ({ frameTree: { frame: { id: "frame" } } }),
      "Page.createIsolatedWorld": async () => ({ executionContextId: 1 }),
      "Runtime.evaluate": async ({ expression }) => ({ result: { value: await evaluate(expression) } })
    };
  return browserOf({
    newCDPSession: async () => ({
      send: (method: string, parameters: { readonly expression: string }) => answers[method]?.(parameters)
    }),
    on: (event, listener) => void listeners.set(event, listener)
  });
};

afterEach(() => vi.useRealTimers());

describe("a page that the browser opened too late", () => {
  it("is closed once it opens, although its request has ended", async () => {
    vi.useFakeTimers();
    const { browser, closed, handOut } = busyBrowser();
    const rendering = new Rendering(browser, TASK);
    const answer = rendering.run();
    await vi.advanceTimersByTimeAsync(RENDER_TIMEOUT_MS);
    assert.deepStrictEqual(await answer, { failed: "timeout" });
    await rendering.close();
    handOut();
    assert.strictEqual(await closed, "closed");
  });
});

describe("a crashed page", () => {
  it("does not affect other pages of the process", async () => {
    const rendering = new Rendering(brokenBrowser(), TASK);
    let isCancelled = false;
    setTimeout(() => {
      isCancelled = true;
      rendering.cancel();
    }, 100);
    assert.deepStrictEqual(await rendering.run(), { failed: "crashed" });
    // `cancel` was called while `run` was pending, so the time limit did not end it.
    assert.isTrue(isCancelled);
  });
});

describe("a page is still loading", () => {
  const htmlOf = async (browser: Browser): Promise<string> => {
    const answer = await new Rendering(browser, TASK).run();
    return "page" in answer ? answer.page.html : assert.fail(answer.failed);
  };

  it("right after a response, because its scripts still have to process it", async () => {
    // The response takes longer than a page must be quiet to count as idle.
    const browser = slowBrowser(10, async (number, arrive) => (number === 7 ? arrive() : undefined));
    assert.include(await htmlOf(browser), "text");
  });

  it("if a busy machine delayed its response", async () => {
    const halted = () => new Promise<void>((resolve) => setTimeout(resolve, 1_000));
    const browser = slowBrowser(5, async (number, arrive) => {
      if (number === 1) arrive();
      if (number === 3) await halted();
    });
    assert.include(await htmlOf(browser), "text");
  });
});
