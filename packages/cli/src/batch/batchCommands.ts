/** `winnow batch`: a file of links as one batch of an account. */
import { LISTED_ITEMS_MAX } from "@winnow/core/domain/run/Batch";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import { argument, owner } from "../clients.ts";
import { contentFlags } from "../extractions/submissionFields.ts";

const batchFlags = {
  ...owner,
  file: argument(
    "file",
    "Links, one a line, or a CSV with a column `url`; - reads standard input. Or one URL; or the id of a batch, to follow it"
  ),
  first: Flag.Int("first").pipe(
    Flag.withDescription(
      `The links are channels or playlists: extract the first of what each lists, this many (1 to ${LISTED_ITEMS_MAX})`
    ),
    Flag.filter(
      (count) => count >= 1 && count <= LISTED_ITEMS_MAX,
      () => `Expected a number from 1 to ${LISTED_ITEMS_MAX}`
    ),
    Flag.optional
  ),
  ...contentFlags,
  budget: Flag.Int("budget").pipe(
    Flag.withDescription("Maximum credits; a batch that costs more is not created"),
    Flag.optional
  ),
  yes: Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask before the debit"), Flag.withDefault(false)),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON lines"), Flag.withDefault(false))
};

export type BatchInput = Command.Command.Config.Infer<typeof batchFlags>;

export const batch = Command.make(
  "batch",
  batchFlags,
  Effect.fnUntraced(function* (input) {
    const { runBatch } = yield* Effect.promise(() => import("./batchRun.ts"));
    yield* runBatch(input);
  })
).pipe(
  Command.withShortDescription("Extract from a file of links, on an account of a server"),
  Command.withDescription(
    "Extract from a file of links, on an account of a server: quotes every link, asks, and follows the batch to its " +
      "end. The same command within the hour follows the same batch. Exit code 1 if not all links are complete"
  ),
  Command.withExamples([
    { command: "winnow batch links.txt --api-key wnw_...", description: "Shows the price and asks" },
    {
      command: "winnow batch links.csv --schema recipe.json --budget 5000",
      description: "For at most 5,000 credits"
    },
    { command: "winnow batch https://video.example/channel/7 --first 20", description: "Of a channel" }
  ])
);
