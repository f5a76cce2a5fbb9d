/**
 * Port of the page reader's neighbours: runs the scripts of a page and hands out the document they leave.
 *
 * Optional. Where nothing provides it, pages are read as their servers send them.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

export interface RenderedPage {
  /** Where the page ended up, after redirects and navigations of its own. */
  readonly url: string;
  readonly html: string;
  /** False: the page was still busy when its time was over, and this is how far it was. */
  readonly settled: boolean;
}

/**
 * `unavailable`: there is no browser, or it does not start; `timeout`: nothing could be had of the page in
 * its time; `too_large`: its document is, or what it fetched; `crashed`: it took too much memory.
 */
export class PageNotRendered extends Schema.TaggedError<PageNotRendered>()("PageNotRendered", {
  reason: Schema.Literals(["unavailable", "timeout", "too_large", "unreachable", "crashed"]),
  /** For the log; holds nothing of the page. */
  message: Schema.String
}) {}

export interface RenderOptions {
  /** Whose turn it is: pages are rendered by account in turn. */
  readonly accountId: string;
  /** Run when the turn has come: what went before was waiting. Default: nothing. */
  readonly onTurn?: Effect.Effect<void>;
}

export class PageRenderer extends Context.Service<
  PageRenderer,
  {
    /**
     * Waits for the account's turn. Every connection of the page goes through the egress guard. Interruption
     * ends the rendering and all it started before it returns.
     */
    readonly render: (url: string, options: RenderOptions) => Effect.Effect<RenderedPage, PageNotRendered>;
  }
>()("@winnow/adapters/page/PageRenderer") {}
