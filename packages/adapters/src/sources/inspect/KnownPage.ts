/**
 * Inspects a page without yt-dlp if an earlier inspection, in any process, found an article there: asking yt-dlp
 * again costs more than the rest of a small run.
 */
import type { KnownSource } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { INSPECTION_TTL_MS } from "./InspectionCache.ts";
import { type InspectionPermit, failOnTimeout } from "./InspectionPermit.ts";
import { inspectPage, type PageServices } from "./PageInspection.ts";
import { pageSource } from "./PageSource.ts";
import { rendered } from "./RenderedInspection.ts";

/** Whether an inspection found an article there within the cache's time to live. */
export const isKnownPage = (known: KnownSource | undefined, nowMs: number): boolean =>
  known?.kind === "webpage" && nowMs - known.atMs < INSPECTION_TTL_MS;

/** The current article; null if the page is no longer one and needs a full inspection. */
export const inspectKnownPage = Effect.fnUntraced(function* (
  services: PageServices,
  url: string,
  turn: InspectionPermit
) {
  const inspection = inspectPage(url, turn.accountId, services).pipe(
    Effect.flatMap((page) => rendered(page, { ...services, permit: turn })),
    Effect.flatMap((page) => pageSource(url, page, "no_media")),
    Effect.raceFirst(failOnTimeout(turn, { timeoutMs: services.limits.inspectTimeoutMs })),
    Effect.orElseSucceed(() => null)
  );
  const found = yield* inspection;
  return found?.source._tag === "Webpage" && found.source.page.kind === "webpage" ? found : null;
});
