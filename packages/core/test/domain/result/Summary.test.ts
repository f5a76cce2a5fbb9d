import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { contentTypeOf, slideFile, subtitleFile } from "../../../src/domain/result/ArtifactName.ts";
import { RunResult } from "../../../src/domain/run/Extraction.ts";
import { Summary, summaryOf, type Completed } from "../../../src/domain/result/ResultView.ts";
import { sampleExtraction, sampleFacts, sampleRequest, sampleResult } from "@winnow/testing/samples/samples";

const completed = (result: RunResult, over: Partial<Completed> = {}): Completed => ({
  ...sampleExtraction("acc_1", { id: "ext_1", request: sampleRequest({ url: "https://EXAMPLE.com/a" }) }),
  status: "complete",
  result,
  ...over
});

const artifacts = (names: ReadonlyArray<string>): RunResult["artifacts"] =>
  names.map((name) => ({ name, contentType: contentTypeOf(name), sizeBytes: 1 }));

describe("the summary", () => {
  it("of a video has every published field, from reported and measured values", () => {
    const files = [
      "video.mp4",
      "audio.m4a",
      "transcript.txt",
      "subtitles.en.vtt",
      "thumbnail.jpg",
      "description.txt"
    ];
    const result = sampleResult("ext_1", {
      facts: sampleFacts({ durationSeconds: 12, viewCount: 3 }),
      measuredDurationSeconds: 12.018,
      artifacts: artifacts(files)
    });
    assert.deepStrictEqual(summaryOf(completed(result)), {
      runId: "ext_1",
      url: "https://EXAMPLE.com/a",
      title: "A talk",
      uploader: "Example",
      duration: 12,
      description: "About things.",
      thumbnail: "https://example.com/talk.jpg",
      webpage_url: "https://example.com/watch/talk",
      view_count: 3,
      like_count: null,
      comment_count: null,
      upload_date: "20240131",
      durationSeconds: 12.018,
      videoFile: "video.mp4",
      thumbnailFile: "thumbnail.jpg",
      audioFile: "audio.m4a",
      transcriptFile: "transcript.txt",
      commentsFile: null,
      descriptionFile: "description.txt",
      subtitleFiles: ["subtitles.en.vtt"],
      files,
      startedAt: 1_700_000_001_000,
      finishedAt: 1_700_000_002_000
    });
  });

  it("of a photo post lists its slides under files only", () => {
    const files = [slideFile(1, 2), slideFile(2, 2), "thumbnail.jpg"];
    const summary = summaryOf(
      completed(sampleResult("ext_1", { measuredDurationSeconds: null, artifacts: artifacts(files) }))
    );
    assert.deepStrictEqual(summary.files, files);
    assert.deepStrictEqual(summary.subtitleFiles, []);
    assert.isNull(summary.videoFile);
    assert.isNull(summary.durationSeconds);
  });

  it("of a reused result has the id and URLs of the extraction that reuses it", () => {
    const summary = summaryOf(completed(sampleResult("ext_0"), { id: "ext_2", cachedFrom: "ext_0" }));
    assert.strictEqual(summary.runId, "ext_2");
    assert.strictEqual(summary.url, "https://EXAMPLE.com/a");
  });

  it("lists subtitles by their file names", () => {
    const files = ["en", "pt_br"].map(subtitleFile);
    const summary = summaryOf(completed(sampleResult("ext_1", { artifacts: artifacts(files) })));
    assert.deepStrictEqual(summary.subtitleFiles, files);
  });

  it.prop("of any result matches its schema", { result: RunResult }, ({ result }) => {
    assert.isTrue(Schema.is(Summary)(summaryOf(completed(result))));
  });
});
