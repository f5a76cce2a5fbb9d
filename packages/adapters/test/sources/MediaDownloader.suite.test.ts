// @module-tag long
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import { suite } from "@winnow/testing/suites/DownloaderSuite";
import * as Layer from "effect/Layer";
import { downloaderOf, openSite, temporaryFolder } from "./harness.ts";
import { SECONDS } from "./site/media.ts";

const site = await openSite();

const scenario = {
  video: {
    url: `${site.url}/watch/talk`,
    durationSeconds: SECONDS,
    transcriptIncludes: "It was made by a script."
  },
  carousel: { url: `${site.url}/carousel`, imageCount: 4 },
  article: { url: `${site.url}/article`, textIncludes: "a claim that a machine can check" },
  listing: {
    url: `${site.url}/fx/channel`,
    lists: Array.from({ length: 50 }, (_, index) => `${site.url}/fx/video?${index}`)
  },
  emptyListing: { url: `${site.url}/fx/empty-channel` },
  gated: { url: `${site.url}/gated`, reason: "login_required" },
  notPublic: { url: "http://10.0.0.1/watch" }
} as const;

suite(
  "yt-dlp, ffmpeg and the page reader",
  Layer.merge(downloaderOf(site, temporaryFolder()), NodeFileSystem.layer),
  scenario
);
