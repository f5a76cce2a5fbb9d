import { assert, describe, it } from "@effect/vitest";
import type { Browser } from "playwright-core";
import { afterEach, vi } from "vitest";
import { RENDER_TIMEOUT_MS } from "../../src/chromium/RenderLimits.ts";
import { Rendering } from "../../src/chromium/Rendering.ts";

const TASK = {
  id: 1,
  url: "https://example.org/",
  userAgent: "test",
  proxy: { server: "http://127.0.0.1:9", username: "u", password: "p" }
};

/** A browser so busy that it hands out its first context when it is told to. */
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

/** A browser whose page is gone as soon as it is opened. */
const brokenBrowser = (): Browser => {
  const ignore = () => {};
  const done = async () => {};
  const page = { once: ignore, on: ignore, goto: done, url: () => TASK.url, context: () => context };
  const context = {
    addInitScript: done,
    route: done,
    newPage: async () => page,
    on: ignore,
    close: done,
    newCDPSession: () => Promise.reject(new Error("the page crashed"))
  };
  return { newContext: async () => context } as unknown as Browser;
};

afterEach(() => vi.useRealTimers());

describe("a page that the browser was too busy to open", () => {
  it("is closed when it is there at last, though nobody waits for it any more", async () => {
    vi.useFakeTimers();
    const { browser, closed, handOut } = busyBrowser();
    const rendering = new Rendering(browser, TASK);
    const answer = rendering.run();
    await vi.advanceTimersByTimeAsync(RENDER_TIMEOUT_MS);
    assert.deepStrictEqual(await answer, { id: 1, failed: "timeout" });
    await rendering.close();
    handOut();
    assert.strictEqual(await closed, "closed");
  });
});

describe("a page that is gone", () => {
  it("does not keep the process from its other pages", async () => {
    const rendering = new Rendering(brokenBrowser(), TASK);
    const startMs = performance.now();
    setTimeout(() => rendering.cancel(), 100);
    assert.deepStrictEqual(await rendering.run(), { id: 1, failed: "crashed" });
    assert.isBelow(performance.now() - startMs, 8_000);
  });
});
