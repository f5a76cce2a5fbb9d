/**
 * `winnow extract <url>`: executes one run locally and saves its artifacts to a folder. Needs no server or account.
 */
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import { submitFlags } from "./submitFlags.ts";

const out = Flag.String("out").pipe(
  Flag.withAlias("o"),
  Flag.withDescription("Folder for the artifacts, created if missing; winnow-<id> by default"),
  Flag.optional
);

export const extract = Command.make(
  "extract",
  { ...submitFlags, out },
  Effect.fnUntraced(function* (input) {
    const { extractLocally } = yield* Effect.promise(() => import("./extractLocally.ts"));
    yield* extractLocally(input);
  })
).pipe(
  Command.withDescription("Run one extraction locally and save its artifacts to a folder"),
  Command.withExamples([
    { command: "winnow extract https://example.com/article", description: "Fetch everything" },
    { command: "winnow extract URL --parts transcript,audio --out talk", description: "Only some parts" },
    {
      command: "winnow extract URL --schema recipe.json",
      description: "Extract an object with the language model"
    }
  ])
);
