/**
 * The ports and settings that a layer gives to what its methods call. Nothing else is captured, so that log
 * annotations, spans and scopes remain those of the caller. Tests: PortCalls.test.ts.
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
import { WebhookTransport } from "../ports/WebhookTransport.ts";
import { EngineSettings } from "./EngineSettings.ts";

export type EnginePorts =
  | Store
  | Downloader
  | ArtifactStore
  | Analyst
  | SchemaChecker
  | SchemaLibrary
  | WebhookTransport;

export const enginePorts: Effect.Effect<Context.Context<EnginePorts>, never, EnginePorts> = Effect.map(
  Effect.context<EnginePorts>(),
  Context.pick(
    Store,
    Downloader,
    ArtifactStore,
    Analyst,
    SchemaChecker,
    SchemaLibrary,
    WebhookTransport,
    EngineSettings,
    Plans,
    Transcriber,
    FreeSpace
  )
);
