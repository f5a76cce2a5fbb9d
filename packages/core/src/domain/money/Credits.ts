/**
 * Money: whole credits in the API, integer units internally.
 *
 * 1 credit = $0.0001; 1 unit = 0.0001 credit, so that every rate times every millisecond is an integer and rounding
 * happens once, at the end. Tests: Pricing.test.ts, PricingLaws.test.ts.
 */
import * as Schema from "effect/Schema";

/** Whole credits, never negative. */
export const Credits = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ identifier: "Credits" });
export type Credits = typeof Credits.Type;

export const UNITS_PER_CREDIT = 10_000;
export const CREDITS_PER_USD = 10_000;

/** Bonus for the first top-up of an account. */
export const FIRST_TOP_UP_BONUS_CREDITS: Credits = 1_000;

/** The only place where money is rounded: up, to whole credits. `ceilToCredits(1_865_000)` is 187. */
export const ceilToCredits = (units: number): Credits => Math.ceil(units / UNITS_PER_CREDIT);

/** `creditsToUsd(187)` is 0.0187. */
export const creditsToUsd = (credits: Credits): number => credits / CREDITS_PER_USD;

/** Unrounded: `unitsToUsd(1_865_000)` is 0.01865. */
export const unitsToUsd = (units: number): number => units / (UNITS_PER_CREDIT * CREDITS_PER_USD);
