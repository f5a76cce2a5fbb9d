/**
 * Many URLs, and no more credits than you say. What does not fit into the budget is left out before anything is
 * debited; the rest is submitted within the rate limits.
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

// Quotes are free and exact. What was extracted in the last 30 days costs nothing again.
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
  // Of each, those too that are under way when the loop is left: they are paid as well.
  onItem: (item) => {
    if (item.status === "fulfilled") runs.push(item.value);
    else console.log(`refused   ${item.body.url}: ${String(item.reason)}`);
  }
});
for await (const item of submits) {
  // Somebody else spends from this balance as well: submit no more.
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
