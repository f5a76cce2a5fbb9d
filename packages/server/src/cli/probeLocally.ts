/** What `winnow probe` does, in this process. */
import { Probes } from "@winnow/core/engine/extractions/Probes";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import type { ProbeResponse } from "../routes/extractions/ProbeWire.ts";
import { jsonText } from "../TerminalText.ts";
import { usableSettings } from "./environment.ts";
import { cliFailedOf, localAccount, localEngine } from "./localEngine.ts";
import { bodyOf, type SubmitInput } from "./submitFlags.ts";

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

export const probeLocally = Effect.fnUntraced(function* (input: SubmitInput) {
  const settings = yield* usableSettings;
  const engine = yield* localEngine(settings);
  const answer = yield* Effect.gen(function* () {
    const probes = yield* Probes;
    return yield* probes.probe(yield* localAccount, yield* bodyOf(input)).pipe(Effect.mapError(cliFailedOf));
  }).pipe(Effect.provideContext(engine));
  yield* Console.log(input.json ? jsonText(answer) : report(answer));
}, Effect.scoped);
