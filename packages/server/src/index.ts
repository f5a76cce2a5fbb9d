/** The public API for embedding the server. */
import "./requireNode.ts";
export { Api, openApiDocument } from "./routes/Api.ts";
export * as App from "./App.ts";
export { readSettings, type SettingMessage, type Settings } from "./settings/Config.ts";
export { createWinnow, type EmbeddedWinnow, type WinnowOptions } from "./embed/createWinnow.ts";
export { portLayer } from "./embed/promisePorts.ts";
export type {
  PromiseAnalyst,
  PromiseArtifacts,
  PromiseDownloader,
  PromiseFetched,
  PromisePorts,
  PromiseRun,
  PromiseTranscriber
} from "./embed/promisePorts.ts";
export { Failed } from "@winnow/core/domain/source/Failed";
export type { LogEntry } from "./embed/LogEntry.ts";
export { SettingError } from "./embed/SettingError.ts";
export type { WinnowSettings } from "./settings/SettingsTable.ts";
export type { SessionsOf } from "./http/authentication/webSession.ts";
export type { Ports } from "./Ports.ts";
export { serve } from "./Serve.ts";
