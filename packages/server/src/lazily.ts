/**
 * Layers whose modules are loaded when the layer is built, so that unused modules cost nothing.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

export const lazily = <Module, A, E>(
  load: () => Promise<Module>,
  layerOf: (module: Module) => Layer.Layer<A, E>
): Layer.Layer<A, E> => Layer.unwrap(Effect.map(Effect.promise(load), layerOf));
