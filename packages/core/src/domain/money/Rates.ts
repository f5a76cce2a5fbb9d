/** Rates of runs, which a plan may change. Tests: Pricing.test.ts, Plan.test.ts. */
import * as Records from "effect/Record";
import * as Schema from "effect/Schema";
import { UNITS_PER_CREDIT } from "./Credits.ts";

const MILLISECONDS_PER_SECOND = 1_000;

/** Resolution of rates per second: a millisecond then costs a whole number of units, so that all sums are exact. */
const PER_SECOND_STEPS_PER_CREDIT = UNITS_PER_CREDIT / MILLISECONDS_PER_SECOND;

/** Maximum rate of a plan: the price of the longest video is still an exact number. */
export const RATE_CREDITS_MAX = 1_000_000;

const credits = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

const perSecond = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0),
  Schema.makeFilter((rate: number) =>
    Math.abs(rate * PER_SECOND_STEPS_PER_CREDIT - Math.round(rate * PER_SECOND_STEPS_PER_CREDIT)) < 1e-9
      ? undefined
      : `must be a multiple of ${1 / PER_SECOND_STEPS_PER_CREDIT} credits`
  )
);

/** In credits; flat rates are integers. Seconds are those of the video. */
export const Rates = Schema.Struct({
  baseCredits: credits,
  transcriptCredits: credits,
  commentsCredits: credits,
  audioCreditsPerSecond: perSecond,
  videoCreditsPerSecond: perSecond,
  aiTextCreditsPerSecond: perSecond,
  aiAudioCreditsPerSecond: perSecond,
  aiVideoCreditsPerSecond: perSecond,
  /** The AI pass over a webpage or the text of a photo post. */
  aiFlatCredits: credits,
  aiSlideCredits: credits
}).annotate({ identifier: "Rates" });
export type Rates = typeof Rates.Type;

/** Of the plan `default`, unless the operator sets others. */
export const DEFAULT_RATES: Rates = {
  baseCredits: 50,
  transcriptCredits: 10,
  commentsCredits: 20,
  audioCreditsPerSecond: 0.2,
  videoCreditsPerSecond: 0.5,
  aiTextCreditsPerSecond: 0.5,
  aiAudioCreditsPerSecond: 1,
  aiVideoCreditsPerSecond: 2,
  aiFlatCredits: 50,
  aiSlideCredits: 10
};

export const FREE_RATES: Rates = Records.map(DEFAULT_RATES, () => 0);

/** For a flat rate. */
export const flatUnits = (rate: number): number => rate * UNITS_PER_CREDIT;

/** For a rate per second, per millisecond; an integer because the schema of {@link Rates} requires it. */
export const unitsPerMs = (rate: number): number => Math.round(rate * PER_SECOND_STEPS_PER_CREDIT);
