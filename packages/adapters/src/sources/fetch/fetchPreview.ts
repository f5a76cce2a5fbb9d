/** The picture of a quote: small, kept nowhere, and at the address that the inspection found. Tests: outcomes/pages.test.ts. */
import { type InspectOptions, PREVIEW_SIDE_MAX_PIXELS } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import type { Inspection } from "../inspect/Inspection.ts";
import type { InspectionCache } from "../inspect/InspectionCache.ts";
import { routedServices, type SharedServices } from "../inspect/RoutedServices.ts";
import type { Ways } from "../ways/Ways.ts";
import type { YtDlp } from "../yt-dlp/YtDlp.ts";
import { fetchImage, type ImageContext, THUMBNAILS_TRIED_MAX } from "./fetchImages.ts";

/** Somebody waits for a preview, so a slow or huge picture is none. */
const PREVIEW_MAX_BYTES = 8 * 2 ** 20;
const PREVIEW_TIMEOUT_MS = 5_000;

const PREVIEW_JPEG = { sideMaxPixels: PREVIEW_SIDE_MAX_PIXELS, quality: 80 };

const picturesOf = (source: Inspection["source"]): ReadonlyArray<string> => {
  switch (source._tag) {
    case "Video":
      return source.thumbnails;
    case "Photos":
      return source.images;
    case "Webpage":
      return source.page.metadata.thumbnail === null ? [] : [source.page.metadata.thumbnail];
  }
};

/** A small JPEG of the source's picture, kept nowhere; null if none can be read. */
const fetchPreview = Effect.fnUntraced(function* (
  { limits, ...context }: ImageContext,
  source: Inspection["source"]
): Effect.fn.Return<Uint8Array | null> {
  const limited = {
    ...context,
    limits: {
      ...limits,
      imageMaxBytes: Math.min(limits.imageMaxBytes, PREVIEW_MAX_BYTES),
      smallFetchTimeoutMs: Math.min(limits.smallFetchTimeoutMs, PREVIEW_TIMEOUT_MS)
    }
  };
  for (const url of picturesOf(source).slice(0, THUMBNAILS_TRIED_MAX)) {
    const jpeg = yield* fetchImage(limited, url, (bytes) =>
      context.pictures.makeJpeg(bytes, PREVIEW_JPEG)
    ).pipe(Effect.orElseSucceed(() => null));
    if (jpeg !== null) return jpeg;
  }
  return null;
});

/** By the way of the inspection, unless that rests. */
export const makePreview = (services: SharedServices, inspections: InspectionCache, ways: Ways<YtDlp>) =>
  Effect.fn("MediaDownloader.preview")(function* (url: string, options: InspectOptions) {
    const { way, source } = yield* inspections.get(url, options);
    return yield* ways.serve(
      url,
      (by) => fetchPreview({ ...routedServices(services, by), request: { url } }, source),
      way
    );
  });
