/**
 * One look at a URL: yt-dlp and our page reader side by side, then one decision what is there.
 *
 * yt-dlp's extractors for single sites are believed; its generic one only reads what the page reader reads
 * too, so there the page may know better.
 */
import type { DownloadFailed, KnownSource } from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type { EgressProxy } from "../egress/Egress.ts";
import type { ProcessFailed } from "../programs/BoundedProcess.ts";
import { classify, failed, failureOf, type Verdict } from "./classify.ts";
import { folderMaxBytes } from "./DownloadLimits.ts";
import { platformDetails, videoDetails } from "./details.ts";
import { embeddedPlayerOf } from "./embeddedPlayer.ts";
import { photoFacts, videoFacts } from "./facts.ts";
import type { Ffmpeg } from "../programs/Ffmpeg.ts";
import { isDownloadable, isFetchable, isSection } from "./formats.ts";
import { type GalleryDl, hasGallery } from "./gallery-dl/GalleryDl.ts";
import { type Info, isGeneric, readInfo } from "./yt-dlp/InfoDict.ts";
import { type BesideVideo, type Inspection, NOTHING_BESIDE } from "./Inspection.ts";
import { inspectKnownPage, isKnownPage } from "./KnownPage.ts";
import { type LookupRefused, refusedByExtractor } from "./lookups.ts";
import { isFatal, inspectPage, type PageInspection, type PageServices } from "./PageInspection.ts";
import { pageSource } from "./PageSource.ts";
import { type InspectionTurn, overrun } from "./InspectionTurn.ts";
import { isImageEntry, isListing, isPost, isVideoEntry, mayHavePhotosBeside } from "./postMedia.ts";
import { rendered } from "./RenderedInspection.ts";
import { makeRunFolder, withinFolder } from "../programs/RunFolder.ts";
import type { Sandbox } from "../programs/sandbox/Sandbox.ts";
import { inspectStream, NO_STREAM_INSPECTION } from "./StreamInspection.ts";
import { captionLanguagesOf, hasTracks, readTracks, withTracks } from "./subtitleTracks.ts";
import type { YtDlpInspectOptions, YtDlp, YtDlpPlace } from "./yt-dlp/YtDlp.ts";

export interface InspectorServices extends PageServices {
  readonly ytDlp: YtDlp;
  readonly ffmpeg: Ffmpeg;
  readonly galleryDl: GalleryDl | null;
  readonly workDir: string;
  /** Null where programs run without. */
  readonly sandbox: Sandbox | null;
}

/** The parts of one look that its steps share. */
interface InspectionSession extends InspectorServices {
  readonly url: string;
  readonly turn: InspectionTurn;
  readonly place: YtDlpPlace;
  readonly page: Effect.Effect<PageInspection>;
  /** By the last question to yt-dlp. */
  readonly refused: { captions: LookupRefused | null };
}

type Found = Omit<Inspection, "inspectedAtMs">;

const NOT_FINISHED: ReadonlySet<string> = new Set(["is_live", "is_upcoming", "post_live"]);

/** Enough to tell a channel from a post; a second look reads all slides of a post. */
const FIRST_ENTRIES = "1:2";

const SEVERAL = "There are several videos at this URL; use the address of one.";

export const processFailure = (error: ProcessFailed): DownloadFailed =>
  failed(
    error.reason === "timeout" ? "timeout" : error.reason === "output_too_large" ? "too_large" : "internal"
  );

/** A failure that came about because the proxy said no is the proxy's. */
export const explainedBy = (proxy: EgressProxy, failure: DownloadFailed): Effect.Effect<DownloadFailed> =>
  Effect.gen(function* () {
    if (yield* proxy.exhausted) return failed("too_large");
    const denials = yield* proxy.denials;
    return denials.length > 0 && failure.reason !== "host_not_public" ? failed("blocked_address") : failure;
  });

const photosOf = (session: InspectionSession, info: Info): Found => {
  const images = info.entries.flatMap((entry) => entry.formats.at(-1)?.url ?? []);
  const generic = isGeneric(info);
  return {
    facts: photoFacts(session.url, {
      ...info,
      images,
      hasComments: !generic && (info.commentCount ?? 0) > 0
    }),
    details: platformDetails(info),
    source: { _tag: "Photos", images, commentsUrl: generic ? null : session.url }
  };
};

/** The URL is the file, not a page that links it: nothing else is to be read there. */
const isItsOwnFile = (info: Info): boolean =>
  info.direct && info.formats.some(({ url }) => url === info.webpageUrl);

/** The page that tells of the video; a manifest that was read as plain text is none. */
const pageOf = (inspection: PageInspection, { direct }: Info) =>
  inspection._tag === "Read" && (!direct || inspection.page.kind === "video") ? inspection.page : null;

const inspectVideo = Effect.fnUntraced(function* (
  session: InspectionSession,
  info: Info,
  beside: BesideVideo = NOTHING_BESIDE
) {
  if (info.liveStatus !== null && NOT_FINISHED.has(info.liveStatus)) return yield* failed("live");
  if (info.formats.length === 0) return yield* failed("not_extractable");
  if (!info.formats.some(isFetchable)) return yield* failed("blocked_address");
  if (isSection(info.raw) || !info.formats.some(isDownloadable)) return yield* failed("not_extractable");
  const generic = isGeneric(info);
  const page = generic && !isItsOwnFile(info) ? pageOf(yield* session.page, info) : null;
  const claimed = info.durationSeconds ?? page?.durationSeconds ?? null;
  const stream =
    generic || claimed === null
      ? yield* inspectStream(info, claimed, session, session.place)
      : NO_STREAM_INSPECTION;
  const subtitles = withTracks(info.subtitles, [...(page?.subtitles ?? []), ...stream.subtitles]);
  const language = info.language ?? page?.language ?? null;
  const tracks = readTracks({ ...info, subtitles, language });
  const captionsRefused = hasTracks(tracks) ? null : session.refused.captions;
  const facts = videoFacts(session.url, info, page, {
    durationSeconds: stream.durationSeconds,
    // The fetch asks again; until then nobody may say that there are none.
    hasSubtitles: hasTracks(tracks) || captionsRefused !== null,
    captionLanguages: captionLanguagesOf(tracks)
  });
  const thumbnails = [info.thumbnail, page?.thumbnail ?? null].filter((each) => each !== null);
  const found: Found = {
    facts,
    details: videoDetails(info, page, facts),
    source: {
      _tag: "Video",
      info,
      tracks,
      captionsRefused,
      thumbnails: [...new Set(thumbnails)],
      beside,
      playlists: stream.playlists
    }
  };
  return found;
});

/** What yt-dlp says, having noted what it was refused. */
const ask = Effect.fnUntraced(function* (
  session: InspectionSession,
  url: string,
  items: string,
  options: YtDlpInspectOptions = {}
) {
  const answer = yield* session.ytDlp
    .inspect(url, items, session.place, options)
    .pipe(Effect.mapError(processFailure));
  const captions = answer.ok ? answer.refused?.captions : undefined;
  session.refused.captions = captions === undefined ? null : yield* refusedByExtractor(captions);
  return answer;
});

const PHOTOS_UNKNOWN = "Whether the post has photos beside its video could not be looked up.";

/** Photos of a post that yt-dlp told the videos of; `warnings` where nobody can say. */
const photosBeside = Effect.fnUntraced(function* (session: InspectionSession) {
  const nothing = { images: [], warnings: [] };
  if (session.galleryDl === null || !mayHavePhotosBeside(session.url)) return nothing;
  const answer = yield* Effect.option(session.galleryDl.read(session.url, session.place));
  if (answer._tag === "None" || answer.value._tag === "Refused") {
    return { images: [], warnings: [PHOTOS_UNKNOWN] };
  }
  return answer.value._tag === "Post" ? { images: answer.value.post.images, warnings: [] } : nothing;
});

/** A post with all its videos and photos; the facts are those of its first video. */
const inspectPost = Effect.fnUntraced(function* (
  session: InspectionSession,
  post: Info,
  entries: ReadonlyArray<Info>
) {
  const [first, ...videos] = entries.filter(isVideoEntry);
  if (first === undefined) return yield* failed("not_extractable");
  const told = entries.filter(isImageEntry).flatMap((entry) => entry.formats.at(-1)?.url ?? []);
  const { images, warnings } =
    told.length > 0 ? { images: told, warnings: [] } : yield* photosBeside(session);
  const found = yield* inspectVideo(
    session,
    { ...first, webpageUrl: post.webpageUrl ?? first.webpageUrl },
    { videos, images }
  );
  return warnings.length === 0 ? found : { ...found, warnings };
});

const VIDEOS_UNKNOWN = "The post holds a video beside its photos, which could not be read.";

/** A post that yt-dlp broke off at a photo of: its videos, read past the photos; null where there are none to be had. */
const videosOf = Effect.fnUntraced(function* (session: InspectionSession) {
  const answer = yield* ask(session, session.url, `1:${session.limits.slidesMax}`, { allowEmpty: true });
  const whole = answer.ok ? readInfo(answer.info) : null;
  if (whole === null || !whole.entries.some(isVideoEntry)) return null;
  return yield* inspectPost(session, whole, whole.entries);
});

const SEVERAL_POSTS = "There are several posts at this URL; use the address of one.";

/** Answers of gallery-dl about the post itself; of others the page may know better. */
const SAID: ReadonlySet<Verdict> = new Set([
  "private",
  "removed",
  "login_required",
  "age_restricted",
  "geo_restricted",
  "bot_blocked",
  "rate_limited"
]);

/** What stands in when yt-dlp found no video: photos of a known platform, else what the page itself is. */
const inspectAlternatives = Effect.fnUntraced(function* (
  session: InspectionSession,
  verdict: Verdict,
  generic: boolean
) {
  if (verdict === "no_media" && session.galleryDl !== null && hasGallery(session.url)) {
    const answer = yield* session.galleryDl
      .read(session.url, session.place)
      .pipe(Effect.mapError(processFailure));
    if (answer._tag === "Post") {
      const videos = answer.post.hasVideo ? yield* videosOf(session) : null;
      if (videos !== null) return videos;
      const found: Found = {
        facts: photoFacts(session.url, { ...answer.post, hasComments: false, webpageUrl: null }),
        details: answer.post.details,
        source: { _tag: "Photos", images: answer.post.images, commentsUrl: null },
        ...(answer.post.hasVideo ? { warnings: [VIDEOS_UNKNOWN] } : {})
      };
      return found;
    }
    if (answer._tag === "Listing") return yield* failed("not_extractable", SEVERAL_POSTS);
    if (answer._tag === "Refused" && SAID.has(answer.verdict)) return yield* failureOf(answer.verdict);
  }
  if (verdict !== "no_media" && !generic) return yield* failureOf(verdict);
  return yield* pageSource(session.url, yield* rendered(yield* session.page, session), verdict);
});

const MEDIA_EXTENSIONS =
  /^(?:mp4|m4[av]|webm|mk[av]|mov|mp[23]|og[agv]|opus|wav|flac|aac|3gpp?|flv|avi|wm[av]|asf|ts|mpe?g|mpd|m3u8)$/u;

/** yt-dlp takes any answer that does not begin like HTML for a video: here the type decides, else ffprobe. */
const inspectDirect = Effect.fnUntraced(function* (session: InspectionSession, info: Info) {
  const elsewhere = inspectAlternatives(session, "no_media", true);
  const perhaps = info.ext === "unknown_video" || (info.ext !== null && MEDIA_EXTENSIONS.test(info.ext));
  if (!perhaps) return yield* elsewhere;
  return yield* inspectVideo(session, info).pipe(
    Effect.catch((failure) => (failure.reason === "not_extractable" ? elsewhere : Effect.fail(failure)))
  );
});

/** A feed tells more of an episode than its file, which has but a name. */
const toldBy = (entry: Info, found: Info): Info =>
  found.direct
    ? {
        ...found,
        title: entry.title ?? found.title,
        uploader: found.uploader ?? entry.uploader,
        description: found.description ?? entry.description,
        durationSeconds: found.durationSeconds ?? entry.durationSeconds
      }
    : found;

const decide = Effect.fnUntraced(function* (
  session: InspectionSession,
  info: Info,
  depth: number
): Effect.fn.Return<Found, DownloadFailed> {
  if (info.type !== "playlist" && info.type !== "multi_video") {
    if (isImageEntry(info) && !info.direct) return photosOf(session, { ...info, entries: [info] });
    if (info.direct) return yield* inspectDirect(session, info);
    return yield* isPost(info) && isVideoEntry(info)
      ? inspectPost(session, info, [info])
      : inspectVideo(session, info);
  }
  if (isListing(info)) return yield* failed("not_extractable", SEVERAL);
  const [first, second] = info.entries;
  if (first === undefined) return yield* inspectAlternatives(session, "no_media", isGeneric(info));
  if (info.entries.every(isImageEntry)) {
    if (second === undefined || depth > 0) return photosOf(session, info);
    return photosOf(session, (yield* inspect(session, session.url, `1:${session.limits.slidesMax}`)) ?? info);
  }
  if (second !== undefined && isPost(info) && info.entries.some(isVideoEntry)) {
    const whole = yield* inspect(session, session.url, `1:${session.limits.slidesMax}`);
    return yield* inspectPost(session, info, (whole ?? info).entries);
  }
  if (second !== undefined) {
    const page = isGeneric(info) ? yield* session.page : null;
    const article = page?._tag === "Read" && page.page.kind === "webpage" ? page : null;
    return article === null
      ? yield* failed("not_extractable", SEVERAL)
      : yield* pageSource(session.url, yield* rendered(article, session), "no_media");
  }
  if (!first.type.startsWith("url")) return yield* decide(session, first, depth + 1);
  if (depth > 0 || first.url === null) return yield* failed("not_extractable", SEVERAL);
  const only = yield* inspect(session, first.url, FIRST_ENTRIES);
  return only === null
    ? yield* failed("not_extractable")
    : yield* decide(session, toldBy(first, only), depth + 1);
});

/** Null when yt-dlp answers nothing readable. */
const inspect = Effect.fnUntraced(function* (session: InspectionSession, url: string, items: string) {
  const answer = yield* ask(session, url, items);
  return answer.ok ? readInfo(answer.info) : yield* failureOf(classify(answer));
});

/** What a page says of a work that its player may show all the same. */
const MAY_BE_EMBEDDED: ReadonlySet<Verdict> = new Set(["login_required", "private", "removed"]);

/** What the player of other sites shows of a work whose page shows nothing; null where it shows nothing either. */
const inspectPlayer = Effect.fnUntraced(function* (session: InspectionSession, verdict: Verdict) {
  const player = MAY_BE_EMBEDDED.has(verdict) ? embeddedPlayerOf(session.url) : null;
  const answer = player === null ? null : yield* ask(session, player, FIRST_ENTRIES);
  if (answer === null) return null;
  if (!answer.ok) {
    const said = classify(answer);
    // A page that is not there, or not asked for, is no word of a work that has a player.
    return said === "live" || said === "private" ? yield* failed(said) : null;
  }
  const info = readInfo(answer.info);
  return info === null ? null : yield* decide(session, { ...info, webpageUrl: session.url }, 0);
});

const inspectWith = Effect.fnUntraced(function* (session: InspectionSession) {
  const { page, url } = session;
  const refused = Effect.flatMap(page, (seen) =>
    seen._tag === "Failed" && isFatal(seen) ? Effect.fail(seen.failure) : Effect.never
  );
  const answer = yield* Effect.raceFirst(ask(session, url, FIRST_ENTRIES), refused);
  if (!answer.ok) {
    const verdict = classify(answer);
    const embedded = yield* inspectPlayer(session, verdict);
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
    return yield* inspectAlternatives(session, verdict, generic);
  }
  const info = readInfo(answer.info);
  return info === null
    ? yield* inspectAlternatives(session, "no_media", true)
    : yield* decide(session, info, 0);
});

const inspectWhole = (services: InspectorServices) =>
  Effect.fnUntraced(function* (url: string, turn: InspectionTurn) {
    const folder = yield* makeRunFolder(services.workDir);
    const proxy = yield* services.egress.openProxy({ budgetBytes: services.limits.inspectBudgetBytes });
    const pageFiber = yield* Effect.forkChild(inspectPage(url, services));
    const session: InspectionSession = {
      ...services,
      url,
      turn,
      place: { folder, proxyUrl: proxy.url },
      page: Fiber.join(pageFiber),
      refused: { captions: null }
    };
    yield* services.ytDlp.ready;
    const maxBytes = folderMaxBytes(services.limits, services.limits.inspectBudgetBytes);
    return yield* withinFolder(inspectWith(session), folder, {
      maxBytes,
      failure: () => failed("too_large")
    }).pipe(
      Effect.raceFirst(overrun(turn, { timeoutMs: services.limits.inspectTimeoutMs })),
      Effect.catchTag("Busy", Effect.die),
      Effect.catch((failure) => Effect.flatMap(explainedBy(proxy, failure), Effect.fail)),
      Effect.ensuring(Fiber.interrupt(pageFiber))
    );
  }, Effect.scoped);

export const makeSourceInspector = (services: InspectorServices) => {
  const inspectAnything = inspectWhole(services);
  return Effect.fn("SourceInspector.inspect")(function* (
    url: string,
    turn: InspectionTurn,
    known?: KnownSource
  ) {
    const again = isKnownPage(known, yield* Clock.currentTimeMillis)
      ? yield* inspectKnownPage(services, url, turn)
      : null;
    const found = again ?? (yield* inspectAnything(url, turn));
    const inspection: Inspection = { ...found, inspectedAtMs: yield* Clock.currentTimeMillis };
    return inspection;
  });
};
