/**
 * What the configured server can do: its preset, less what it has rejected, which is remembered until the process ends.
 */
import * as Effect from "effect/Effect";
import * as Ref from "effect/Ref";
import type { Sdk } from "./Sdk.ts";
import { type Capabilities, type LlmPreset, PRESETS } from "./ServerPresets.ts";

export interface ServerCapabilities {
  readonly preset: LlmPreset;
  readonly get: Effect.Effect<Capabilities>;
  /** Remembers until the process ends, and logs what changes. */
  readonly reject: (parameter: string, change: (now: Capabilities) => Capabilities) => Effect.Effect<void>;
  /** What was answered at least once in this process: a later rejection is about that one request. */
  readonly answered: Set<string>;
}

/** A model of a server. */
export interface Endpoint {
  readonly sdk: Sdk;
  readonly server: ServerCapabilities;
  readonly model: string;
}

export const serverCapabilities = Effect.fnUntraced(function* (
  preset: LlmPreset,
  start: Partial<Capabilities> = {}
) {
  const ref = yield* Ref.make<Capabilities>({ ...PRESETS[preset], ...start });
  const get = Ref.get(ref);
  return {
    preset,
    get,
    reject: Effect.fnUntraced(function* (parameter, change) {
      const before = yield* Ref.getAndUpdate(ref, change);
      if (before === (yield* get)) return;
      yield* Effect.logWarning(
        "The model's server rejected a parameter, which is not sent again until the next start"
      ).pipe(Effect.annotateLogs({ parameter, preset }));
    }),
    answered: new Set()
  } satisfies ServerCapabilities;
});
