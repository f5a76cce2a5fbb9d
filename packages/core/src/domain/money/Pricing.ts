/**
 * The price of a run. Probe, submit and settlement all call {@link price}; nothing else computes money.
 *
 * Sums are in units (0.0001 credit), so that they are exact; USD is only on the wire.
 */
import * as Result from "effect/Result";
import { ceilToCredits, type Credits } from "./Credits.ts";
import { canonical, type Modality } from "../source/Modality.ts";
import { type RunRequest, type Selecting, type Selection, selectionOf } from "../request/RunRequest.ts";
import { flatUnits, type Rates, unitsPerMs } from "./Rates.ts";
import { type PricedFacts, type SourceKind, WORST_CASE_DURATION_MS } from "../source/SourceFacts.ts";
import { startMsOf, stretchMs, type TimeRange } from "../source/TimeRange.ts";
import { refuse } from "../request/BodyFields.ts";
import { mapPresent } from "../text/Json.ts";
import type { InvalidRequest } from "../request/Refusal.ts";

/** What a price is made of, in units. */
export interface Parts {
  /** Of the files. Only requested ones are listed. */
  readonly download: { readonly [M in Modality]?: number };
  /** Of the AI pass, by what it reads. */
  readonly text: number;
  readonly audio: number;
  readonly video: number;
}

export interface Price {
  readonly mode: "ai" | "download";
  /** The sum of {@link parts}, rounded up once. */
  readonly credits: Credits;
  /** Cost of a fresh run: equals `credits`, unless that is 0 because of a cache hit. */
  readonly freshCredits: Credits;
  readonly parts: Parts & { readonly base: number };
}

const downloads = (
  modalities: ReadonlyArray<Modality>,
  durationMs: number,
  rates: Rates
): Parts["download"] => {
  const units: Record<Modality, number> = {
    transcript: flatUnits(rates.transcriptCredits),
    comments: flatUnits(rates.commentsCredits),
    audio: unitsPerMs(rates.audioCreditsPerSecond) * durationMs,
    video: unitsPerMs(rates.videoCreditsPerSecond) * durationMs
  };
  return Object.fromEntries(modalities.map((modality) => [modality, units[modality]]));
};

const videoParts = (
  durationMs: number,
  { mode, modalities, speech = false }: Selection,
  rates: Rates
): Parts => {
  const has = (modality: Modality): boolean => mode === "ai" && modalities.includes(modality);
  const isAudioBilled = (has("audio") || speech) && !has("video");
  return {
    download: downloads(speech ? canonical([...modalities, "audio"]) : modalities, durationMs, rates),
    text: has("transcript") || has("comments") ? unitsPerMs(rates.aiTextCreditsPerSecond) * durationMs : 0,
    audio: isAudioBilled ? unitsPerMs(rates.aiAudioCreditsPerSecond) * durationMs : 0,
    video: has("video") ? unitsPerMs(rates.aiVideoCreditsPerSecond) * durationMs : 0
  };
};

/**
 * A flat price plus a price per slide. Only comments are offered for download, and the background track is never
 * charged.
 */
const photoParts = (imageCount: number, { mode, modalities }: Selection, rates: Rates): Parts => ({
  download: downloads(
    modalities.filter((modality) => modality === "comments"),
    0,
    rates
  ),
  text: mode === "ai" ? flatUnits(rates.aiFlatCredits) : 0,
  audio: 0,
  video: mode === "ai" ? flatUnits(rates.aiSlideCredits) * imageCount : 0
});

const webpageParts = ({ mode }: Selection, rates: Rates): Parts => ({
  download: {},
  text: mode === "ai" ? flatUnits(rates.aiFlatCredits) : 0,
  audio: 0,
  video: 0
});

const partsOf = (facts: PricedFacts, selection: Selection, rates: Rates): Parts => {
  switch (facts.kind) {
    case "video":
      return videoParts(
        stretchMs(selection.range ?? null, facts.durationMs, WORST_CASE_DURATION_MS),
        selection,
        rates
      );
    case "photos":
      return photoParts(facts.imageCount, selection, rates);
    case "webpage":
      return webpageParts(selection, rates);
  }
};

/**
 * Exact price of a fresh run at a plan's rates. `modalities` must be free of repeats.
 *
 * 213 s video, AI, transcript and comments: 50 + 10 + 20 + 106.5 = 186.5, so 187 credits.
 */
export const price = (facts: PricedFacts, selection: Selection, rates: Rates): Price => {
  const { download, ...ai } = partsOf(facts, selection, rates);
  const parts =
    selection.isFetched === true
      ? { base: 0, download: {}, ...ai }
      : { base: flatUnits(rates.baseCredits), download, ...ai };
  const downloadUnits = Object.values(parts.download).reduce((sum, units) => sum + units, 0);
  const credits = ceilToCredits(parts.base + downloadUnits + ai.text + ai.audio + ai.video);
  return { mode: selection.mode, credits, freshCredits: credits, parts };
};

/** The price of a cached result: 0, whatever a fresh run costs. */
const servedFromCache = ({ parts, ...fresh }: Price): Price => ({
  ...fresh,
  credits: 0,
  parts: { base: 0, download: mapPresent(parts.download, () => 0), text: 0, audio: 0, video: 0 }
});

/**
 * The refund at settlement: debit minus the price of what the run really found, never below 0.
 *
 * A duration known at submit is kept; an unknown one becomes min(measured, worst case).
 */
export const settlementRefund = (
  debited: Credits,
  effective: PricedFacts,
  delivered: Selection,
  rates: Rates
): Credits => Math.max(0, debited - price(effective, delivered, rates).credits);

/** Whether the price depends on the video's length, so that an unknown length matters. */
export const isBilledBySecond = (kind: PricedFacts["kind"], selection: Selection, rates: Rates): boolean => {
  const creditsOf = (durationMs: number) =>
    price({ kind, durationMs, imageCount: 0 }, { ...selection, range: null }, rates).credits;
  return creditsOf(WORST_CASE_DURATION_MS) > creditsOf(1);
};

/**
 * The facts that price a finished run, from those of submit and what the run found. If the source did not report a
 * duration, the measured one is used, else that of the run's own inspection, else an estimate. What was measured is the
 * stretch.
 */
export const effectiveFacts = (
  atSubmit: PricedFacts,
  found: PricedFacts,
  measuredMs: number | null,
  estimatedMs: number | null = null,
  range: TimeRange | null = null
): PricedFacts => {
  const startMs = startMsOf(range);
  const endMs = measuredMs === null ? (found.durationMs ?? estimatedMs ?? Infinity) : startMs + measuredMs;
  return {
    kind: found.kind,
    imageCount: found.imageCount,
    durationMs: atSubmit.durationMs ?? Math.min(endMs, startMs + WORST_CASE_DURATION_MS)
  };
};

// The rungs of auto mode are text, then audio, then video, cut to the caller's ceiling. `pricedSelection` is what probe quotes and submit debits; settlement pays for the rung whose
// result is returned (`RunResult.rung`).

const LADDER: ReadonlyArray<ReadonlyArray<Modality>> = [
  ["transcript", "comments"],
  ["transcript", "comments", "audio"],
  ["transcript", "comments", "audio", "video"]
];

/**
 * Cheapest first; each rung contains the one before, and the last is the ceiling. `[transcript, video]` has two:
 * `[transcript]` and itself. Webpages and photo posts have one.
 */
export const rungsOf = (
  kind: SourceKind,
  ceiling: ReadonlyArray<Modality>
): ReadonlyArray<ReadonlyArray<Modality>> => {
  const whole = canonical(ceiling);
  if (kind !== "video") return [whole];
  const cuts = LADDER.map((rung) => whole.filter((modality) => rung.includes(modality)));
  const rungs = cuts.filter((rung, index) => rung.length > (cuts[index - 1]?.length ?? 0));
  return rungs.length === 0 ? [whole] : rungs;
};

/**
 * The most expensive rung that `maxSpendCredits` covers.
 *
 * @fails InvalidRequest {param:"maxSpendCredits", minimumCredits}: not even the cheapest is covered
 */
export const ceilingRung = (
  facts: PricedFacts,
  ceiling: Omit<Selecting, "mode">,
  maxSpendCredits: number,
  rates: Rates
): Result.Result<ReadonlyArray<Modality>, InvalidRequest> => {
  const rungs = rungsOf(facts.kind, ceiling.modalities).map((modalities) => ({
    modalities,
    credits: price(facts, selectionOf({ ...ceiling, mode: "ai", modalities }), rates).credits
  }));
  const covered = rungs.findLast((rung) => rung.credits <= maxSpendCredits);
  if (covered !== undefined) return Result.succeed(covered.modalities);
  const minimumCredits = Math.min(...rungs.map((rung) => rung.credits));
  return refuse(
    "maxSpendCredits",
    `\`maxSpendCredits\` must be at least ${minimumCredits}, the price of the cheapest step.`,
    { reason: "below_minimum", minimumCredits }
  );
};

/** @fails InvalidRequest {param:"maxCredits", credits, maxCredits}: the price exceeds the caller's limit */
export const withinMaxCredits = (
  credits: Credits,
  { maxCredits }: Pick<RunRequest, "maxCredits">,
  what: "run" | "batch" = "run"
): Result.Result<void, InvalidRequest> =>
  maxCredits === null || credits <= maxCredits
    ? Result.succeed(undefined)
    : refuse(
        "maxCredits",
        `This ${what} costs ${credits} credits, more than the ${maxCredits} of \`maxCredits\`: raise it or request less.`,
        { reason: "price_above_limit", credits, maxCredits }
      );

/** @fails InvalidRequest {param: "range", reason: "not_a_video" | "beyond_end"} */
export const withinVideo = (
  { kind, durationMs }: PricedFacts,
  { range }: Pick<RunRequest, "range">
): Result.Result<void, InvalidRequest> => {
  if (range !== null && kind !== "video") {
    return refuse("range", "`range` is for videos, and this source is none: leave it out.", {
      reason: "not_a_video"
    });
  }
  return range === null || durationMs === null || startMsOf(range) < durationMs
    ? Result.succeed(undefined)
    : refuse(
        "range",
        `\`range\` begins where the video has ended, after ${durationMs / 1_000} s: choose an earlier \`startSec\`.`,
        {
          reason: "beyond_end"
        }
      );
};

/** The modalities of the first rung of an auto run. */
const cheapestSelection = ({ kind }: Pick<PricedFacts, "kind">, request: Selecting): Selection => {
  const { modalities } = request;
  return selectionOf({ ...request, modalities: rungsOf(kind, modalities)[0] ?? modalities });
};

/**
 * The modalities that are quoted and debited; without `auto`, those requested.
 *
 * @fails InvalidRequest no rung is within `maxSpendCredits`, or the range not within the video
 */
export const pricedSelection = (
  facts: PricedFacts,
  request: Selecting & Pick<RunRequest, "auto" | "maxSpendCredits">,
  rates: Rates
): Result.Result<Selection, InvalidRequest> =>
  Result.flatMap(withinVideo(facts, request), () =>
    request.auto && request.mode === "ai"
      ? Result.map(ceilingRung(facts, request, request.maxSpendCredits ?? 0, rates), (modalities) =>
          selectionOf({ ...request, modalities })
        )
      : Result.succeed(selectionOf(request))
  );

type Priced = Selecting & Pick<RunRequest, "auto" | "maxSpendCredits" | "maxCredits">;

/**
 * The price of an accepted run: what it was debited, which is 0 for a cached result. If `maxSpendCredits` covers no
 * fresh run, a cached result names the price of the cheapest one.
 */
export const priceOfRun = (facts: PricedFacts, request: Priced, cached: boolean, rates: Rates): Price => {
  const selection = Result.getOrElse(pricedSelection(facts, request, rates), () =>
    cheapestSelection(facts, request)
  );
  const fresh = price(facts, selection, rates);
  return cached ? servedFromCache(fresh) : fresh;
};

/**
 * The price that a probe tells: what submitting the same body would debit, which is 0 for a cached result.
 *
 * @fails InvalidRequest like submit: the price exceeds `maxSpendCredits` or `maxCredits`. Cached results are within
 * every limit.
 */
export const priceOfProbe = (
  facts: PricedFacts,
  request: Priced,
  cached: boolean,
  rates: Rates
): Result.Result<Price, InvalidRequest> =>
  Result.gen(function* () {
    if (cached) return priceOfRun(facts, request, true, rates);
    const fresh = price(facts, yield* pricedSelection(facts, request, rates), rates);
    yield* withinMaxCredits(fresh.credits, request);
    return fresh;
  });
