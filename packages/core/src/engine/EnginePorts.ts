/**
 * Captures only ports and settings when a layer is built, so that log annotations, spans and scopes remain those of
 * the caller.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { Analyst } from "../ports/Analyst.ts";
import { ArtifactStore } from "../ports/ArtifactStore.ts";
import { Downloader } from "../ports/Downloader.ts";
import { FreeSpace } from "../ports/FreeSpace.ts";
import { Plans } from "../ports/Plans.ts";
import { SchemaChecker } from "../ports/SchemaChecker.ts";
import { SchemaLibrary } from "../ports/SchemaLibrary.ts";
import { Store } from "../ports/Store.ts";
import { Transcriber } from "../ports/Transcriber.ts";
import { EngineSettings } from "./EngineSettings.ts";

export type EnginePorts = Store | Downloader | ArtifactStore | Analyst | SchemaChecker | SchemaLibrary;

export const enginePorts: Effect.Effect<Context.Context<EnginePorts>, never, EnginePorts> = Effect.map(
  Effect.context<EnginePorts>(),
  Context.pick(
    Store,
    Downloader,
    ArtifactStore,
    Analyst,
    SchemaChecker,
    SchemaLibrary,
    EngineSettings,
    Plans,
    Transcriber,
    FreeSpace
  )
);

/** Gives functions of the engine the captured ports: the one way in which its services are wired. */
export const providing =
  <P>(ports: Context.Context<P>) =>
  <Args extends ReadonlyArray<unknown>, A, E, R>(method: (...args: Args) => Effect.Effect<A, E, R>) =>
  (...args: Args): Effect.Effect<A, E, Exclude<R, P>> =>
    Effect.provide(method(...args), ports);
