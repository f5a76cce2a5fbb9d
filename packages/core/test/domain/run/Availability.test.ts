/** What warnings are about. */
import { assert, describe, it } from "@effect/vitest";
import {
  NOTHING_MISSING,
  type RequestedParts,
  type Shortfall
} from "../../../src/domain/run/Availability.ts";
import { shortfallWarnings, type WarningCode } from "../../../src/domain/run/Warnings.ts";
import { MODALITIES } from "../../../src/domain/source/Modality.ts";
import type { SourceKind } from "../../../src/domain/source/SourceFacts.ts";

const BY_DEFAULT: RequestedParts = {
  mode: "ai",
  modalities: MODALITIES,
  named: false,
  policy: "fallback",
  language: "sw"
};

const CASES: ReadonlyArray<
  readonly [what: string, kind: SourceKind, asked: Partial<RequestedParts>, Partial<Shortfall>, WarningCode[]]
> = [
  ["what the source has not", "video", {}, { notFound: ["comments", "audio"] }, ["not_found", "not_found"]],
  ["what the kind never has, by default", "webpage", {}, {}, []],
  [
    "what the kind never has, named",
    "photos",
    { named: true },
    {},
    ["not_offered", "not_offered", "not_offered"]
  ],
  [
    "a look-up that failed before what is not there",
    "video",
    {},
    {
      notFound: ["transcript", "comments"],
      failedLookups: [{ modality: "comments", reason: "timeout", message: "It took too long." }]
    },
    ["lookup_failed", "not_found"]
  ],
  [
    "captions that were asked to be heard",
    "video",
    {},
    { notFound: ["transcript"], sound: "no_speech" },
    ["speech"]
  ],
  [
    "sound that the model heard itself",
    "video",
    {},
    { notFound: ["transcript"], sound: "heard" },
    ["speech"]
  ],
  [
    "what the model did not get",
    "video",
    {},
    { unsupportedByModel: ["audio"], slides: { count: 7, unread: 2 } },
    ["not_read", "not_read"]
  ],
  ["another language", "video", {}, { languageMissing: true }, ["other_language"]],
  ["anything else", "video", {}, { remarks: ["image.03.jpg could not be fetched."] }, ["other"]],
  ["nothing under best-effort", "video", { policy: "best-effort" }, { notFound: ["comments"] }, []]
];

describe("the code of a warning", () => {
  it.each(CASES)("tells %s", (_what, kind, asked, shortfall, codes) => {
    const source = { kind, commentCount: null };
    const warnings = shortfallWarnings(
      source,
      { ...BY_DEFAULT, ...asked },
      { ...NOTHING_MISSING, ...shortfall }
    );
    assert.deepStrictEqual(
      warnings.map(({ code }) => code),
      codes
    );
  });
});
