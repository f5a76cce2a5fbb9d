/**
 * A port of this adapter: runs the scripts of a page and returns the resulting document.
 *
 * Optional. Without it, pages are read as their servers send them. Tests: ChromiumRenderer.test.ts.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { EgressWay } from "@winnow/isolation/network/Egress";

export const RenderedPage = Schema.Struct({
  /** Final URL of the page, after redirects and navigation by scripts. */
  url: Schema.String,
  html: Schema.String,
  /** False: the page was still loading at its time limit, and this is its state at that moment. */
  settled: Schema.Boolean
});

export type RenderedPage = typeof RenderedPage.Type;

/**
 * `unavailable`: there is no browser, or it does not start; `timeout`: the page returned nothing in time;
 * `too_large`: its document or the data it fetched is too large; `crashed`: it used too much memory.
 */
export const NotRenderedReason = Schema.Literals([
  "unavailable",
  "timeout",
  "too_large",
  "unreachable",
  "crashed"
]);

export class PageNotRendered extends Schema.TaggedError<PageNotRendered>()("PageNotRendered", {
  reason: NotRenderedReason,
  /** For the log; contains nothing from the page. */
  message: Schema.String
}) {}

export interface RenderOptions {
  /** The way of the page's connections. Default: that of the guard's settings. */
  readonly egress?: EgressWay;
  /** Runs when the rendering gets its turn, after any waiting. Default: nothing. */
  readonly onTurn?: Effect.Effect<void>;
}

export class PageRenderer extends Context.Service<
  PageRenderer,
  {
    /**
     * Waits for the turn of the run's account. Every connection of the page goes through the egress guard. Interruption
     * ends the rendering and everything it started before it returns.
     */
    readonly render: (url: string, options?: RenderOptions) => Effect.Effect<RenderedPage, PageNotRendered>;
  }
>()("@winnow/adapters/sources/browser/PageRenderer") {}
