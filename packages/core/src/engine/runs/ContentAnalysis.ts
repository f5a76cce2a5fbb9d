/**
 * The AI pass over the fetched inputs. In order: whether there is enough to read; with `schemaId` "auto", a schema; the
 * analyst's answer, corrected; the evidence of its values; what the caller's rule for evidence takes away; the score.
 * Tests: Attempt.test.ts, MadeSchema.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { artifactOf, isSlideFile, THUMBNAIL_FILE } from "../../domain/result/ArtifactName.ts";
import { metadataText } from "../../domain/result/ArtifactTexts.ts";
import type { Evidence } from "../../domain/evidence/Evidence.ts";
import {
  isUnfounded,
  nulledAt,
  UNFOUNDED,
  unproven,
  unprovenOf
} from "../../domain/evidence/EvidenceRule.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import type { Failed } from "../../domain/source/Failed.ts";
import type { InputText } from "../../domain/text/InputText.ts";
import { grounding } from "../../domain/evidence/Grounding.ts";
import type { Modality } from "../../domain/source/Modality.ts";
import { AUTO_SCHEMA_ID, compileProposal, proposalName } from "../../domain/json-schema/ProposedSchema.ts";
import { qualityOf, type RungQuality } from "../../domain/evidence/RungQuality.ts";
import type { QuotableText, Slices } from "../../domain/evidence/QuoteSearch.ts";
import type { RunRequest } from "../../domain/request/RunRequest.ts";
import type { JsonObject } from "../../domain/json-schema/SchemaRules.ts";
import {
  countWords,
  NOTHING_STRUCTURED,
  NOTHING_TO_READ,
  verdictOf,
  type Verdict,
  isEnough,
  TOO_LITTLE
} from "../../domain/evidence/Verdict.ts";
import { structuredText } from "../../domain/source/StructuredData.ts";
import { present } from "../../domain/text/Json.ts";
import { type Analysis, Analyst, type AnalysisRequest, type Material } from "../../ports/Analyst.ts";
import type { FetchedFile } from "../../ports/Downloader.ts";
import { provenFaults, SchemaChecker } from "../../ports/SchemaChecker.ts";
import { SchemaLibrary } from "../../ports/SchemaLibrary.ts";
import { NO_SLIDES, type SlidesRead } from "../../domain/run/Availability.ts";
import { type Warning, warningsWith } from "../../domain/run/Warnings.ts";
import type { FetchedInputs } from "./InputFetch.ts";
import { spokenLanguage } from "./Speech.ts";

/** A long computation: yields to other fibers after each slice, where it can also be interrupted. */
const runSlices = <A>(slices: Slices<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    for (;;) {
      const { done, value } = slices.next();
      if (done === true) return value;
      yield* Effect.yieldNow;
    }
  });

/** Added to the warnings if the whole page was read instead of its main text, whatever the policy. */
const WHOLE_PAGE_READ =
  "The main text of the page could not be identified reliably, so the language model read the whole page.";

/** Pointers in the warning. */
const NOT_EXACT_NAMED_MAX = 20;

/** For values that are rounded in the result, which no evidence confirms. */
const notExactSentences = (pointers: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (pointers.length === 0) return [];
  const named = pointers.slice(0, NOT_EXACT_NAMED_MAX).join(", ");
  const others = pointers.length - NOT_EXACT_NAMED_MAX;
  const [numbers, their, them] =
    pointers.length === 1 ? ["number", "its", "it"] : ["numbers", "their", "them"];
  return [
    `The ${numbers} at ${named}${others > 0 ? ` and ${others} more` : ""} may differ from the content: ${their} digits ` +
      `do not fit into a JSON number. Declare ${them} as a string in the schema.`
  ];
};

/** A generated schema and its name, from this or an earlier attempt. */
export interface MadeSchema {
  readonly name: string;
  readonly schema: JsonObject;
}

export interface ContentAnalysis {
  readonly verdict: Verdict;
  /** Null unless the outcome is `ok`. */
  readonly evidence: Evidence | null;
  readonly rungQuality: RungQuality;
  /** Inputs that the model does not support. */
  readonly unread: ReadonlyArray<Modality>;
  readonly slides: SlidesRead;
  readonly warnings: ReadonlyArray<Warning>;
  /** Text that the analyst transcribed itself. */
  readonly heard: ReadonlyArray<QuotableText>;
  /** A generated schema to save; null if the request had one. */
  readonly made: MadeSchema | null;
}

/** The id of a generated schema; the same in all attempts of a run. */
export const madeSchemaId = ({ id }: Pick<Extraction, "id">): string => `sch_${id.replace(/^[a-z]+_/u, "")}`;

const withoutCall = (verdict: Verdict, words: number, slides: SlidesRead): ContentAnalysis => ({
  verdict,
  evidence: null,
  rungQuality: { outcome: verdict.outcome, quality: 0, words },
  unread: [],
  slides,
  warnings: [],
  heard: [],
  made: null
});

/** Audio and video if selected; thumbnail and slides always. */
const isMedia = (name: string, inputs: ReadonlyArray<Modality>): boolean => {
  const row = artifactOf(name);
  return row?.readAs === "media" && (row.modality === null || inputs.includes(row.modality));
};

const promptOf = ({ prompt, schemaOrigin }: RunRequest): string | null =>
  prompt ?? schemaOrigin?.prompt ?? null;

/** A retried run uses the schema that an earlier attempt saved; null if none is to be generated. */
const makeSchema = Effect.fn("ContentAnalysis.makeSchema")(function* (
  extraction: Extraction,
  material: Material
) {
  const library = yield* SchemaLibrary;
  const saved = yield* library.get(extraction.accountId, madeSchemaId(extraction));
  if (Option.isSome(saved)) return saved.value satisfies MadeSchema;
  const analyst = yield* Analyst;
  const proposal = yield* analyst.propose(material);
  const schema = compileProposal(proposal.fields);
  if (schema === null) return { unreadSlides: proposal.unreadSlides ?? 0 };
  return { name: proposalName(proposal.name), schema } satisfies MadeSchema;
});

const structuredOf = ({ structured = [] }: FetchedInputs["details"]): ReadonlyArray<InputText> => {
  const text = structuredText(structured);
  return text === null ? [] : [text];
};

/** Comments last, because the source itself is better evidence; what a reader of the page sees comes first. */
const quotableTexts = (
  { details, facts, markdown, texts }: FetchedInputs,
  heard: ReadonlyArray<QuotableText>
): ReadonlyArray<QuotableText> => {
  const isComment = ({ source }: QuotableText): boolean => source === "comments";
  return [
    ...texts.filter((text) => !isComment(text)),
    metadataText(facts),
    ...heard,
    ...structuredOf(details),
    ...texts.filter(isComment),
    ...(markdown === null ? [] : [markdown])
  ];
};

/** Markdown if available, so that the model sees headings, rows and links. */
const textsToRead = ({ details, markdown, texts }: FetchedInputs): ReadonlyArray<InputText> => [
  ...texts.map((text) => (text.source === markdown?.source ? markdown : text)),
  ...structuredOf(details)
];

/** Whether images or audio were read directly; transcribed audio counts as text. */
const isWordless = (
  { inputs, isSoundWritten = false }: Material,
  { unavailable, texts = [] }: Analysis
): boolean => {
  const isRead = (modality: Modality): boolean =>
    inputs.includes(modality) && !unavailable.includes(modality);
  return isRead("video") || (isRead("audio") && texts.length === 0 && !isSoundWritten);
};

/** Includes slides that could not be fetched. */
const slidesRead = ({ facts, files }: FetchedInputs, unsupported: number): SlidesRead => {
  if (facts.kind !== "photos") return NO_SLIDES;
  const fetched = files.filter(({ name }) => isSlideFile(name)).length;
  const count = Math.max(facts.imageCount, fetched);
  return { count, unread: Math.min(count, count - fetched + unsupported) };
};

interface RequestedAnalysis {
  readonly schema: JsonObject;
  readonly evidenceRule: RunRequest["evidence"];
  /** Words in all texts. */
  readonly words: number;
}

/** The verdict after evidence is required of every value. */
const proven = Effect.fnUntraced(function* (
  { schema }: AnalysisRequest,
  verdict: Verdict,
  evidence: Evidence
) {
  const missing = unprovenOf(verdict.extraction, evidence);
  if (missing.size === 0) return verdict;
  const checker = yield* SchemaChecker;
  const extraction = nulledAt(verdict.extraction, missing);
  const isAllowed = yield* checker.validate(schema, extraction).pipe(
    Effect.map((faults) => provenFaults(faults).length === 0),
    Effect.orElseSucceed(() => false)
  );
  return isAllowed ? verdictOf({ ...verdict, extraction }) : unproven(missing);
});

const analyse = Effect.fn("ContentAnalysis.analyse")(function* (
  { fetchedInputs, before }: Pick<ContentAnalysisRequest, "fetchedInputs" | "before">,
  material: Material,
  { schema, evidenceRule, words }: RequestedAnalysis
) {
  const analyst = yield* Analyst;
  const asked: AnalysisRequest = { ...material, schema };
  const analysis = yield* analyst.analyse(asked);
  const claimed = verdictOf(analysis);
  const transcribed = analysis.texts ?? [];
  const texts = quotableTexts(fetchedInputs, transcribed);
  const found =
    claimed.outcome === "ok"
      ? yield* runSlices(grounding(claimed.extraction, analysis.quotes, texts, analysis.inexact))
      : {};
  const checked =
    claimed.outcome === "ok" && evidenceRule === "require" ? yield* proven(asked, claimed, found) : claimed;
  const wordless = isWordless(material, analysis) ? { before: before?.verdict.extraction ?? null } : null;
  const slides = slidesRead(fetchedInputs, analysis.unreadSlides ?? 0);
  const isTextAlone = wordless === null && slides.count === slides.unread;
  const verdict =
    checked.outcome === "ok" && isTextAlone && isUnfounded(schema, claimed.extraction, found)
      ? UNFOUNDED
      : checked;
  const isOk = verdict.outcome === "ok";
  const evidence = isOk ? found : {};
  const { confidence } = analysis;
  const quality = qualityOf(schema, { ...verdict, evidence, confidence, wordless });
  return {
    verdict,
    evidence: isOk ? evidence : null,
    rungQuality: { outcome: verdict.outcome, quality, words: words + countWords(transcribed) },
    unread: analysis.unavailable,
    slides,
    warnings: [
      ...warningsWith("number_not_exact", notExactSentences(analysis.inexact ?? [])),
      ...warningsWith("other", fetchedInputs.wholePage === null ? [] : [WHOLE_PAGE_READ]),
      ...warningsWith("other", analysis.warnings)
    ],
    heard: transcribed
  };
});

export interface ContentAnalysisRequest {
  readonly fetchedInputs: FetchedInputs;
  /** The selected modalities that were fetched. */
  readonly inputs: ReadonlyArray<Modality>;
  /** What the cheaper rung read; null for the first rung. */
  readonly before: ContentAnalysis | null;
}

export const analyseContent = Effect.fn("ContentAnalysis.analyseContent")(function* (
  extraction: Extraction,
  analysis: ContentAnalysisRequest
): Effect.fn.Return<ContentAnalysis, Failed, Analyst | SchemaLibrary | SchemaChecker> {
  const { request } = extraction;
  const { fetchedInputs, inputs } = analysis;
  const { facts, files } = fetchedInputs;
  const texts = textsToRead(fetchedInputs);
  const words = countWords(quotableTexts({ ...fetchedInputs, markdown: null }, []));
  const without = (verdict: Verdict, unreadSlides = 0) =>
    withoutCall(verdict, words, slidesRead(fetchedInputs, unreadSlides));
  if (facts.kind === "video" && inputs.length === 0) return without(NOTHING_TO_READ);
  const media = files.filter(({ name }: FetchedFile) => isMedia(name, inputs));
  const contentMedia = media.filter(({ name }) => name !== THUMBNAIL_FILE);
  if (!isEnough(words, contentMedia.length)) return without(TOO_LITTLE);
  const { evidence: evidenceRule } = request;
  const isSoundWritten = fetchedInputs.coverage.sound === "speech";
  const prompt = promptOf(request);
  const material: Material = {
    facts,
    prompt,
    inputs,
    texts,
    media,
    isSoundWritten,
    spokenLanguage: spokenLanguage(extraction, fetchedInputs.details),
    ...present({ range: request.range })
  };
  if (request.schema !== AUTO_SCHEMA_ID) {
    const schema = request.schema as JsonObject;
    return { ...(yield* analyse(analysis, material, { schema, evidenceRule, words })), made: null };
  }
  const made = yield* makeSchema(extraction, material);
  if ("unreadSlides" in made) return without(NOTHING_STRUCTURED, made.unreadSlides);
  return { ...(yield* analyse(analysis, material, { schema: made.schema, evidenceRule, words })), made };
});
