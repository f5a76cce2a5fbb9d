/** `winnow probe <url>`: what is at a URL and what it would cost, without an account or a server. */
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import { submitFlags } from "./submitFlags.ts";

export const probe = Command.make(
  "probe",
  submitFlags,
  Effect.fnUntraced(function* (input) {
    const { probeLocally } = yield* Effect.promise(() => import("./probeLocally.ts"));
    yield* probeLocally(input);
  })
).pipe(Command.withDescription("Inspect a URL and quote its price, without a server"));
