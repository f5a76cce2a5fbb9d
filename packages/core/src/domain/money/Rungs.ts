/**
 * The rungs of auto mode: text, then audio, then video, cut to the caller's ceiling.
 *
 * {@link pricedSelection} is what probe quotes and submit debits; settlement pays for the rung whose
 * result is returned (`RunResult.rung`).
 */
import * as Result from "effect/Result";
import type { Credits } from "./Credits.ts";
import { canonical, type Modality } from "../source/Modality.ts";
import { price } from "./Pricing.ts";
import { InvalidRequest } from "../request/Refusal.ts";
import { selectionOf, type RunRequest, type Selection } from "../request/RunRequest.ts";
import { DEFAULT_RATES, type Rates } from "./Rates.ts";
import type { PricedFacts, SourceKind } from "../source/SourceFacts.ts";

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
  ceiling: Pick<RunRequest, "modalities" | "speech">,
  maxSpendCredits: number,
  rates: Rates = DEFAULT_RATES
): Result.Result<ReadonlyArray<Modality>, InvalidRequest> => {
  const rungs = rungsOf(facts.kind, ceiling.modalities).map((modalities) => ({
    modalities,
    credits: price(facts, selectionOf({ ...ceiling, mode: "ai", modalities }), rates).credits
  }));
  const covered = rungs.findLast((rung) => rung.credits <= maxSpendCredits);
  if (covered !== undefined) return Result.succeed(covered.modalities);
  const minimumCredits = Math.min(...rungs.map((rung) => rung.credits));
  return Result.fail(
    new InvalidRequest({
      message: `\`maxSpendCredits\` must be at least ${minimumCredits}, the price of the cheapest step.`,
      details: { param: "maxSpendCredits", reason: "below_minimum", minimumCredits }
    })
  );
};

/** @fails InvalidRequest {param:"maxCredits", credits, maxCredits}: the price exceeds the caller's limit */
export const withinMaxCredits = (
  credits: Credits,
  { maxCredits = Number.POSITIVE_INFINITY }: Pick<RunRequest, "maxCredits">
): Result.Result<void, InvalidRequest> =>
  credits <= maxCredits
    ? Result.succeed(undefined)
    : Result.fail(
        new InvalidRequest({
          message:
            `This run costs ${credits} credits, more than the ${maxCredits} of \`maxCredits\`: raise it or ` +
            `request less.`,
          details: { param: "maxCredits", reason: "price_above_limit", credits, maxCredits }
        })
      );

/** The modalities of the first rung of an auto run. */
export const cheapestSelection = (
  { kind }: Pick<PricedFacts, "kind">,
  request: Pick<RunRequest, "mode" | "modalities" | "speech">
): Selection => {
  const { modalities } = request;
  return selectionOf({ ...request, modalities: rungsOf(kind, modalities)[0] ?? modalities });
};

/** The modalities that are quoted and debited; without `auto`, those requested. */
export const pricedSelection = (
  facts: PricedFacts,
  request: Pick<RunRequest, "mode" | "modalities" | "speech" | "auto" | "maxSpendCredits">,
  rates: Rates = DEFAULT_RATES
): Result.Result<Selection, InvalidRequest> =>
  request.auto && request.mode === "ai"
    ? Result.map(ceilingRung(facts, request, request.maxSpendCredits ?? 0, rates), (modalities) =>
        selectionOf({ ...request, modalities })
      )
    : Result.succeed(selectionOf(request));
