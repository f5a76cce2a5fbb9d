/** What steps of an inspection share: services, page, and what was read, which is not asked for again. Tests: MediaDownloader.test.ts. */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type { EgressWay, FetchedBody } from "@winnow/isolation/network/Egress";
import type { Ffmpeg } from "../../programs/Ffmpeg.ts";
import type { Pictures } from "../../programs/images/Pictures.ts";
import type { Failed } from "@winnow/core/domain/source/Failed";
import { processFailure } from "../failures/classify.ts";
import type { GalleryDl } from "../gallery-dl/GalleryDl.ts";
import type { CookieJarFile } from "../ways/SourceRoute.ts";
import type { YtDlp, YtDlpInspectOptions, YtDlpPlace } from "../yt-dlp/YtDlp.ts";
import type { InspectionPermit } from "./InspectionCache.ts";
import { failureOfExtractor } from "./lookups.ts";
import { inspectPage, type PageInspection, type PageServices } from "./PageInspection.ts";
import { openPlace, startInTurn } from "./RoutedServices.ts";

export interface InspectorServices extends PageServices {
  readonly ytDlp: YtDlp;
  readonly ffmpeg: Ffmpeg;
  readonly galleryDl: GalleryDl | null;
  readonly workDir: string;
  /** The jar of the run's route. */
  readonly cookies: CookieJarFile | null;
  readonly pictures: Pictures["Service"];
}

/** State shared by the steps of one inspection. */
export interface InspectionContext extends InspectorServices {
  readonly url: string;
  readonly permit: InspectionPermit;
  readonly place: YtDlpPlace;
  readonly page: Effect.Effect<PageInspection>;
  /** Caption look-ups rejected during the last request to yt-dlp. */
  readonly refused: { captions: Failed | null };
  /** Manifests that yt-dlp has read, by URL. */
  readonly manifests: Map<string, string>;
}

/**
 * Begins with the page. yt-dlp's reader of any page does not ask for it too, but waits for our response: then it waits for
 * the source, and the next program may start, as after its first connection (RoutedServices.ts).
 */
export const openContext = Effect.fnUntraced(function* (
  services: InspectorServices,
  url: string,
  permit: InspectionPermit
) {
  const { folder, place, proxy } = yield* openPlace(services);
  const response = Deferred.makeUnsafe<FetchedBody | null>();
  const reading = yield* Effect.forkScoped(inspectPage(url, services, response));
  const waitsForPage = Deferred.makeUnsafe<void>();
  const inTurn = startInTurn(Effect.raceFirst(proxy.nextConnection, Deferred.await(waitsForPage)));
  const page = {
    url,
    response: Deferred.await(response),
    onWait: () => void Deferred.doneUnsafe(waitsForPage, Effect.void)
  };
  const context: InspectionContext = {
    ...services,
    ytDlp: { ...services.ytDlp, inspect: (...question) => inTurn(services.ytDlp.inspect(...question)) },
    url,
    permit,
    place: { ...place, page },
    page: Fiber.join(reading),
    refused: { captions: null },
    manifests: new Map()
  };
  return { context, folder, proxy };
});

/** What has been read, as the page or by yt-dlp, is not asked for again. */
export const remembering = ({ egress, manifests, place: { page } }: InspectionContext): EgressWay => ({
  ...egress,
  fetch: Effect.fnUntraced(function* (url, options) {
    const sent = page?.url === url ? yield* page.response : null;
    const text = manifests.get(url);
    if (sent !== null || text === undefined) return sent ?? (yield* egress.fetch(url, options));
    return { status: 200, url, headers: {}, redirectCount: 0, body: new TextEncoder().encode(text) };
  })
});

/** The answer of yt-dlp, after recording which look-ups failed. */
export const ask = Effect.fnUntraced(function* (
  context: InspectionContext,
  url: string,
  items: string,
  options: YtDlpInspectOptions = {}
) {
  const answer = yield* context.ytDlp
    .inspect(url, items, context.place, options)
    .pipe(Effect.mapError(processFailure));
  const manifests = answer.ok ? Object.entries(answer.manifests ?? {}) : [];
  for (const [address, text] of manifests) context.manifests.set(address, text);
  const captions = answer.ok ? answer.refused?.captions : undefined;
  context.refused.captions = captions === undefined ? null : yield* failureOfExtractor(captions);
  return answer;
});
