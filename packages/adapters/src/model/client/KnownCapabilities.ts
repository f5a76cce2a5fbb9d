/**
 * What was learnt about a provider and model. Cached only for a while, because servers are updated and a wrong
 * conclusion must not last. Rejections of a single schema are remembered for that schema.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Ref from "effect/Ref";
import { type Capabilities, OPTIMISTIC } from "./Capabilities.ts";

/** After this time, all features are tried again. */
const KEPT_MS = 15 * 60_000;

/** Maximum schemas remembered. */
const SCHEMAS_MAX = 200;

/** Different schemas rejected without a reason before the server itself is assumed to be the cause. */
const SCHEMAS_BELIEVED = 2;

interface Learned {
  readonly capabilities: Capabilities;
  readonly sinceMs: number;
}

interface State {
  readonly server: Learned | null;
  readonly schemas: ReadonlyMap<string, Learned>;
}

export interface KnownCapabilities {
  readonly get: Effect.Effect<Capabilities>;
  /** The capabilities for a request with that schema. */
  readonly getFor: (schema: string | null) => Effect.Effect<Capabilities>;
  readonly learn: (change: (now: Capabilities) => Capabilities) => Effect.Effect<void>;
  /** Records a rejection that may concern only the schema. */
  readonly learnFor: (
    schema: string | null,
    change: (now: Capabilities) => Capabilities
  ) => Effect.Effect<void>;
}

const NOTHING: State = { server: null, schemas: new Map() };

const isFresh = (learned: Learned, nowMs: number): boolean => nowMs - learned.sinceMs < KEPT_MS;

const freshOf = ({ server, schemas }: State, nowMs: number): State => ({
  server: server !== null && isFresh(server, nowMs) ? server : null,
  schemas: new Map([...schemas].filter(([, learned]) => isFresh(learned, nowMs)).slice(-SCHEMAS_MAX))
});

export const makeKnownCapabilities: Effect.Effect<KnownCapabilities> = Effect.gen(function* () {
  const ref = yield* Ref.make(NOTHING);
  const now = Clock.currentTimeMillis;
  const state = Effect.flatMap(now, (nowMs) => Ref.updateAndGet(ref, (before) => freshOf(before, nowMs)));
  const serverOf = ({ server }: State): Capabilities => server?.capabilities ?? OPTIMISTIC;
  const learn = Effect.fnUntraced(function* (change: (now: Capabilities) => Capabilities) {
    const nowMs = yield* now;
    yield* Ref.update(ref, (before) => {
      const fresh = freshOf(before, nowMs);
      const server = { capabilities: change(serverOf(fresh)), sinceMs: fresh.server?.sinceMs ?? nowMs };
      return { ...fresh, server };
    });
  });
  return {
    get: Effect.map(state, serverOf),
    getFor: (schema) =>
      Effect.map(state, (fresh) => fresh.schemas.get(schema ?? "")?.capabilities ?? serverOf(fresh)),
    learn,
    learnFor: Effect.fnUntraced(function* (schema, change) {
      const before = yield* state;
      const isKnown = before.schemas.has(schema ?? "");
      if (schema === null || before.schemas.size + (isKnown ? 0 : 1) >= SCHEMAS_BELIEVED)
        return yield* learn(change);
      const sinceMs = yield* now;
      yield* Ref.update(ref, (current) => {
        const learned = { capabilities: change(serverOf(current)), sinceMs };
        return { ...current, schemas: new Map([...current.schemas, [schema, learned]]) };
      });
    })
  };
});
