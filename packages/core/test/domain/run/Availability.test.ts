/** What a run lacks, and what warnings are about. */
import { assert, describe, it } from "@effect/vitest";
import { Failed } from "../../../src/domain/source/Failed.ts";
import * as Schema from "effect/Schema";
import {
  absentOf,
  Coverage,
  NOT_FOUND,
  NOT_READ,
  type Parts,
  type RequestedParts
} from "../../../src/domain/run/Availability.ts";
import { coverageWarnings, refusalOf, type WarningCode } from "../../../src/domain/run/Warnings.ts";
import { MODALITIES, Modality } from "../../../src/domain/source/Modality.ts";
import { SourceKind } from "../../../src/domain/source/SourceFacts.ts";
import { coverageWithout } from "@winnow/testing/samples/samples";

const BY_DEFAULT: RequestedParts = {
  mode: "ai",
  modalities: MODALITIES,
  named: false,
  captions: "any",
  speech: false,
  policy: "fallback",
  language: "sw"
};

type Covered = Partial<Omit<Coverage, "parts">> & { readonly parts?: Partial<Parts> };

const CASES: ReadonlyArray<
  readonly [what: string, kind: SourceKind, asked: Partial<RequestedParts>, Covered, WarningCode[]]
> = [
  [
    "what the source has not",
    "video",
    {},
    { parts: { comments: NOT_FOUND, audio: NOT_FOUND } },
    ["not_found", "not_found"]
  ],
  ["what the kind never has, by default", "webpage", {}, coverageWithout("comments", "audio", "video"), []],
  [
    "what the kind never has, named",
    "photos",
    { named: true },
    coverageWithout("transcript", "audio", "video"),
    ["not_offered", "not_offered", "not_offered"]
  ],
  [
    "a look-up that failed before what is not there",
    "video",
    {},
    {
      parts: {
        transcript: NOT_FOUND,
        comments: {
          state: "lookup_failed",
          failure: new Failed({ reason: "timeout", message: "It took too long." })
        }
      }
    },
    ["lookup_failed", "not_found"]
  ],
  [
    "captions that were asked to be heard",
    "video",
    {},
    { parts: { transcript: NOT_FOUND }, sound: "no_speech" },
    ["speech"]
  ],
  [
    "sound that the model heard itself",
    "video",
    {},
    { parts: { transcript: NOT_FOUND }, sound: "heard" },
    ["speech"]
  ],
  [
    "what the model did not get",
    "video",
    {},
    { parts: { audio: NOT_READ }, slides: { count: 7, unread: 2 } },
    ["not_read", "not_read"]
  ],
  ["another language", "video", {}, { languageMissing: true }, ["other_language"]],
  ["anything else", "video", {}, { remarks: ["image.03.jpg could not be fetched."] }, ["other"]],
  ["nothing under best-effort", "video", { policy: "best-effort" }, { parts: { comments: NOT_FOUND } }, []]
];

describe("the code of a warning", () => {
  it.each(CASES)("tells %s", (_what, kind, asked, covered, codes) => {
    const source = { kind, commentCount: null };
    const found = coverageWithout();
    const coverage = { ...found, ...covered, parts: { ...found.parts, ...covered.parts } };
    const warnings = coverageWarnings(source, { ...BY_DEFAULT, ...asked }, coverage);
    assert.deepStrictEqual(
      warnings.map(({ code }) => code),
      codes
    );
  });
});

describe("a recording without speech", () => {
  const source = { kind: "video", commentCount: null } as const;
  const found = coverageWithout();
  const coverage = {
    ...found,
    parts: { ...found.parts, transcript: NOT_FOUND },
    sound: "no_speech"
  } as const;
  const CHARGE = /charge/u;

  it("is said to be charged by a run that had a price, and by no other", () => {
    const [paid, free] = [true, false].map((isCharged) =>
      coverageWarnings(source, BY_DEFAULT, coverage, isCharged).map(({ message }) => message)
    );
    assert.match(String(paid), CHARGE);
    assert.notMatch(String(free), CHARGE);
    const refused = refusalOf(source, { ...BY_DEFAULT, policy: "strict" }, coverage);
    assert.notMatch(String(refused?.message), CHARGE);
  });
});

describe("a requested part", () => {
  it.prop(
    "that is not found or not read is warned about once, or refused under strict; others are not",
    {
      kind: SourceKind,
      parts: Coverage.fields.parts,
      modalities: Schema.Array(Modality),
      named: Schema.Boolean
    },
    ({ kind, parts, modalities, named }) => {
      const isNew = modalities.some((modality) => parts[modality].state === "not_requested");
      if (isNew) return;
      const source = { kind, commentCount: null };
      const asked = { ...BY_DEFAULT, modalities, named };
      const coverage = { ...coverageWithout(), parts };
      const absent = absentOf(kind, asked, parts);
      assert.lengthOf(coverageWarnings(source, asked, coverage), absent.length);
      const refusal = refusalOf(source, { ...asked, policy: "strict" }, coverage);
      assert.strictEqual(refusal === null, absent.length === 0);
      for (const modality of absent) assert.notStrictEqual(parts[modality].state, "found");
    }
  );
});
