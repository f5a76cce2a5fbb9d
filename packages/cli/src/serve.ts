/** `winnow serve`: runs the server until it is stopped. Tests: the server's serve.test.ts. */
import { setFlagsFromString } from "node:v8";
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import { settingsHelp } from "@winnow/server/settings/Config";
import { SETTINGS } from "@winnow/server/settings/SettingsTable";
import { toggle } from "./flags.ts";
import { asCliFailure, usableSettings } from "./Inputs.ts";
import { Appendix } from "./usageErrors.ts";

/** Percentage of the live heap; the next collection runs when this much has been added. */
const GROWTH_PERCENT = 40;

/**
 * Limits how much garbage this process accumulates. A run's garbage lives just long enough to reach the old
 * generation, which V8 collects less often the faster it fills: the process could grow to several times its live heap
 * and stay there. With a fixed share, it is as large after ten thousand runs as after a thousand (measured: "Figures" of
 * the README of @winnow/server); steadyHeap.test.ts fails if V8 no longer takes the flag.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);

const isPrivate = toggle(
  "private",
  "A server of your own: everything is free, without small limits; the same as WINNOW_PRIVATE=on"
);

export const serve = Command.make("serve", { isPrivate }, ({ isPrivate: asked }) =>
  Effect.gen(function* () {
    if (asked) process.env[SETTINGS.private.name] = "on";
    const settings = yield* usableSettings;
    const main = yield* Effect.promise(() => import("@winnow/server/main"));
    limitHeapGrowth();
    yield* asCliFailure(main.serve(settings));
  })
).pipe(
  Command.withShortDescription("Start the server"),
  Command.withDescription(
    "Run the server until it is stopped. Settings come from the environment; they are listed below"
  ),
  Command.annotate(Appendix, `SETTINGS (defaults in brackets)\n\n${settingsHelp()}`)
);
