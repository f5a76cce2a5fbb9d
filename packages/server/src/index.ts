/**
 * The public API for embedding the server.
 */
export { Api, openApiDocument } from "./routes/Api.ts";
export * as App from "./App.ts";
export { readSettings, type BadSetting, type Settings } from "./settings/Config.ts";
export { createWinnow, type EmbeddedWinnow, type WinnowOptions } from "./embed/createWinnow.ts";
export type * from "./embed/Engine.ts";
export { EngineError, type EngineErrorCode } from "./embed/EngineError.ts";
export type { LogEntry } from "./embed/LogEntry.ts";
export { SettingError } from "./embed/SettingError.ts";
export type { WinnowSettings } from "./settings/SettingsTable.ts";
export type { SessionsOf } from "./http/authentication/OwnSignIn.ts";
export type { Ports } from "./Ports.ts";
export { serve } from "./Serve.ts";
