/**
 * The look at a page that an earlier one, of another process perhaps, took for an article: asking yt-dlp again
 * whether it holds a video costs more than all the rest of a small run.
 */
import type { KnownSource } from "@winnow/core/ports/Downloader";
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { Egress } from "../egress/Egress.ts";
import type { PageReader } from "../page/PageReader.ts";
import type { PageRenderer } from "../page/PageRenderer.ts";
import type { DownloadLimits } from "./DownloadLimits.ts";
import { type InspectionTurn, overrun } from "./InspectionTurn.ts";
import { inspectPage } from "./PageInspection.ts";
import { pageSource } from "./PageSource.ts";
import { rendered } from "./RenderedInspection.ts";

export interface PageServices {
  readonly egress: Context.Service.Shape<typeof Egress>;
  readonly pages: Context.Service.Shape<typeof PageReader>;
  /** Null: there is no browser here. */
  readonly renderer: Context.Service.Shape<typeof PageRenderer> | null;
  readonly limits: DownloadLimits;
}

/** As long as a look is kept within one process. */
const KNOWN_FOR_MS = 600_000;

/** It is still what `known` says. */
export const isKnownPage = (known: KnownSource | undefined, nowMs: number): boolean =>
  known?.kind === "webpage" && nowMs - known.atMs < KNOWN_FOR_MS;

/** What the page says now; null unless it is an article still, of which the whole look has to tell what it is. */
export const inspectKnownPage = Effect.fnUntraced(function* (
  services: PageServices,
  url: string,
  turn: InspectionTurn
) {
  const seen = inspectPage(url, services).pipe(
    Effect.flatMap((page) => rendered(page, { ...services, turn })),
    Effect.flatMap((page) => pageSource(url, page, "no_media")),
    Effect.raceFirst(overrun(turn, { timeoutMs: services.limits.inspectTimeoutMs })),
    Effect.orElseSucceed(() => null)
  );
  const found = yield* seen;
  return found?.source._tag === "Webpage" && found.source.page.kind === "webpage" ? found : null;
});
