/** The price that a probe tells: what submitting the same body would debit, which is 0 for a cached result. */
import * as Result from "effect/Result";
import { price, servedFromCache, type Price } from "./Pricing.ts";
import { DEFAULT_RATES, type Rates } from "./Rates.ts";
import type { InvalidRequest } from "../request/Refusal.ts";
import { cheapestSelection, pricedSelection, withinMaxCredits } from "./Rungs.ts";
import type { RunRequest } from "../request/RunRequest.ts";
import type { PricedFacts } from "../source/SourceFacts.ts";

type Priced = Pick<RunRequest, "mode" | "modalities" | "speech" | "auto" | "maxSpendCredits" | "maxCredits">;

/**
 * @fails InvalidRequest like submit: the price exceeds `maxSpendCredits` or `maxCredits`. Cached results are within
 * every limit. If `maxSpendCredits` covers no fresh run, the cheapest one is quoted.
 */
export const priceOfProbe = (
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
