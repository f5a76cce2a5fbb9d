/**
 * What the package offers to those who embed the server in their own.
 */
export { Api } from "./api/Api.ts";
export { openApiDocument } from "./api/OpenApiDocument.ts";
export * as App from "./App.ts";
export { readSettings, type BadSetting, type Settings } from "./Config.ts";
export { serve, type Ports } from "./Serve.ts";
