/**
 * One look at a URL: yt-dlp and our page reader side by side, then one decision what is there.
 *
 * yt-dlp's extractors for single sites are believed; its generic one only reads what the page reader reads
 * too, so there the page may know better.
 */
import type { DownloadFailed } from "@winnow/core/ports/Downloader";
import type * as Context from "effect/Context";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type { Egress, EgressProxy } from "../egress/Egress.ts";
import type { PageReader } from "../page/PageReader.ts";
import type { PageRenderer } from "../page/PageRenderer.ts";
import type { ProcessFailed } from "./BoundedProcess.ts";
import { classify, failed, failureOf, type Verdict } from "./classify.ts";
import type { DownloadLimits } from "./DownloadLimits.ts";
import { photoFacts, videoFacts } from "./facts.ts";
import type { Ffmpeg } from "./Ffmpeg.ts";
import { isFetchable, isImage } from "./formats.ts";
import { type GalleryDl, hasGallery } from "./GalleryDl.ts";
import { type Info, isGeneric, readInfo } from "./InfoDict.ts";
import type { Look } from "./Look.ts";
import { isFatal, lookAtPage, type PageLook } from "./PageLook.ts";
import { pageSource } from "./PageSource.ts";
import { rendered } from "./RenderedLook.ts";
import { makeRunFolder } from "./RunFolder.ts";
import { lookAtStream } from "./StreamLook.ts";
import { hasTracks, readTracks, withTracks } from "./subtitleTracks.ts";
import type { YtDlp, YtDlpPlace } from "./YtDlp.ts";

export interface LookerServices {
  readonly egress: Context.Service.Shape<typeof Egress>;
  readonly pages: Context.Service.Shape<typeof PageReader>;
  /** Null: there is no browser here. */
  readonly renderer: Context.Service.Shape<typeof PageRenderer> | null;
  readonly ytDlp: YtDlp;
  readonly ffmpeg: Ffmpeg;
  readonly galleryDl: GalleryDl | null;
  readonly workDir: string;
  readonly limits: DownloadLimits;
}

/** The parts of one look that its steps share. */
interface Session extends LookerServices {
  readonly url: string;
  readonly place: YtDlpPlace;
  readonly page: Effect.Effect<PageLook>;
}

type Found = Omit<Look, "lookedAtMs">;

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

const isImageEntry = (entry: Info): boolean =>
  entry.formats.length > 0 &&
  entry.formats.every((format) => isImage({ ...format, ext: format.ext ?? entry.ext }));

const photosOf = (session: Session, info: Info): Found => {
  const images = info.entries.flatMap((entry) => entry.formats.at(-1)?.url ?? []);
  const generic = isGeneric(info);
  return {
    facts: photoFacts(session.url, {
      ...info,
      images,
      hasComments: !generic && (info.commentCount ?? 0) > 0
    }),
    source: { _tag: "Photos", images, commentsUrl: generic ? null : session.url }
  };
};

/** The URL is the file, not a page that links it: nothing else is to be read there. */
const isItsOwnFile = (info: Info): boolean =>
  info.direct && info.formats.some(({ url }) => url === info.webpageUrl);

/** The page that tells of the video; a manifest that was read as plain text is none. */
const pageOf = (look: PageLook, { direct }: Info) =>
  look._tag === "Read" && (!direct || look.page.kind === "video") ? look.page : null;

const lookAtVideo = Effect.fnUntraced(function* (session: Session, info: Info) {
  if (info.liveStatus !== null && NOT_FINISHED.has(info.liveStatus)) return yield* failed("live");
  if (info.formats.length === 0) return yield* failed("not_extractable");
  if (!info.formats.some(isFetchable)) return yield* failed("blocked_address");
  const generic = isGeneric(info);
  const page = generic && !isItsOwnFile(info) ? pageOf(yield* session.page, info) : null;
  const claimed = info.durationSeconds ?? page?.durationSeconds ?? null;
  const stream =
    generic || claimed === null
      ? yield* lookAtStream(info, claimed, session, session.place)
      : { durationSeconds: null, subtitles: [] };
  const subtitles = withTracks(info.subtitles, [...(page?.subtitles ?? []), ...stream.subtitles]);
  const language = info.language ?? page?.language ?? null;
  const tracks = readTracks({ ...info, subtitles, language });
  const facts = videoFacts(session.url, info, page, {
    durationSeconds: stream.durationSeconds,
    hasSubtitles: hasTracks(tracks)
  });
  const thumbnails = [info.thumbnail, page?.thumbnail ?? null].filter((each) => each !== null);
  const found: Found = {
    facts,
    source: { _tag: "Video", info, tracks, thumbnails: [...new Set(thumbnails)] }
  };
  return found;
});

/** What stands in when yt-dlp found no video: photos of a known platform, else what the page itself is. */
const lookElsewhere = Effect.fnUntraced(function* (session: Session, verdict: Verdict, generic: boolean) {
  if (verdict === "no_media" && session.galleryDl !== null && hasGallery(session.url)) {
    const post = yield* session.galleryDl
      .read(session.url, session.place)
      .pipe(Effect.mapError(processFailure));
    if (post !== null) {
      const found: Found = {
        facts: photoFacts(session.url, { ...post, hasComments: false, webpageUrl: null }),
        source: { _tag: "Photos", images: post.images, commentsUrl: null }
      };
      return found;
    }
  }
  if (verdict !== "no_media" && !generic) return yield* failureOf(verdict);
  return yield* pageSource(session.url, yield* rendered(yield* session.page, session), verdict);
});

const MEDIA_EXTENSIONS =
  /^(?:mp4|m4[av]|webm|mk[av]|mov|mp[23]|og[agv]|opus|wav|flac|aac|3gpp?|flv|avi|wm[av]|asf|ts|mpe?g|mpd|m3u8)$/u;

/** yt-dlp takes any answer that does not begin like HTML for a video: here the type decides, else ffprobe. */
const lookAtDirect = Effect.fnUntraced(function* (session: Session, info: Info) {
  const elsewhere = session.page.pipe(
    Effect.flatMap((page) => rendered(page, session)),
    Effect.flatMap((page) => pageSource(session.url, page, "no_media"))
  );
  const perhaps = info.ext === "unknown_video" || (info.ext !== null && MEDIA_EXTENSIONS.test(info.ext));
  if (!perhaps) return yield* elsewhere;
  return yield* lookAtVideo(session, info).pipe(
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
  session: Session,
  info: Info,
  depth: number
): Effect.fn.Return<Found, DownloadFailed> {
  if (info.type !== "playlist" && info.type !== "multi_video") {
    if (isImageEntry(info) && !info.direct) return photosOf(session, { ...info, entries: [info] });
    return yield* info.direct ? lookAtDirect(session, info) : lookAtVideo(session, info);
  }
  const [first, second] = info.entries;
  if (first === undefined) return yield* lookElsewhere(session, "no_media", isGeneric(info));
  if (info.entries.every(isImageEntry)) {
    if (second === undefined || depth > 0) return photosOf(session, info);
    return photosOf(session, (yield* inspect(session, session.url, `1:${session.limits.slidesMax}`)) ?? info);
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
const inspect = Effect.fnUntraced(function* (session: Session, url: string, items: string) {
  const answer = yield* session.ytDlp
    .inspect(url, items, session.place)
    .pipe(Effect.mapError(processFailure));
  return answer.ok ? readInfo(answer.info) : yield* failureOf(classify(answer));
});

const lookWith = Effect.fnUntraced(function* (session: Session) {
  const { page, place, url, ytDlp } = session;
  const refused = Effect.flatMap(page, (seen) =>
    seen._tag === "Failed" && isFatal(seen) ? Effect.fail(seen.failure) : Effect.never
  );
  const answer = yield* Effect.raceFirst(
    ytDlp.inspect(url, FIRST_ENTRIES, place).pipe(Effect.mapError(processFailure)),
    refused
  );
  if (!answer.ok) {
    const generic = answer.extractor === null || /^(?:generic|html5)/iu.test(answer.extractor);
    return yield* lookElsewhere(session, classify(answer), generic);
  }
  const info = readInfo(answer.info);
  return info === null ? yield* lookElsewhere(session, "no_media", true) : yield* decide(session, info, 0);
});

export const makeLooker = (services: LookerServices) =>
  Effect.fn("Looker.look")(function* (url: string) {
    const folder = yield* makeRunFolder(services.workDir);
    const proxy = yield* services.egress.openProxy({ budgetBytes: services.limits.inspectBudgetBytes });
    const pageFiber = yield* Effect.forkChild(lookAtPage(url, services));
    const session: Session = {
      ...services,
      url,
      place: { folder, proxyUrl: proxy.url },
      page: Fiber.join(pageFiber)
    };
    const found = yield* lookWith(session).pipe(
      Effect.timeoutOrElse({
        duration: services.limits.inspectTimeoutMs,
        orElse: () => Effect.fail(failed("timeout"))
      }),
      Effect.catch((failure) => Effect.flatMap(explainedBy(proxy, failure), Effect.fail)),
      Effect.ensuring(Fiber.interrupt(pageFiber))
    );
    const look: Look = { ...found, lookedAtMs: yield* Clock.currentTimeMillis };
    return look;
  }, Effect.scoped);
