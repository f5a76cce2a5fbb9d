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
const CHANNEL = "https://example.com/channel";
const EMPTY = "https://example.com/empty-channel";
const LISTS = [VIDEO, PRIVATE, ARTICLE];

const sources = {
  [VIDEO]: { facts: sampleFacts() },
  [CAROUSEL]: { facts: sampleFacts({ kind: "photos", imageCount: 4, durationSeconds: null }) },
  [ARTICLE]: { facts: sampleFacts({ kind: "webpage", durationSeconds: null }) },
  [PRIVATE]: FakeDownloader.refuses("private"),
  [INTERNAL]: FakeDownloader.refuses("host_not_public")
};
const downloader = FakeDownloader.layer(sources, {
  [CHANNEL]: LISTS,
  [EMPTY]: [],
  [INTERNAL]: FakeDownloader.refuses("host_not_public")
});

suite("fake", Layer.merge(downloader, NodeFileSystem.layer), {
  video: { url: VIDEO, durationSeconds: 12, transcriptIncludes: "content of transcript" },
  carousel: { url: CAROUSEL, imageCount: 4 },
  article: { url: ARTICLE, textIncludes: "content of transcript" },
  listing: { url: CHANNEL, lists: LISTS },
  emptyListing: { url: EMPTY },
  gated: { url: PRIVATE, reason: "private" },
  notPublic: { url: INTERNAL }
});
