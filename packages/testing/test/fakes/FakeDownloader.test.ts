import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import * as Layer from "effect/Layer";
import { suite } from "../../src/suites/DownloaderSuite.ts";
import * as FakeDownloader from "../../src/fakes/FakeDownloader.ts";
import { sampleFacts } from "../../src/samples/samples.ts";

const VIDEO = "https://example.com/watch/talk";
const CAROUSEL = "https://example.com/p/slides";
const ARTICLE = "https://example.com/article";
const PRIVATE = "https://example.com/watch/private";
const INTERNAL = "http://10.0.0.1/watch";

const downloader = FakeDownloader.layer({
  [VIDEO]: { facts: sampleFacts() },
  [CAROUSEL]: { facts: sampleFacts({ kind: "photos", imageCount: 4, durationSeconds: null }) },
  [ARTICLE]: { facts: sampleFacts({ kind: "webpage", durationSeconds: null }) },
  [PRIVATE]: FakeDownloader.refuses("private"),
  [INTERNAL]: FakeDownloader.refuses("host_not_public")
});

suite("fake", Layer.merge(downloader, NodeFileSystem.layer), {
  video: { url: VIDEO, durationSeconds: 12, transcriptIncludes: "content of transcript" },
  carousel: { url: CAROUSEL, imageCount: 4 },
  article: { url: ARTICLE, textIncludes: "content of transcript" },
  gated: { url: PRIVATE, reason: "private" },
  notPublic: { url: INTERNAL }
});
