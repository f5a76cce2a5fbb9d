/** `winnow probe <url>`: what is at a URL and what it would cost, without an account or a server. */
import { Probes } from "@winnow/core/engine/Probes";
import * as Command from "effect/cli/Command";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import type { ProbeResponse } from "../api/ProbeWire.ts";
import { jsonText } from "../TerminalText.ts";
import { usableSettings } from "./environment.ts";
import { cliFailedOf, localAccount, localEngine } from "./localEngine.ts";
import { bodyOf, submitFlags } from "./submitFlags.ts";

const report = (probe: ProbeResponse): string =>
  [
    ["url", probe.url],
    ["title", probe.title ?? "unknown"],
    ["duration", probe.durationSec === null ? "unknown" : `${probe.durationSec} s`],
    ["subtitles", probe.hasSubtitles ? "yes" : "no"],
    ["comments", probe.hasComments ? "yes" : "no"],
    ["slides", String(probe.imageCount)],
    ["price", `${probe.price.credits} credits ($${probe.price.usd})`]
  ]
    .map(([name = "", value]) => `${name.padEnd(10)} ${value}`)
    .join("\n");

export const probe = Command.make(
  "probe",
  submitFlags,
  Effect.fnUntraced(function* (input) {
    const settings = yield* usableSettings;
    const engine = yield* localEngine(settings);
    const answer = yield* Effect.gen(function* () {
      const probes = yield* Probes;
      return yield* probes
        .probe(yield* localAccount, yield* bodyOf(input))
        .pipe(Effect.mapError(cliFailedOf));
    }).pipe(Effect.provideContext(engine));
    yield* Console.log(input.json ? jsonText(answer) : report(answer));
  }, Effect.scoped)
).pipe(Command.withDescription("Inspect a URL and quote its price, without a server"));
