/**
 * Inspects a URL with yt-dlp and our page reader in parallel, and decides what is there.
 *
 * yt-dlp's site-specific extractors are trusted. The generic one reads the same page as our reader, which may be
 * more accurate. Before you change what waits for what: bench/inspect.ts and bench/inspect-shares.ts. Tests: MediaDownloader.test.ts.
 */
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { KnownSource } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import {
  classify,
  failed,
  failureOf,
  type FailureClass,
  explainedBy,
  processFailure
} from "../failures/classify.ts";
import { folderMaxBytes } from "../DownloadLimits.ts";
import { platformDetails, videoDetails } from "../metadata/details.ts";
import {
  embeddedPlayerOf,
  isImageEntry,
  isListing,
  isPost,
  isVideoEntry,
  MAY_BE_EMBEDDED,
  mayHaveExtraPhotos,
  VERDICTS_OF_PLAYERS,
  withCountsOf
} from "./postMedia.ts";
import { photoFacts, videoFacts } from "../metadata/facts.ts";
import { isDownloadable, isFetchable, isSection } from "./formats.ts";
import { hasGallery } from "../gallery-dl/GalleryDl.ts";
import { type Info, isGeneric, mayHaveComments, readInfo, withDetailsOf } from "../yt-dlp/InfoDict.ts";
import type { ExtraMedia, Found } from "./Inspection.ts";
import { failOnTimeout, INSPECTION_TTL_MS, type InspectionPermit } from "./InspectionCache.ts";
import { isBomb, isFatal, isGone, type PageInspection } from "./PageInspection.ts";
import { pageSource } from "./pageSource.ts";
import { inspectKnownPage, rendered } from "./renderedPage.ts";
import { withinFolder } from "@winnow/isolation/process/RunFolder";
import {
  ask,
  type InspectionContext,
  type InspectorServices,
  openContext,
  remembering
} from "./InspectionContext.ts";
import { findLabels, inspectStream, NO_STREAM_INSPECTION } from "./StreamInspection.ts";
import { captionLanguagesOf, hasTracks, readTracks, withTracks } from "./subtitleTracks.ts";

const NOT_FINISHED: ReadonlySet<string> = new Set(["is_live", "is_upcoming", "post_live"]);

/** Enough to distinguish a channel from a post; a second request reads all slides of a post. */
const FIRST_ENTRIES = "1:2";

const SEVERAL = "There are several videos at this URL.";

const photosOf = (context: InspectionContext, info: Info): Found => {
  const images = info.entries.flatMap((entry) => entry.formats.at(-1)?.url ?? []);
  const generic = isGeneric(info);
  return {
    facts: photoFacts(context.url, {
      ...info,
      images,
      hasComments: mayHaveComments(info)
    }),
    details: platformDetails(info),
    source: { _tag: "Photos", images, commentsUrl: generic ? null : context.url }
  };
};

/** The URL is a media file, not a page that links to one: there is nothing else to read. */
const isItsOwnFile = (info: Info): boolean =>
  info.direct && info.formats.some(({ url }) => url === info.webpageUrl);

/** The page about the video; a manifest read as plain text does not count. */
const pageOf = (inspection: PageInspection, { direct }: Info) =>
  inspection._tag === "Read" && (!direct || inspection.page.kind === "video") ? inspection.page : null;

const inspectVideo = Effect.fnUntraced(function* (
  context: InspectionContext,
  info: Info,
  beside: ExtraMedia = { videos: [], images: [] }
) {
  if (info.liveStatus !== null && NOT_FINISHED.has(info.liveStatus)) return yield* failed("live");
  if (info.formats.length === 0) return yield* failed("not_extractable");
  if (!info.formats.some(isFetchable)) return yield* failed("blocked_address");
  if (isSection(info.raw) || !info.formats.some(isDownloadable)) return yield* failed("not_extractable");
  const generic = isGeneric(info);
  const page = generic && !isItsOwnFile(info) ? pageOf(yield* context.page, info) : null;
  const metadata = page?.metadata ?? null;
  const claimed = info.durationSeconds ?? metadata?.durationSeconds ?? null;
  const services = { ...context, egress: remembering(context) };
  const stream =
    generic || claimed === null
      ? yield* inspectStream(info, claimed, services, context.place)
      : NO_STREAM_INSPECTION;
  const { subtitles: ofPage = [], subtitleLabels = [] } = page?.media ?? {};
  const labels = [...subtitleLabels, ...stream.labels, ...(yield* findLabels(info, services))];
  const subtitles = withTracks(info.subtitles, [...ofPage, ...stream.subtitles], labels);
  const language = info.language ?? metadata?.language ?? null;
  const tracks = readTracks({ ...info, subtitles, language });
  const captionsRefused = context.refused.captions;
  const facts = videoFacts(context.url, info, metadata, {
    durationSeconds: stream.durationSeconds,
    // The fetch will retry; until then it is unknown whether there are any.
    hasSubtitles: hasTracks(tracks) || captionsRefused !== null,
    captionLanguages: captionLanguagesOf(tracks)
  });
  const thumbnails = [info.thumbnail, metadata?.thumbnail ?? null].filter((each) => each !== null);
  const found: Found = {
    facts,
    details: videoDetails(info, metadata, facts),
    source: {
      _tag: "Video",
      info,
      tracks,
      captionsRefused,
      thumbnails: [...new Set(thumbnails)],
      extraMedia: beside,
      playlists: stream.playlists
    }
  };
  return found;
});

const PHOTOS_UNKNOWN = "It could not be determined whether the post has photos besides its video.";

/** Photos of a post whose videos yt-dlp found; `warnings` if they cannot be determined. */
const findExtraPhotos = Effect.fnUntraced(function* (context: InspectionContext) {
  const nothing = { images: [], warnings: [] };
  if (context.galleryDl === null || !mayHaveExtraPhotos(context.url)) return nothing;
  const answer = yield* Effect.option(context.galleryDl.read(context.url, context.place));
  if (answer._tag === "None" || answer.value._tag === "Refused") {
    return { images: [], warnings: [PHOTOS_UNKNOWN] };
  }
  return answer.value._tag === "Post" ? { images: answer.value.post.images, warnings: [] } : nothing;
});

/** A post with all its videos and photos; the facts are those of the first video. */
const inspectPost = Effect.fnUntraced(function* (
  context: InspectionContext,
  post: Info,
  entries: ReadonlyArray<Info>
) {
  const [first, ...videos] = entries.filter(isVideoEntry);
  if (first === undefined) return yield* failed("not_extractable");
  const imageUrls = entries.filter(isImageEntry).flatMap((entry) => entry.formats.at(-1)?.url ?? []);
  const { images, warnings } =
    imageUrls.length > 0 ? { images: imageUrls, warnings: [] } : yield* findExtraPhotos(context);
  const found = yield* inspectVideo(
    context,
    { ...first, webpageUrl: post.webpageUrl ?? first.webpageUrl },
    { videos, images }
  );
  return warnings.length === 0 ? found : { ...found, warnings };
});

const VIDEOS_UNKNOWN = "The post has a video besides its photos; the video could not be read.";

/** For a post whose photo made yt-dlp abort: its videos, read by skipping photos; null if there are none. */
const videosOf = Effect.fnUntraced(function* (context: InspectionContext) {
  const answer = yield* ask(context, context.url, `1:${context.limits.slidesMax}`, { allowEmpty: true });
  const whole = answer.ok ? readInfo(answer.info) : null;
  if (whole === null || !whole.entries.some(isVideoEntry)) return null;
  return yield* inspectPost(context, whole, whole.entries);
});

const SEVERAL_POSTS = "There are several posts at this URL.";

/** Answers of gallery-dl about the post itself; for others the page may be more accurate. */
const DEFINITE_VERDICTS: ReadonlySet<FailureClass> = new Set([
  "private",
  "removed",
  "login_required",
  "age_restricted",
  "geo_restricted",
  "bot_blocked",
  "rate_limited"
]);

/** The fallback if yt-dlp found no video: photos of a known platform, else the page itself. */
const inspectAlternatives = Effect.fnUntraced(function* (
  context: InspectionContext,
  verdict: FailureClass,
  generic: boolean
) {
  if (verdict === "no_media" && context.galleryDl !== null && hasGallery(context.url)) {
    const answer = yield* context.galleryDl
      .read(context.url, context.place)
      .pipe(Effect.mapError(processFailure));
    if (answer._tag === "Post") {
      const videos = answer.post.hasVideo ? yield* videosOf(context) : null;
      if (videos !== null) return videos;
      const found: Found = {
        facts: photoFacts(context.url, { ...answer.post, hasComments: false, webpageUrl: null }),
        details: answer.post.details,
        source: { _tag: "Photos", images: answer.post.images, commentsUrl: null },
        ...(answer.post.hasVideo ? { warnings: [VIDEOS_UNKNOWN] } : {})
      };
      return found;
    }
    if (answer._tag === "Listing") return yield* failed("not_extractable", SEVERAL_POSTS);
    if (answer._tag === "Refused" && DEFINITE_VERDICTS.has(answer.verdict))
      return yield* failureOf(answer.verdict);
  }
  if (verdict !== "no_media" && !generic) return yield* failureOf(verdict);
  return yield* pageSource(context.url, yield* rendered(yield* context.page, context), verdict);
});

const MEDIA_EXTENSIONS =
  /^(?:mp4|m4[av]|webm|mk[av]|mov|mp[23]|og[agv]|opus|wav|flac|aac|3gpp?|flv|avi|wm[av]|asf|ts|mpe?g|mpd|m3u8)$/u;

/** yt-dlp takes any response that does not start like HTML for a video: the content type decides, else ffprobe. */
const inspectDirect = Effect.fnUntraced(function* (context: InspectionContext, info: Info) {
  const elsewhere = inspectAlternatives(context, "no_media", true);
  const perhaps = info.ext === "unknown_video" && !isBomb(yield* context.page);
  if (!perhaps && !MEDIA_EXTENSIONS.test(info.ext ?? "")) return yield* elsewhere;
  return yield* inspectVideo(context, info).pipe(
    Effect.catch((failure) => (failure.reason === "not_extractable" ? elsewhere : Effect.fail(failure)))
  );
});

const decide = Effect.fnUntraced(function* (
  context: InspectionContext,
  info: Info,
  depth: number
): Effect.fn.Return<Found, Failed> {
  if (info.type !== "playlist" && info.type !== "multi_video") {
    if (isImageEntry(info) && !info.direct) return photosOf(context, { ...info, entries: [info] });
    if (info.direct) return yield* inspectDirect(context, info);
    return yield* isPost(info) && isVideoEntry(info)
      ? inspectPost(context, info, [info])
      : inspectVideo(context, info);
  }
  if (isListing(info)) return yield* failed("not_extractable", SEVERAL);
  const [first, second] = info.entries;
  if (first === undefined) return yield* inspectAlternatives(context, "no_media", isGeneric(info));
  if (info.entries.every(isImageEntry)) {
    if (second === undefined || depth > 0) return photosOf(context, info);
    return photosOf(context, (yield* inspect(context, context.url, `1:${context.limits.slidesMax}`)) ?? info);
  }
  if (second !== undefined && isPost(info) && info.entries.some(isVideoEntry)) {
    const whole = yield* inspect(context, context.url, `1:${context.limits.slidesMax}`);
    return yield* inspectPost(context, info, (whole ?? info).entries);
  }
  if (second !== undefined) {
    const page = isGeneric(info) ? yield* context.page : null;
    const article = page?._tag === "Read" && page.page.kind === "webpage" ? page : null;
    return article === null
      ? yield* failed("not_extractable", SEVERAL)
      : yield* pageSource(context.url, yield* rendered(article, context), "no_media");
  }
  if (!first.type.startsWith("url")) return yield* decide(context, first, depth + 1);
  if (depth > 0 || first.url === null) return yield* failed("not_extractable", SEVERAL);
  const only = yield* inspect(context, first.url, FIRST_ENTRIES);
  return only === null
    ? yield* failed("not_extractable")
    : yield* decide(context, withDetailsOf(first, only), depth + 1);
});

/** Null if yt-dlp's answer cannot be parsed. */
const inspect = Effect.fnUntraced(function* (context: InspectionContext, url: string, items: string) {
  const answer = yield* ask(context, url, items);
  return answer.ok ? readInfo(answer.info) : yield* failureOf(classify(answer));
});

/** The embeddable player's version of a work whose page shows nothing; null if the player shows nothing either. */
const inspectPlayer = Effect.fnUntraced(function* (context: InspectionContext, verdict: FailureClass) {
  const player = MAY_BE_EMBEDDED.has(verdict) ? embeddedPlayerOf(context.url) : null;
  const answer = player === null ? null : yield* ask(context, player, FIRST_ENTRIES);
  if (answer === null) return null;
  if (!answer.ok) {
    const reason = classify(answer);
    // A missing or unrequested page is not conclusive for a work with a player.
    return VERDICTS_OF_PLAYERS.has(reason) ? yield* failureOf(reason) : null;
  }
  const info = readInfo(answer.info);
  if (info === null) return null;
  const page = yield* context.page;
  const work = page._tag === "Read" ? withCountsOf(info, page.page.metadata) : info;
  return yield* decide(context, { ...work, webpageUrl: context.url }, 0);
});

const inspectWith = Effect.fnUntraced(function* (context: InspectionContext) {
  const { page, url } = context;
  const refused = Effect.flatMap(page, (inspected) =>
    inspected._tag === "Unavailable" && isFatal(inspected) ? Effect.fail(inspected.failure) : Effect.never
  );
  const answer = yield* Effect.raceFirst(ask(context, url, FIRST_ENTRIES), refused);
  if (!answer.ok) {
    const said = classify(answer);
    // An API tells programs nothing of what is gone; the page does, with its status.
    const verdict = said === "bot_blocked" && isGone(yield* page) ? "removed" : said;
    const embedded = yield* inspectPlayer(context, verdict);
    if (embedded !== null) return embedded;
    const generic = answer.extractor === null || /^(?:generic|html5)/iu.test(answer.extractor);
    if (verdict === "fault" && !/^(?:generic|html5)/iu.test(answer.extractor ?? "")) {
      yield* Effect.logWarning("An extractor failed; a newer yt-dlp may support the site", {
        extractor: answer.extractor,
        exception: answer.type,
        host: new URL(url).hostname
      });
      return yield* failureOf(verdict);
    }
    return yield* inspectAlternatives(context, verdict, generic);
  }
  const info = readInfo(answer.info);
  return info === null
    ? yield* inspectAlternatives(context, "no_media", true)
    : yield* decide(context, info, 0);
});

const inspectAnything = Effect.fnUntraced(function* (
  services: InspectorServices,
  url: string,
  permit: InspectionPermit
) {
  const { context, folder, proxy } = yield* openContext(services, url, permit);
  yield* services.ytDlp.ready;
  const maxBytes = folderMaxBytes(services.limits, services.limits.inspectBudgetBytes);
  return yield* withinFolder(inspectWith(context), folder, {
    maxBytes,
    failure: () => failed("too_large")
  }).pipe(
    Effect.raceFirst(failOnTimeout(permit, { timeoutMs: services.limits.inspectTimeoutMs })),
    Effect.catchTag("Busy", Effect.die),
    Effect.catch((failure) => Effect.flatMap(explainedBy(proxy, failure), Effect.fail))
  );
}, Effect.scoped);

/** The services of one inspection are those of its route. */
export const inspectSource = Effect.fn("SourceInspector.inspect")(function* (
  services: InspectorServices,
  url: string,
  permit: InspectionPermit,
  known?: KnownSource
) {
  // An inspection in any process found an article there within the cache's time to live.
  const isKnownPage =
    known?.kind === "webpage" && (yield* Clock.currentTimeMillis) - known.atMs < INSPECTION_TTL_MS;
  const again = isKnownPage ? yield* inspectKnownPage(services, url, permit) : null;
  const found = again ?? (yield* inspectAnything(services, url, permit));
  return { ...found, inspectedAtMs: yield* Clock.currentTimeMillis };
});
