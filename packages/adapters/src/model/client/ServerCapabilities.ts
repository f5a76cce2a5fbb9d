/**
 * What the configured server can do: its preset, less what it has rejected. A rejected parameter is remembered until the
 * process ends. What may concern one schema only is remembered for that schema.
 */
import { hash } from "node:crypto";
import * as Effect from "effect/Effect";
import * as Ref from "effect/Ref";
import { LRUCache } from "lru-cache";
import { type Capabilities, type LlmPreset, PRESETS } from "./ServerPresets.ts";

/** Maximum schemas remembered, and for how long: the next attempt may find another reason, or none. */
const SCHEMAS_MAX = 200;
const SCHEMA_TTL_MS = 15 * 60_000;

export interface ServerCapabilities {
  readonly preset: LlmPreset;
  readonly get: Effect.Effect<Capabilities>;
  /** The capabilities for a request with that schema, as JSON; null is one without. */
  readonly getFor: (schema: string | null) => Effect.Effect<Capabilities>;
  /** Remembers until the process ends, and logs what changes. */
  readonly reject: (parameter: string, change: (now: Capabilities) => Capabilities) => Effect.Effect<void>;
  readonly keepFor: (schema: string | null, capabilities: Capabilities) => Effect.Effect<void>;
  /** What was answered at least once in this process: a later rejection is about that one request. */
  readonly answered: Set<string>;
}

const keyOf = (schema: string): string => hash("sha256", schema);

export const serverCapabilities = Effect.fnUntraced(function* (
  preset: LlmPreset,
  start: Partial<Capabilities> = {}
) {
  const ref = yield* Ref.make<Capabilities>({ ...PRESETS[preset], ...start });
  const schemas = new LRUCache<string, Capabilities>({ max: SCHEMAS_MAX, ttl: SCHEMA_TTL_MS });
  const get = Ref.get(ref);
  return {
    preset,
    get,
    getFor: (schema) =>
      Effect.map(get, (server) => (schema === null ? server : (schemas.get(keyOf(schema)) ?? server))),
    reject: Effect.fnUntraced(function* (parameter, change) {
      const before = yield* Ref.getAndUpdate(ref, change);
      if (before === (yield* get)) return;
      yield* Effect.logWarning(
        "The model's server rejected a parameter, which is not sent again until the next start"
      ).pipe(Effect.annotateLogs({ parameter, preset }));
    }),
    keepFor: (schema, capabilities) =>
      Effect.sync(() => {
        if (schema !== null) schemas.set(keyOf(schema), capabilities);
      }),
    answered: new Set()
  } satisfies ServerCapabilities;
});
