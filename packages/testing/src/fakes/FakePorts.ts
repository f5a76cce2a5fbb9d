/**
 * Fakes of every port, without network, disk or model: the whole engine in one process. No URL has content until your
 * own FakeDownloader is added after it. Tests: the examples' fakes.test.ts.
 */
import { readFile } from "node:fs/promises";
import * as Effect from "effect/Effect";
import * as FileSystem from "effect/FileSystem";
import * as Layer from "effect/Layer";
import * as MemoryArtifacts from "@winnow/core/memory/MemoryArtifacts";
import * as MemoryDatabase from "@winnow/core/memory/MemoryDatabase";
import * as NoAnalyst from "@winnow/core/memory/NoAnalyst";
import * as FakeDownloader from "./FakeDownloader.ts";
import * as FakeSchemaChecker from "./FakeSchemaChecker.ts";
import * as FakeWebhookTransport from "./FakeWebhookTransport.ts";

/** For downloaders that return local files. */
const reading = FileSystem.layerNoop({ readFile: (path) => Effect.promise(() => readFile(path)) });

export const layer = Layer.mergeAll(
  MemoryDatabase.layer,
  Layer.provide(MemoryArtifacts.layer, reading),
  FakeDownloader.layer({}),
  FakeSchemaChecker.layer(),
  FakeWebhookTransport.layer,
  NoAnalyst.layer
);
