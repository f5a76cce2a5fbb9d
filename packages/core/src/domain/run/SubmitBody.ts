/**
 * The bodies of submit and probe: every rule that the body alone decides, each error naming the field. Rules that
 * depend on the source or the account are checked elsewhere.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { readFields, refuse, rejectUnstorableText } from "../request/BodyFields.ts";
import { EvidenceRule } from "../evidence/EvidenceRule.ts";
import { parseLanguageTag } from "../text/LanguageTag.ts";
import { isJsonObject } from "../text/Json.ts";
import { canonical, DEFAULT_INPUTS, DEFAULT_PARTS, Modality } from "../source/Modality.ts";
import { Captions } from "../source/SourceFacts.ts";
import { type TimeRange, WireRange } from "../source/TimeRange.ts";
import type { InvalidRequest, UrlRefused } from "../request/Refusal.ts";
import { Policy, type RunRequest } from "../request/RunRequest.ts";
import { checkPrompt, checkSchema, JsonObject } from "../json-schema/SchemaRules.ts";
import { parseSourceUrl } from "../url/SourceUrl.ts";

const SCHEMA_ID_CHARS_MAX = 200;

const Modalities = Schema.Array(Modality);
const SchemaId = Schema.NonEmptyString.check(Schema.isMaxLength(SCHEMA_ID_CHARS_MAX));
const NonNegativeInt = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));
const Ignored = Schema.optionalKey(Schema.Json);

/** Body of `POST /v1/extractions`. Single fields only; see {@link readRequest}. */
export const SubmitBody = Schema.Struct({
  url: Schema.String,
  fromExtraction: Schema.optionalKey(Schema.String),
  inputs: Schema.optionalKey(Modalities),
  range: Schema.optionalKey(WireRange),
  schemaId: Schema.optionalKey(SchemaId),
  schema: Schema.optionalKey(JsonObject),
  prompt: Schema.optionalKey(Schema.String),
  auto: Schema.optionalKey(Schema.Boolean),
  force: Schema.optionalKey(Schema.Boolean),
  maxSpendCredits: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  maxCredits: Schema.optionalKey(NonNegativeInt),
  maxAgeSeconds: Schema.optionalKey(NonNegativeInt),
  policy: Schema.optionalKey(Policy),
  evidence: Schema.optionalKey(EvidenceRule),
  language: Schema.optionalKey(Schema.String),
  captions: Schema.optionalKey(Captions),
  speech: Schema.optionalKey(Schema.Boolean),
  parts: Schema.optionalKey(Modalities),
  webhookUrl: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SubmitBody" });
export type SubmitBody = typeof SubmitBody.Type;

/** The same body with `fromExtraction` in place of `url`. */
const AgainBody = Schema.Struct({
  ...SubmitBody.fields,
  url: Schema.optionalKey(Schema.String),
  fromExtraction: Schema.String
});

/** Body of `POST /v1/probe`: fields that affect the price or what is there are validated, the others are not. */
export const ProbeBody = Schema.Struct({
  ...SubmitBody.fields,
  schema: Ignored,
  schemaId: Ignored,
  prompt: Ignored,
  force: Ignored,
  policy: Ignored,
  evidence: Ignored,
  language: Ignored,
  webhookUrl: Ignored
}).annotate({ identifier: "ProbeBody" });

const AgainProbeBody = Schema.Struct({
  ...ProbeBody.fields,
  url: Schema.optionalKey(Schema.String),
  fromExtraction: Schema.String
});

/** Whether the body names an extraction; `url` is required of all others. */
const isAgain = (body: unknown): boolean => isJsonObject(body) && body.fromExtraction !== undefined;

export type BodyRefused = InvalidRequest | UrlRefused;

interface Modes {
  readonly hasSchema: boolean;
  readonly inputs: ReadonlyArray<Modality> | undefined;
  readonly parts: ReadonlyArray<Modality> | undefined;
}

/** Fields that decide about fetching, in the order they are refused. */
const FETCHING = ["url", "force", "language", "captions", "range"] as const;

type SourceFields = Pick<RunRequest, "url" | "normalizedUrl" | "fromExtraction">;

/** Where the content comes from. The URL of `fromExtraction` is known once the extraction was looked up. */
const readSource = (
  body: { readonly [Field in (typeof FETCHING)[number] | "fromExtraction"]?: unknown },
  hasSchema: boolean
): Result.Result<SourceFields, BodyRefused> => {
  const { fromExtraction, url } = body;
  if (typeof fromExtraction !== "string") {
    return Result.map(parseSourceUrl(url as string), ({ submitted, normalized }) => ({
      url: submitted,
      normalizedUrl: normalized,
      fromExtraction: null
    }));
  }
  if (!hasSchema) {
    return refuse("fromExtraction", "`fromExtraction` reads again: add `schema` or `schemaId`.", {
      reason: "requires_schema"
    });
  }
  const excluded = FETCHING.find((name) => body[name] !== undefined && body[name] !== false);
  return excluded === undefined
    ? Result.succeed({ url: "", normalizedUrl: "", fromExtraction: { id: fromExtraction, files: null } })
    : refuse(excluded, `\`${excluded}\` and \`fromExtraction\` are mutually exclusive: nothing is fetched.`, {
        reason: "excluded_by_from_extraction"
      });
};

/** Mode and modalities of a run and whether they were named, for both submit and probe. */
const readMode = ({
  hasSchema,
  inputs,
  parts
}: Modes): Result.Result<Pick<RunRequest, "mode" | "modalities" | "named">, InvalidRequest> => {
  if (!hasSchema && inputs !== undefined) {
    return refuse("inputs", "`inputs` are for AI runs: add `schema` or `schemaId`, or use `parts`.", {
      reason: "requires_schema"
    });
  }
  if (!hasSchema) {
    const modalities = canonical(parts ?? DEFAULT_PARTS);
    return Result.succeed({ mode: "download", modalities, named: parts !== undefined });
  }
  if (parts !== undefined) {
    return refuse("parts", "`parts` are for download-only runs: with a schema, use `inputs`.", {
      reason: "excluded_by_schema"
    });
  }
  if (inputs?.length === 0) {
    return refuse("inputs", "`inputs` must name at least one input.", { reason: "empty" });
  }
  const modalities = canonical(inputs ?? DEFAULT_INPUTS);
  return Result.succeed({ mode: "ai", modalities, named: inputs !== undefined });
};

/** Rules for the AI fields of a submit. */
const checkAi = (body: Omit<SubmitBody, "url">, hasSchema: boolean): Result.Result<void, InvalidRequest> => {
  if (body.schema !== undefined && body.schemaId !== undefined) {
    return refuse("schemaId", "`schema` and `schemaId` are mutually exclusive.", {
      reason: "excluded_by_schema"
    });
  }
  if (body.schema !== undefined) {
    const checked = checkSchema(body.schema);
    if (Result.isFailure(checked)) return checked;
  }
  if (hasSchema && body.prompt !== undefined) {
    const checked = checkPrompt(body.prompt);
    if (Result.isFailure(checked)) return checked;
  }
  return checkAuto(body.auto === true, hasSchema, body.maxSpendCredits !== undefined);
};

const checkAuto = (
  auto: boolean,
  hasSchema: boolean,
  hasCeiling: boolean
): Result.Result<void, InvalidRequest> => {
  if (auto && !hasSchema) {
    return refuse("auto", "`auto` requires `schema` or `schemaId`.", { reason: "requires_schema" });
  }
  return auto && !hasCeiling
    ? refuse("maxSpendCredits", "`auto` requires `maxSpendCredits`, the most it may cost.", {
        reason: "required_by_auto"
      })
    : Result.succeed(undefined);
};

/** Value of the request field: null for a range that is the whole video. */
const readRange = (range: WireRange | undefined): Result.Result<TimeRange | null, InvalidRequest> => {
  const { startSec = 0, endSec = null } = range ?? {};
  const isNamed = range === undefined || Object.keys(range).length > 0;
  if (!isNamed || (endSec !== null && endSec <= startSec)) {
    return refuse(
      "range",
      "`range` must begin before it ends: give `startSec`, an `endSec` after it, or both.",
      { reason: "empty" }
    );
  }
  return Result.succeed(startSec === 0 && endSec === null ? null : { startSec, endSec });
};

/** Value of the request field. */
const readLanguage = (language: string | undefined): Result.Result<string | null, InvalidRequest> => {
  const tag = language === undefined ? null : parseLanguageTag(language);
  return tag === null && language !== undefined
    ? refuse("language", "`language` must be a language tag (BCP 47), such as `en` or `pt-BR`.", {
        reason: "invalid_language"
      })
    : Result.succeed(tag);
};

/** Value of the request field: null if it changes nothing. */
const evidenceOf = (hasSchema: boolean, evidence: unknown): RunRequest["evidence"] =>
  hasSchema && evidence === "require" ? evidence : null;

/** What this server supports besides downloading. */
export interface Configured {
  readonly ai: boolean;
  readonly speech: boolean;
}

/** Value of the request field: false if no transcript is requested, since it changes nothing then. */
const readSpeech = (
  speech: boolean | undefined,
  modalities: ReadonlyArray<Modality>,
  isConfigured: boolean
): Result.Result<boolean, InvalidRequest> => {
  if (speech !== true) return Result.succeed(false);
  if (!isConfigured) {
    return refuse(
      "speech",
      "This server has no speech model: leave `speech` out, or ask its operator for one.",
      {
        reason: "speech_not_configured"
      }
    );
  }
  return Result.succeed(modalities.includes("transcript"));
};

/** An empty prompt counts as none: it does not override the schema's prompt or change the cache key. */
const promptOf = (prompt: string | undefined): string | null =>
  prompt === undefined || prompt.trim() === "" ? null : prompt;

/**
 * Validates a submit and fills in the defaults.
 *
 * @fails InvalidRequest `details.param` names the field, `details.reason` the rule
 * @fails UrlRefused by the text of `url`
 */
export const readRequest = (body: unknown, configured: Configured): Result.Result<RunRequest, BodyRefused> =>
  Result.gen(function* () {
    const submit = yield* readFields(isAgain(body) ? AgainBody : SubmitBody, body);
    const hasSchema = submit.schema !== undefined || submit.schemaId !== undefined;
    const source = yield* readSource(submit, hasSchema);
    yield* rejectUnstorableText(submit);
    const mode = yield* readMode({ hasSchema, inputs: submit.inputs, parts: submit.parts });
    yield* checkAi(submit, hasSchema);
    if (hasSchema && !configured.ai) {
      return yield* refuse(
        submit.schema === undefined ? "schemaId" : "schema",
        "This server has no language model: leave the schema out for a download-only run.",
        { reason: "ai_not_configured" }
      );
    }
    const range = yield* readRange(submit.range);
    const language = yield* readLanguage(submit.language);
    const speech = yield* readSpeech(submit.speech, mode.modalities, configured.speech);
    const { schema, ...submittedFields } = submit;
    return {
      ...source,
      ...mode,
      range,
      language,
      captions: submit.captions ?? "any",
      speech,
      schema: schema ?? submit.schemaId ?? null,
      schemaOrigin: null,
      prompt: hasSchema ? promptOf(submit.prompt) : null,
      policy: submit.policy ?? "fallback",
      auto: submit.auto ?? false,
      maxSpendCredits: submit.maxSpendCredits ?? null,
      force: submit.force ?? false,
      evidence: evidenceOf(hasSchema, submit.evidence),
      maxCredits: submit.maxCredits ?? null,
      maxAgeSeconds: submit.maxAgeSeconds ?? null,
      webhookUrl: submit.webhookUrl ?? null,
      submitted: submittedFields as RunRequest["submitted"],
      traceparent: null
    };
  });

const isPolicy = Schema.is(Policy);
const isGivenSchema = Schema.is(JsonObject);

/**
 * The request of a probe. Fields that do not affect the price are used if valid (they decide whether a cached
 * result matches) and ignored otherwise.
 *
 * @fails as {@link readRequest}, over `url`, `inputs`, `parts`, `range`, `captions`, `speech`, `auto`,
 * `maxSpendCredits`, `maxCredits` and `maxAgeSeconds`
 */
export const readProbe = (
  body: unknown,
  configured: Pick<Configured, "speech">
): Result.Result<RunRequest, BodyRefused> =>
  Result.gen(function* () {
    const probe = yield* readFields(isAgain(body) ? AgainProbeBody : ProbeBody, body);
    const hasSchema = probe.schema !== undefined || probe.schemaId !== undefined;
    const source = yield* readSource(probe, hasSchema);
    const mode = yield* readMode({ hasSchema, inputs: probe.inputs, parts: probe.parts });
    yield* checkAuto(probe.auto === true, hasSchema, probe.maxSpendCredits !== undefined);
    const schemaId = typeof probe.schemaId === "string" ? probe.schemaId : null;
    const { schema: _schema, ...submittedFields } = probe;
    return {
      ...source,
      ...mode,
      range: yield* readRange(probe.range),
      language: typeof probe.language === "string" ? parseLanguageTag(probe.language) : null,
      captions: probe.captions ?? "any",
      speech: yield* readSpeech(probe.speech, mode.modalities, configured.speech),
      schema: isGivenSchema(probe.schema) ? probe.schema : schemaId,
      schemaOrigin: null,
      prompt: hasSchema && typeof probe.prompt === "string" ? promptOf(probe.prompt) : null,
      policy: isPolicy(probe.policy) ? probe.policy : "fallback",
      auto: probe.auto ?? false,
      maxSpendCredits: probe.maxSpendCredits ?? null,
      force: probe.force === true,
      evidence: evidenceOf(hasSchema, probe.evidence),
      maxCredits: probe.maxCredits ?? null,
      maxAgeSeconds: probe.maxAgeSeconds ?? null,
      webhookUrl: null,
      submitted: submittedFields as RunRequest["submitted"],
      traceparent: null
    };
  });
