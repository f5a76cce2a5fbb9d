/**
 * For the tests of embedders: fakes of every port and a controllable clock (docs/embedding.md). The suites
 * that an adapter must pass are in `@winnow/testing/suites`, because they need vitest.
 */
export * as MemoryArtifacts from "@winnow/core/memory/MemoryArtifacts";
export * as MemoryDatabase from "@winnow/core/memory/MemoryDatabase";
export * as NoAnalyst from "@winnow/core/memory/NoAnalyst";
export * as FakeAnalyst from "./fakes/FakeAnalyst.ts";
export * as FakeDownloader from "./fakes/FakeDownloader.ts";
export * as FakePorts from "./fakes/FakePorts.ts";
export * as FakeSchemaChecker from "./fakes/FakeSchemaChecker.ts";
export * as FakeWebhookTransport from "./fakes/FakeWebhookTransport.ts";
export { sampleFacts } from "./samples/samples.ts";
export { VirtualClock } from "./fakes/VirtualClock.ts";
