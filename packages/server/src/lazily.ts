/**
 * Functions of modules that are loaded when what they return is built or run, so that unused modules cost nothing
 * (bench/start.ts: the start of a server). Tests: process.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

type Given = ReadonlyArray<unknown>;

/** Names of a module's functions that return an R. */
type Returning<Module, R> = {
  [Name in keyof Module]: Module[Name] extends (...given: never) => R ? Name : never;
}[keyof Module];

/** A function that returns a layer. */
export const lazily = <Module, Name extends Returning<Module, Layer.Layer<never, unknown>>>(
  load: () => Promise<Module>,
  name: Name
): Module[Name] => {
  type LayerOf = (...given: Given) => Layer.Layer<never, unknown>;
  const layerOf: LayerOf = (...given) =>
    Layer.unwrap(Effect.map(Effect.promise(load), (module) => (module[name] as LayerOf)(...given)));
  return layerOf as Module[Name];
};

/** A function that returns an effect. */
export const lazyEffect = <Module, Name extends Returning<Module, Effect.Effect<unknown, unknown>>>(
  load: () => Promise<Module>,
  name: Name
): Module[Name] => {
  type EffectOf = (...given: Given) => Effect.Effect<unknown, unknown>;
  const effectOf: EffectOf = (...given) =>
    Effect.flatMap(Effect.promise(load), (module) => (module[name] as EffectOf)(...given));
  return effectOf as Module[Name];
};
