/**
 * A typed object from a page: the schema is sent to the service, and the result has its type.
 *
 *   WINNOW_API_KEY=… node examples/typed-with-zod.ts https://example.com/recipe
 */
import { Winnow } from "@winnow/client";
import * as z from "zod";

const Recipe = z.object({
  dish: z.string(),
  servings: z.number().int().nullable(),
  minutes: z.number().nullable(),
  ingredients: z.array(z.string())
});

const winnow = new Winnow(); // WINNOW_API_KEY and WINNOW_URL from the environment

const done = await winnow.extract({ url: process.argv[2] ?? "https://example.com/", schema: Recipe });

if (done.outcome === "ok") {
  const { dish, servings, minutes } = done.extraction; // z.infer<typeof Recipe>
  console.log(`${dish}: for ${servings ?? "?"}, in ${minutes ?? "?"} minutes`);
  for (const { quote } of done.evidence?.["/servings"] ?? []) console.log(`servings, because: ${quote}`);
} else {
  console.log(`No recipe (${done.outcome}): ${done.verdictReason ?? ""}`);
}
