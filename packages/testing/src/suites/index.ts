/**
 * What every implementation of a port promises, as vitest suites: call `suite(name, layer)` of the port in a
 * test file of yours. Needs the optional peers vitest and @effect/vitest.
 */
export * as AnalystSuite from "./AnalystSuite.ts";
export * as ArtifactStoreSuite from "./ArtifactStoreSuite.ts";
export * as CheckoutSuite from "./CheckoutSuite.ts";
export * as DownloaderSuite from "./DownloaderSuite.ts";
export * as JobQueueSuite from "./JobQueueSuite.ts";
export * as RateLimitsSuite from "./RateLimitsSuite.ts";
export * as RunFeedSuite from "./RunFeedSuite.ts";
export * as SchemaCheckerSuite from "./SchemaCheckerSuite.ts";
export * as SchemaLibrarySuite from "./SchemaLibrarySuite.ts";
export * as SessionsSuite from "./SessionsSuite.ts";
export * as SignInMethodSuite from "./SignInMethodSuite.ts";
export * as StoreSuite from "./store/StoreSuite.ts";
export * as TranscriberSuite from "./TranscriberSuite.ts";
export * as WebhookEndpointsSuite from "./WebhookEndpointsSuite.ts";
export * as WebhookOutboxSuite from "./WebhookOutboxSuite.ts";
export * as WebhookTransportSuite from "./WebhookTransportSuite.ts";
