/**
 * What the configured server can do: its preset, less what it has rejected, which is remembered until the process ends.
 * Tests: LocalServers.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Ref from "effect/Ref";
import type { Sdk } from "./Sdk.ts";
import { type Capabilities, type LlmPreset, PRESETS } from "./ServerPresets.ts";

export interface ServerCapabilities {
  readonly preset: LlmPreset;
  readonly get: Effect.Effect<Capabilities>;
  /** Remembers until the process ends, and logs what changes. */
  readonly learn: (found: Partial<Capabilities>, sentence?: string) => Effect.Effect<void>;
  /** What was answered at least once in this process: a later rejection is about that one request. */
  readonly answered: Set<string>;
}

/** A model of a server. */
export interface Endpoint {
  readonly sdk: Sdk;
  readonly server: ServerCapabilities;
  readonly model: string;
}

const REJECTED = "The model's server rejected a parameter, which is not sent again until the next start";

export const serverCapabilities = Effect.fnUntraced(function* (
  preset: LlmPreset,
  start: Partial<Capabilities> = {}
) {
  const ref = yield* Ref.make<Capabilities>({ ...PRESETS[preset], ...start });
  return {
    preset,
    get: Ref.get(ref),
    learn: Effect.fnUntraced(function* (found, sentence = REJECTED) {
      const before = yield* Ref.getAndUpdate(ref, (now) => ({ ...now, ...found }));
      if (JSON.stringify({ ...before, ...found }) === JSON.stringify(before)) return;
      yield* Effect.logWarning(sentence).pipe(Effect.annotateLogs({ preset, now: JSON.stringify(found) }));
    }),
    answered: new Set()
  } satisfies ServerCapabilities;
});
