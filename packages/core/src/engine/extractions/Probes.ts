/** Inspects a URL and quotes what submitting the same body would debit. Free; writes nothing. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { type Price, priceOfProbe } from "../../domain/money/Pricing.ts";
import { hasThumbnail } from "../../domain/result/ExtractionList.ts";
import {
  type Busy,
  type ContentUnavailable,
  NotFound,
  type Unreachable,
  type UrlRefused
} from "../../domain/request/Refusal.ts";
import type { RunRequest } from "../../domain/request/RunRequest.ts";
import { unavailableOf, type UnavailableInput } from "../../domain/run/Availability.ts";
import {
  hasCaptions,
  pricedFacts,
  type CaptionLanguage,
  type SourceFacts,
  type SourceKind
} from "../../domain/source/SourceFacts.ts";
import type { RunResult } from "../../domain/run/Extraction.ts";
import type { Reuse } from "../../domain/run/Submission.ts";
import { readProbe, type BodyRefused } from "../../domain/run/SubmitBody.ts";
import { parseSourceUrl } from "../../domain/url/SourceUrl.ts";
import { Analyst } from "../../ports/Analyst.ts";
import { CurrentRun, runFor } from "../../ports/CurrentRun.ts";
import { Downloader } from "../../ports/Downloader.ts";
import { Transcriber } from "../../ports/Transcriber.ts";
import { accountPlan } from "../accounts/AccountPlans.ts";
import { enginePorts, type EnginePorts } from "../EnginePorts.ts";
import type { PlanLimits } from "../../domain/money/Plan.ts";
import { inspectOptions, inspectSource, unseen } from "./SourceInspection.ts";
import { factsIn, resolveStored } from "./StoredSource.ts";
import { findReuse, findWhole } from "./Submit.ts";

/** A probe's answer. */
export interface Probe {
  /** As submitted. */
  readonly url: string;
  readonly kind: SourceKind;
  /** Null if the source is not a video or does not report it. */
  readonly durationSec: number | null;
  readonly title: string | null;
  /** Of the chosen captions; {@link captionLanguages} are all. */
  readonly hasSubtitles: boolean;
  readonly hasComments: boolean;
  readonly imageCount: number;
  readonly captionLanguages: ReadonlyArray<CaptionLanguage>;
  /** Number of chapters. */
  readonly chapters: number;
  /** Where its picture is: a file of an extraction, or what {@link Probes} shows of a URL. Null without one. */
  readonly thumbnail: { readonly extractionId: string } | { readonly url: string } | null;
  readonly price: Price;
  /** Whether submitting this body would be a cache hit. */
  readonly cached: boolean;
  /** The account's own extraction whose result would be served; null if not `cached`. */
  readonly extractionId: string | null;
  /**
   * Requested inputs or parts that a run will not find: not offered by this kind of source, or missing at the
   * source.
   */
  readonly unavailable: ReadonlyArray<UnavailableInput>;
  /** Whether this server has a language model; without one, a submit with a schema is refused. */
  readonly aiConfigured: boolean;
  /** Whether this server has a speech model; without one, `speech` is refused. */
  readonly speechConfigured: boolean;
}

/** `NotFound`: the extraction of `fromExtraction`. */
export type ProbeRefused = BodyRefused | Busy | ContentUnavailable | Unreachable | NotFound;

export class Probes extends Context.Service<
  Probes,
  {
    readonly probe: (accountId: string, body: unknown) => Effect.Effect<Probe, ProbeRefused>;
    /**
     * The picture of a URL's source as a small JPEG; does not look again at what was just probed.
     *
     * @fails NotFound there is none, or it cannot be read
     */
    readonly thumbnail: (
      accountId: string,
      url: string
    ) => Effect.Effect<Uint8Array, UrlRefused | Busy | NotFound>;
    /** As in the answer to a probe. */
    readonly aiConfigured: boolean;
  }
>()("@winnow/core/engine/extractions/Probes") {}

/**
 * A cached result needs no inspection: if the source is no longer available, the facts are those of the result.
 */
const factsFor = Effect.fnUntraced(function* (
  accountId: string,
  request: RunRequest,
  { maxDurationSec }: PlanLimits,
  stored: RunResult | null,
  reuse: Reuse | null
) {
  if (stored !== null) return factsIn(stored, request);
  const inspected = Effect.catchTags(inspectSource(accountId, request.normalizedUrl, { maxDurationSec }), {
    Failed: (failure) => Effect.fail(unseen(failure))
  });
  return yield* reuse === null ? inspected : Effect.orElseSucceed(inspected, () => reuse.result.facts);
});

/** Nothing is fetched for an extraction that is read again. */
const thumbnailOf = Effect.fnUntraced(function* (
  { fromExtraction, normalizedUrl }: RunRequest,
  { thumbnailUrl }: SourceFacts,
  stored: RunResult | null,
  reuse: Reuse | null
) {
  if (reuse !== null && hasThumbnail(reuse.result)) return { extractionId: reuse.extractionId };
  if (fromExtraction !== null) return hasThumbnail(stored) ? { extractionId: fromExtraction.id } : null;
  const { preview } = yield* Downloader;
  return thumbnailUrl === null || preview === undefined ? null : { url: normalizedUrl };
});

/** For the look, if there was none yet, and the picture: longer is worse than none. */
const THUMBNAIL_TIMEOUT = "15 seconds";

const noThumbnail = NotFound.of("thumbnail");

const make = Effect.gen(function* () {
  const ports = yield* enginePorts;
  const aiConfigured = (yield* Analyst).model !== null;
  const { model: speechModel } = yield* Transcriber;
  const { preview } = yield* Downloader;

  return Probes.of({
    aiConfigured,
    thumbnail: Effect.fn("Probes.thumbnail")(function* (accountId, url) {
      const { normalized } = yield* Effect.fromResult(parseSourceUrl(url));
      if (preview === undefined) return yield* noThumbnail;
      const options = yield* inspectOptions();
      const picture = yield* preview(normalized, options).pipe(
        Effect.catchTag("Failed", () => Effect.succeed(null)),
        Effect.timeoutOrElse({ duration: THUMBNAIL_TIMEOUT, orElse: () => Effect.succeed(null) }),
        Effect.provideService(CurrentRun, runFor(accountId))
      );
      return picture ?? (yield* noThumbnail);
    }, Effect.provide(ports)),
    probe: Effect.fn("Probes.probe")(function* (accountId, body) {
      const read = yield* Effect.fromResult(readProbe(body, { speech: speechModel !== null }));
      const { request, result: stored } = yield* resolveStored(accountId, read);
      const reuse = (yield* findReuse(accountId, request)) ?? (yield* findWhole(accountId, request));
      const { limits, rates } = yield* accountPlan(accountId);
      const facts = yield* factsFor(accountId, request, limits, stored, reuse);
      const priced = pricedFacts(facts);
      return {
        url: request.url,
        kind: priced.kind,
        durationSec: priced.durationMs === null ? null : facts.durationSeconds,
        title: facts.title,
        hasSubtitles: hasCaptions(facts, request.captions),
        hasComments: facts.hasComments,
        imageCount: priced.imageCount,
        captionLanguages: facts.captionLanguages ?? [],
        chapters: facts.chapters?.length ?? 0,
        thumbnail: yield* thumbnailOf(request, facts, stored, reuse),
        price: yield* Effect.fromResult(priceOfProbe(priced, request, reuse !== null, rates)),
        cached: reuse !== null,
        extractionId: reuse?.extractionId ?? null,
        unavailable: unavailableOf(facts, request),
        aiConfigured,
        speechConfigured: speechModel !== null
      };
    }, Effect.provide(ports))
  });
});

export const layer: Layer.Layer<Probes, never, EnginePorts> = Layer.effect(Probes, make);
