/**
 * Quote, submit, wait, and save the files.
 *
 *   WINNOW_API_KEY=… node examples/submit-and-wait.ts https://example.com/ [FOLDER]
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { Winnow, WinnowError } from "@winnow/client/node";

process.on("uncaughtException", (error) => {
  console.error(error instanceof WinnowError ? error.message : error);
  process.exit(1);
});

const [url = "https://example.com/", folder = "files"] = process.argv.slice(2);
const winnow = new Winnow(); // WINNOW_API_KEY and WINNOW_URL from the environment

const { title, price } = await winnow.probe({ url }); // free
console.log(`${title ?? url}: ${price.credits} credits`);

const run = await winnow.submit({ url }); // debits exactly that
const result = await winnow.extractions.wait(run.id);

if (result.status === "failed") {
  console.error(`${result.error} ${result.failure?.hint ?? ""}`); // the credits were refunded
  process.exit(1);
}

await mkdir(folder, { recursive: true });
for (const name of result.summary.files) {
  const sizeBytes = await winnow.files.save(run.id, name, path.join(folder, name));
  console.log(`${name}  ${sizeBytes} bytes`);
}
