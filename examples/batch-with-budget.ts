/**
 * Many URLs within a budget of credits. URLs that do not fit into the budget are skipped before anything is debited;
 * the others are submitted within the rate limits.
 *
 *   WINNOW_API_KEY=… node examples/batch-with-budget.ts 500 URL [URL …]
 */
import { ApiError, InsufficientCreditsError, Winnow, type SubmitResponse } from "@winnow/client";

const [limit = "", ...urls] = process.argv.slice(2);
if (!/^\d+$/u.test(limit)) {
  console.error("Give a limit in credits first, then the URLs.");
  process.exit(2);
}
const limitCredits = Number(limit);
const winnow = new Winnow(); // WINNOW_API_KEY and WINNOW_URL from the environment

const { balance } = await winnow.account();
let leftCredits = Math.min(limitCredits, balance);

// Quotes are free and exact. Results of the last 30 days are free.
const affordable: Array<{ url: string }> = [];
for (const url of urls) {
  try {
    const { price, cached } = await winnow.probe({ url });
    const cost = cached ? 0 : price.credits;
    if (cost > leftCredits) {
      console.log(`left out  ${url}: ${cost} credits, ${leftCredits} are left`);
      continue;
    }
    leftCredits -= cost;
    affordable.push({ url });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.log(`left out  ${url}: ${error.message}`);
  }
}

const runs: Array<SubmitResponse> = [];
const submits = winnow.submitMany(affordable, {
  // Also for runs in flight when the loop ends: they are charged too.
  onItem: (item) => {
    if (item.status === "fulfilled") runs.push(item.value);
    else console.log(`refused   ${item.body.url}: ${String(item.reason)}`);
  }
});
for await (const item of submits) {
  // Another program uses this balance too: stop submitting.
  if (item.status === "rejected" && item.reason instanceof InsufficientCreditsError) break;
}

let spentCredits = 0;
for (const { id, url } of runs) {
  const result = await winnow.extractions.wait(id);
  const { creditsDebited, creditsRefunded } = await winnow.extractions.get(id);
  spentCredits += creditsDebited - creditsRefunded;
  console.log(`${result.status.padEnd(8)}  ${url}: ${creditsDebited - creditsRefunded} credits`);
}
console.log(`spent ${spentCredits} of ${limitCredits} credits`);
