/**
 * Renders one page in its own browser context: opens it, waits until it settles, and reads the document. Runs in
 * the process that drives the browser.
 */
import { setTimeout as wait } from "node:timers/promises";
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  errors,
  type Page,
  type Route
} from "playwright-core";
import {
  DOCUMENT_CHARS_MAX,
  POLL_EVERY_MS,
  QUIET_BUSY_MS,
  QUIET_MS,
  REQUESTS_MAX,
  SNAPSHOT_RESERVE_MS
} from "./RenderLimits.ts";
import type { RenderAnswer, RenderTask } from "./RenderMessages.ts";

const TEXT_CHARS = "document.body === null ? 0 : document.body.innerText.length";

/** Measured before it is returned, because a page can create a document of any size. */
const HTML = `(() => {
  const html = document.documentElement === null ? "" : document.documentElement.outerHTML;
  return html.length > ${DOCUMENT_CHARS_MAX} ? null : "<!DOCTYPE html>" + html;
})()`;

/**
 * Reads the document of an open page from an isolated world: the page's scripts can neither observe nor change the
 * result. The page may navigate at any time, in which case reading starts over.
 */
class IsolatedWorld {
  readonly #page: Page;
  #session: Promise<CDPSession> | null = null;
  #world: number | null = null;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Null during a navigation. */
  async textChars(): Promise<number | null> {
    const value = await this.#evaluate(TEXT_CHARS).catch(() => null);
    return typeof value === "number" ? value : null;
  }

  /** Null if it is too large. */
  async html(): Promise<string | null> {
    const value = await this.#evaluate(HTML).catch(() => this.#evaluate(HTML));
    return typeof value === "string" ? value : null;
  }

  async #evaluate(expression: string): Promise<unknown> {
    this.#session ??= this.#page.context().newCDPSession(this.#page);
    const session = await this.#session;
    try {
      if (this.#world === null) {
        const { frameTree } = await session.send("Page.getFrameTree");
        const world = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
        this.#world = world.executionContextId;
      }
      const { exceptionDetails, result } = await session.send("Runtime.evaluate", {
        expression,
        contextId: this.#world,
        returnByValue: true
      });
      if (exceptionDetails !== undefined) throw new Error("the document cannot be read");
      return result.value;
    } catch (error) {
      this.#world = null;
      throw error;
    }
  }
}

/** Resource types a page may request: those that can contribute text. */
const ALLOWED_TYPES: ReadonlySet<string> = new Set([
  "document",
  "script",
  "stylesheet",
  "xhr",
  "fetch",
  "websocket",
  "eventsource",
  "other"
]);

/** Removed from pages before their scripts run: APIs that could bypass the proxy. */
const DISARM = `for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
  try { delete globalThis[name] } catch {}
}`;

const reasonOf = (error: unknown): "timeout" | "unreachable" | "crashed" => {
  if (error instanceof errors.TimeoutError) return "timeout";
  return /net::ERR_/u.test(String(error)) ? "unreachable" : "crashed";
};

const pollsIn = (durationMs: number): number => Math.ceil(durationMs / POLL_EVERY_MS);

export class Rendering {
  readonly #browser: Browser;
  readonly #task: RenderTask;
  readonly #gone = Promise.withResolvers<never>();
  #context: BrowserContext | null = null;
  /** Whether `run` has ended: answered, failed or was cancelled. */
  #hasEnded = false;
  #requests = 0;
  #pending = 0;
  /** Consecutive checks with the same text and no network activity in between. */
  #idlePolls = 0;
  /** Status of the last navigation. */
  #status = 0;

  constructor(browser: Browser, task: RenderTask) {
    this.#browser = browser;
    this.#task = task;
    this.#gone.promise.catch(() => {});
  }

  /** Never rejects. */
  async run(): Promise<RenderAnswer> {
    const { timeoutMs } = this.#task;
    const endsAtMs = Date.now() + timeoutMs;
    const timer = setTimeout(
      () => this.#gone.reject(new errors.TimeoutError("the page exceeded its time limit")),
      timeoutMs
    );
    try {
      return await Promise.race([this.#render(endsAtMs), this.#gone.promise]);
    } catch (error) {
      return { failed: reasonOf(error) };
    } finally {
      clearTimeout(timer);
      this.#hasEnded = true;
    }
  }

  cancel(): void {
    this.#gone.reject(new Error("cancelled"));
  }

  async close(): Promise<void> {
    await this.#context?.close().catch(() => {});
  }

  async #open(): Promise<Page> {
    const { proxy, userAgent } = this.#task;
    const context = await this.#browser.newContext({
      proxy: { ...proxy, bypass: "<-loopback>" },
      userAgent,
      locale: "en-US",
      viewport: { width: 1_280, height: 1_600 },
      reducedMotion: "reduce",
      acceptDownloads: false,
      serviceWorkers: "block"
    });
    this.#context = context;
    // The rendering ended while the context was being created; nothing else would close it.
    if (this.#hasEnded) await context.close();
    await context.addInitScript(DISARM);
    await context.route("**/*", (route) => this.#decide(route));
    const page = await context.newPage();
    context.on("page", (other) => void other.close().catch(() => {}));
    page.once("crash", () => this.#gone.reject(new Error("crashed")));
    page.on("response", (response) => {
      if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
        this.#status = response.status();
    });
    page.on("request", () => this.#moved(1));
    page.on("requestfinished", () => this.#moved(-1));
    page.on("requestfailed", () => this.#moved(-1));
    return page;
  }

  async #decide(route: Route): Promise<void> {
    const isAllowed = ALLOWED_TYPES.has(route.request().resourceType()) && ++this.#requests <= REQUESTS_MAX;
    await (isAllowed ? route.continue() : route.abort("blockedbyclient")).catch(() => {});
  }

  #moved(pending: number): void {
    this.#pending += pending;
    // The next check does not count, because this request came after the previous one.
    this.#idlePolls = -1;
  }

  async #render(endsAtMs: number): Promise<RenderAnswer> {
    const page = await this.#open();
    const settleByMs = endsAtMs - SNAPSHOT_RESERVE_MS;
    await page
      .goto(this.#task.url, { waitUntil: "domcontentloaded", timeout: settleByMs - Date.now() })
      .catch((error: unknown) => (reasonOf(error) === "timeout" ? null : Promise.reject(error)));
    const world = new IsolatedWorld(page);
    const settled = await this.#settle(world, settleByMs);
    const html = await world.html();
    // A page may navigate to an unreachable address; the proxy or the browser reports the error.
    if (this.#status >= 400 || !/^https?:/u.test(page.url())) return { failed: "unreachable" };
    if (html === null) return { failed: "too_large" };
    return { page: { url: page.url(), html, settled } };
  }

  /**
   * Waits until the text is stable; false on timeout. Counts checks instead of time: a page stalled by a busy
   * machine answers none and does not count as settled.
   */
  async #settle(world: IsolatedWorld, settleByMs: number): Promise<boolean> {
    let chars = -1;
    let samePolls = 0;
    while (Date.now() < settleByMs && !this.#hasEnded) {
      const now = await Promise.race([world.textChars(), wait(settleByMs - Date.now(), null)]);
      samePolls = now !== null && now === chars ? samePolls + 1 : 0;
      this.#idlePolls = samePolls > 0 && this.#pending <= 0 ? this.#idlePolls + 1 : 0;
      if (now !== null) chars = now;
      if (this.#idlePolls >= pollsIn(QUIET_MS)) return true;
      if (chars > 0 && samePolls >= pollsIn(QUIET_BUSY_MS)) return true;
      await wait(POLL_EVERY_MS);
    }
    return false;
  }
}
