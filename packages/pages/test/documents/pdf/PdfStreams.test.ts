import { assert, describe, it } from "@effect/vitest";
import { areStreamsWithinLimits } from "../../../src/documents/pdf/PdfStreams.ts";
import { PDF_MAPPED_CHARACTERS_MAX, PDF_STREAMS_MAX } from "../../../src/PageLimits.ts";

const isWithin = (objects: ReadonlyArray<string>): boolean =>
  areStreamsWithinLimits(new TextEncoder().encode(objects.join("\n")));

const stream = (content: string): string => `1 0 obj <<>>\nstream\n${content}\nendstream\nendobj`;

describe("the streams of a PDF", () => {
  it("count once each", () => {
    const streams = (count: number) => Array.from({ length: count }, () => stream("q"));
    assert.isTrue(isWithin(streams(PDF_STREAMS_MAX)));
    assert.isFalse(isWithin(streams(PDF_STREAMS_MAX + 1)));
  });

  it("map each character once", () => {
    const last = (PDF_MAPPED_CHARACTERS_MAX / 4).toString(16).padStart(8, "0");
    const map = stream(`1 begincidrange <00000000> <${last}> 0 endcidrange`);
    assert.isTrue(isWithin([map, map, map, map]));
    assert.isFalse(isWithin([map, map, map, map, map]));
  });
});
