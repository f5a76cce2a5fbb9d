import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import * as Layer from "effect/Layer";
import { layer } from "../../src/memory/MemoryArtifacts.ts";
import { suite } from "@winnow/testing/suites/ArtifactStoreSuite";

suite("memory", Layer.provideMerge(layer, NodeFileSystem.layer));
