/**
 * For the tests of embedders: fakes of every port and a controllable clock (docs/embedding.md). The suites
 * that an adapter must pass are in `@winnow/core/testing/suites`, because they need vitest.
 */
export * as MemoryArtifacts from "../memory/MemoryArtifacts.ts";
export * as MemoryDatabase from "../memory/MemoryDatabase.ts";
export * as NoAnalyst from "../memory/NoAnalyst.ts";
export * as FakeAnalyst from "./FakeAnalyst.ts";
export * as FakeDownloader from "./FakeDownloader.ts";
export * as FakePorts from "./FakePorts.ts";
export * as FakeSchemaChecker from "./FakeSchemaChecker.ts";
export * as FakeWebhookTransport from "./FakeWebhookTransport.ts";
export { sampleFacts } from "./samples.ts";
export { VirtualClock } from "./VirtualClock.ts";
