import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { SourceMetadata, sourceMetadata, writeMetadata } from "../../../src/domain/source/SourceMetadata.ts";
import { sampleFacts } from "@winnow/testing/samples/samples";

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(SourceMetadata));

describe("the metadata of a source", () => {
  it("has every field if the inspection returned only facts", () => {
    const chapters = [{ title: "The beginning", startSeconds: 0 }];
    const captionLanguages = [{ language: "de", origin: "people" as const }];
    const facts = sampleFacts({ likeCount: 2, chapters, captionLanguages });
    assert.deepStrictEqual(decode(writeMetadata(facts)), {
      platform: "web",
      kind: "video",
      id: null,
      canonicalUrl: "https://example.com/watch/talk",
      siteName: null,
      title: "A talk",
      description: "About things.",
      author: { name: "Example", id: null, url: null },
      stats: { views: 3, likes: 2, comments: null, shares: null },
      tags: [],
      language: null,
      publishedAt: { value: "2024-01-31", precision: "day" },
      modifiedAt: null,
      durationSeconds: 12,
      thumbnailUrl: "https://example.com/talk.jpg",
      chapters,
      captionLanguages,
      links: [],
      structured: [],
      origins: {}
    });
  });

  it("includes the inspection's details, also that no author is named", () => {
    const told = {
      platform: "youtube",
      id: "abc",
      author: null,
      publishedAt: { value: "2024-01-31T23:30:00-08:00", precision: "second" },
      origins: { id: "platform" }
    } as const;
    assert.deepInclude(sourceMetadata(sampleFacts(), told), told);
  });

  it("of a source without a date has none", () => {
    for (const uploadDate of [null, "2024", "in May"]) {
      assert.isNull(sourceMetadata(sampleFacts({ uploadDate })).publishedAt);
    }
  });
});
