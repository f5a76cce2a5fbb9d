/**
 * `winnow serve`: runs the server until it is stopped.
 */
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import { CliFailed } from "./CliFailed.ts";
import { settingsHelp } from "../settings/Config.ts";
import { usableSettings } from "./environment.ts";
import { limitHeapGrowth } from "./heapGrowth.ts";

export const serve = Command.make("serve", {}, () =>
  Effect.gen(function* () {
    const settings = yield* usableSettings;
    const main = yield* Effect.promise(() => import("../main.ts"));
    limitHeapGrowth();
    yield* main.serve(settings).pipe(Effect.mapError((error) => new CliFailed({ message: error.message })));
  })
).pipe(
  Command.withShortDescription("Start the server"),
  Command.withDescription(
    `Run the server until it is stopped. Settings come from the environment:\n\n${settingsHelp()}`
  )
);
