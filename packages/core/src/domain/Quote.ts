/**
 * What a probe quotes: what the submit of the same body debits, which is nothing where the cache serves it.
 */
import * as Result from "effect/Result";
import { price, servedFromCache, type Price } from "./Pricing.ts";
import { DEFAULT_RATES, type Rates } from "./Rates.ts";
import type { InvalidRequest } from "./Refusal.ts";
import { cheapestSelection, pricedSelection, withinMaxCredits } from "./Rungs.ts";
import type { RunRequest } from "./RunRequest.ts";
import type { PricedFacts } from "./SourceFacts.ts";

type Priced = Pick<RunRequest, "mode" | "modalities" | "speech" | "auto" | "maxSpendCredits" | "maxCredits">;

/**
 * @fails InvalidRequest as the submit does: `maxSpendCredits` or `maxCredits` is below the price. What the cache
 * serves is within every limit; where `maxSpendCredits` covers no fresh run, the cheapest one counts as such.
 */
export const quote = (
  facts: PricedFacts,
  request: Priced,
  cached: boolean,
  rates: Rates = DEFAULT_RATES
): Result.Result<Price, InvalidRequest> => {
  const selection = pricedSelection(facts, request, rates);
  if (cached) {
    const fresh = Result.getOrElse(selection, () => cheapestSelection(facts, request));
    return Result.succeed(servedFromCache(price(facts, fresh, rates)));
  }
  return Result.gen(function* () {
    const fresh = price(facts, yield* selection, rates);
    yield* withinMaxCredits(fresh.credits, request);
    return fresh;
  });
};
