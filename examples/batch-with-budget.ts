/**
 * Many URLs within a budget of credits. What costs more than is left of it is left out before anything is debited; the
 * others are submitted within the rate limits.
 *
 *   WINNOW_API_KEY=… node examples/batch-with-budget.ts 500 URL [URL …]
 */
import { ApiError, ExtractionFailedError, Winnow, WinnowError } from "@winnow/client";

process.on("uncaughtException", (error) => {
  console.error(error instanceof WinnowError ? error.message : error);
  process.exit(1);
});

const [limit = "", ...urls] = process.argv.slice(2);
if (!/^\d+$/u.test(limit)) {
  console.error("Give a limit in credits first, then the URLs.");
  process.exit(2);
}
const winnow = new Winnow(); // WINNOW_API_KEY and WINNOW_URL from the environment

let spentCredits = 0;
const bodies = urls.map((url) => ({ url }));
for await (const item of winnow.extractMany(bodies, { budgetCredits: Number(limit) })) {
  const { url } = item.body;
  if (item.status === "fulfilled") {
    const { creditsDebited, creditsRefunded } = await winnow.extractions.get(item.value.id);
    spentCredits += creditsDebited - creditsRefunded;
    console.log(`complete  ${url}: ${creditsDebited - creditsRefunded} credits`);
  } else {
    const { reason } = item;
    // Failed runs are refunded in full; of what is lost with its connection, only the server knows the end.
    const isRefused = reason instanceof ApiError && reason.status < 500;
    const what = reason instanceof ExtractionFailedError ? "failed  " : isRefused ? "left out" : "lost    ";
    console.log(`${what}  ${url}: ${String(reason)}`);
  }
}
console.log(`spent ${spentCredits} of ${limit} credits`);
