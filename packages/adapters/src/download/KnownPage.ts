/**
 * Inspects a page that an earlier inspection, perhaps in another process, found to be an article, without yt-dlp:
 * asking it again whether the page holds a video costs more than all the rest of a small run.
 */
import type { KnownSource } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { INSPECTION_TTL_MS } from "./InspectionCache.ts";
import { type InspectionTurn, overrun } from "./InspectionTurn.ts";
import { inspectPage, type PageServices } from "./PageInspection.ts";
import { pageSource } from "./PageSource.ts";
import { rendered } from "./RenderedInspection.ts";

/** Whether an inspection found an article there, no longer ago than inspections are cached. */
export const isKnownPage = (known: KnownSource | undefined, nowMs: number): boolean =>
  known?.kind === "webpage" && nowMs - known.atMs < INSPECTION_TTL_MS;

/** The article as it is now; null when the page is none any more, and has to be inspected in full. */
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
