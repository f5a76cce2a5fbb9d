/**
 * Fetches thumbnail.jpg and the slides of photo posts through the guard. Images are always re-encoded as JPEG, so
 * that nothing of the original file but its pixels is kept.
 */
import { slideFile, THUMBNAIL_FILE } from "@winnow/core/domain/result/ArtifactName";
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { egressFailure, classifyStatus, failed, failureOf } from "../failures/classify.ts";
import { type FetchContext, EMPTY_PART, type Part } from "./FetchContext.ts";
import { writeJpeg } from "../../programs/images/Images.ts";
import { PAGE_HEADERS } from "../../pages/PageHeaders.ts";

const FETCHES_AT_ONCE = 4;

/** Maximum candidates for a thumbnail before a frame of the video is used. */
const THUMBNAILS_TRIED_MAX = 3;

/** Image servers of platforms require the post as referrer. */
const headersFor = (referer: string) => ({
  ...PAGE_HEADERS,
  accept: "image/avif,image/webp,image/*;q=0.8,*/*;q=0.5",
  referer
});

const fetchJpeg = Effect.fnUntraced(function* (
  context: FetchContext,
  url: string,
  name: string
): Effect.fn.Return<void, DownloadFailed> {
  const { egress, limits, place, request, sandbox } = context;
  const response = yield* egress
    .fetch(url, {
      maxBytes: limits.imageMaxBytes,
      timeoutMs: limits.smallFetchTimeoutMs,
      headers: headersFor(request.url)
    })
    .pipe(Effect.mapError(egressFailure));
  const refusal = classifyStatus(response.status);
  if (refusal !== null) return yield* failureOf(refusal);
  const owner = { accountId: request.accountId, sandbox };
  yield* writeJpeg(owner, response.body, place.folder, name).pipe(
    Effect.mapError(({ _tag }) =>
      _tag === "PackageMissing"
        ? failed("internal", "This server is not set up to convert images.")
        : failed("not_extractable", "An image of the post could not be read.")
    )
  );
});

/** Empty without any picture; the caller decides what to do. */
export const fetchThumbnail = Effect.fn("MediaDownloader.fetchThumbnail")(function* (
  context: FetchContext,
  urls: ReadonlyArray<string>
): Effect.fn.Return<Part> {
  for (const url of urls.slice(0, THUMBNAILS_TRIED_MAX)) {
    const fetched = yield* Effect.isSuccess(fetchJpeg(context, url, THUMBNAIL_FILE));
    if (fetched) return { ...EMPTY_PART, files: [THUMBNAIL_FILE] };
  }
  return EMPTY_PART;
});

/** Fails with the first slide's reason if no slide can be fetched. */
export const fetchSlides = Effect.fn("MediaDownloader.fetchSlides")(function* (
  context: FetchContext,
  images: ReadonlyArray<string>
): Effect.fn.Return<Part, DownloadFailed> {
  const selected = images.slice(0, context.limits.slidesMax);
  const slides = yield* Effect.forEach(
    selected,
    (url, index) => {
      const name = slideFile(index + 1, selected.length);
      return fetchJpeg(context, url, name).pipe(
        Effect.match({
          onFailure: (failure) => ({ name, failure }),
          onSuccess: () => ({ name, failure: null })
        })
      );
    },
    { concurrency: FETCHES_AT_ONCE }
  );
  const missing = slides.filter(({ failure }) => failure !== null);
  if (missing.length === slides.length) return yield* slides[0]?.failure ?? failed("not_extractable");
  return {
    ...EMPTY_PART,
    files: slides.flatMap(({ failure, name }) => (failure === null ? [name] : [])),
    warnings: [
      ...missing.map(({ name }) => `${name} could not be fetched.`),
      ...(selected.length < images.length ? [`Only the first ${selected.length} slides were fetched.`] : [])
    ]
  };
});
