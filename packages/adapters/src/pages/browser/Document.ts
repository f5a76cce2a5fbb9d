/**
 * Reads the document of an open page from an isolated world: the page's scripts can neither observe nor change the
 * result. The page may navigate at any time, in which case reading starts over.
 */
import type { CDPSession, Page } from "playwright-core";
import { DOCUMENT_CHARS_MAX } from "./RenderLimits.ts";

const TEXT_CHARS = "document.body === null ? 0 : document.body.innerText.length";

/** Measured before it is returned, because a page can create a document of any size. */
const HTML = `(() => {
  const html = document.documentElement === null ? "" : document.documentElement.outerHTML;
  return html.length > ${DOCUMENT_CHARS_MAX} ? null : "<!DOCTYPE html>" + html;
})()`;

export class Document {
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
