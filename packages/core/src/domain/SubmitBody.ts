/**
 * The body of submit and of probe: every rule of the specification's tables and of contract 4, told by
 * the field that breaks it. What needs a look at the source or the account is decided elsewhere.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import * as SchemaIssue from "effect/SchemaIssue";
import { canonical, DEFAULT_INPUTS, DEFAULT_PARTS, Modality } from "./Modality.ts";
import { InvalidRequest, type InvalidUrl, type UnsupportedUrl } from "./Refusal.ts";
import { Policy, type RunRequest } from "./RunRequest.ts";
import { parseSourceUrl, URL_CHARS_MAX } from "./SourceUrl.ts";

/** Longest inline schema, in bytes of its JSON as UTF-8 (specification, "Limits": 100KB). */
export const SCHEMA_BYTES_MAX = 100 * 1_024;

/** Longest prompt, in bytes of UTF-8 (specification, "Limits": 20KB). */
export const PROMPT_BYTES_MAX = 20 * 1_024;

/** Levels of a body's JSON: deeper than any schema people write, far from what overflows a stack. */
export const BODY_DEPTH_MAX = 100;

const SCHEMA_ID_CHARS_MAX = 200;

const Modalities = Schema.Array(Modality);
const JsonObject = Schema.Record(Schema.String, Schema.Json);
const SchemaId = Schema.NonEmptyString.check(Schema.isMaxLength(SCHEMA_ID_CHARS_MAX));
const Ignored = Schema.optionalKey(Schema.Json);

/** Body of `POST /v1/extractions` (specification). Single fields only; see {@link readRequest}. */
export const SubmitBody = Schema.Struct({
  url: Schema.String,
  inputs: Schema.optionalKey(Modalities),
  schemaId: Schema.optionalKey(SchemaId),
  schema: Schema.optionalKey(JsonObject),
  prompt: Schema.optionalKey(Schema.String),
  auto: Schema.optionalKey(Schema.Boolean),
  force: Schema.optionalKey(Schema.Boolean),
  maxSpendCredits: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  policy: Schema.optionalKey(Policy),
  parts: Schema.optionalKey(Modalities),
  webhookUrl: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SubmitBody" });
export type SubmitBody = typeof SubmitBody.Type;

/** Body of `POST /v1/probe`: what bears on the price is checked, the rest may be anything. */
export const ProbeBody = Schema.Struct({
  ...SubmitBody.fields,
  schema: Ignored,
  schemaId: Ignored,
  prompt: Ignored,
  force: Ignored,
  policy: Ignored,
  webhookUrl: Ignored
}).annotate({ identifier: "ProbeBody" });

export type BodyRefused = InvalidRequest | InvalidUrl | UnsupportedUrl;

const refuse = (
  param: string,
  message: string,
  details: Readonly<Record<string, Schema.Json>> = {}
): Result.Result<never, InvalidRequest> =>
  Result.fail(new InvalidRequest({ message, details: { param, ...details } }));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Walks level by level, for a body that is too deep must not overflow the stack here either. */
const isDeeperThan = (value: unknown, levels: number): boolean => {
  let level: ReadonlyArray<unknown> = [value];
  for (let depth = 0; depth < levels; depth++) {
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return level.some((item) => typeof item === "object" && item !== null);
};

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1();

/** Shape of the body, field by field, with the first wrong field named. */
const decode = <S extends Schema.Codec<unknown, unknown> & { readonly fields: Schema.Struct.Fields }>(
  schema: S,
  body: unknown
): Result.Result<S["Type"], InvalidRequest> => {
  if (!isObject(body)) return refuse("body", "The body must be a JSON object.");
  if (isDeeperThan(body, BODY_DEPTH_MAX)) {
    return refuse("body", `The body is nested more than ${BODY_DEPTH_MAX} levels deep.`, {
      reason: "too_deep"
    });
  }
  const unknownField = Object.keys(body).find((field) => !Object.hasOwn(schema.fields, field));
  if (unknownField !== undefined) {
    return refuse(unknownField, `\`${unknownField}\` is not a field of this request.`, {
      reason: "unknown_field"
    });
  }
  return Result.mapError(Schema.decodeUnknownResult(schema)(body), ({ issue }) => {
    const [first] = formatIssue(issue).issues;
    const param = String(first?.path?.[0] ?? "body");
    return new InvalidRequest({
      message: `\`${param}\`: ${first?.message ?? "invalid"}`,
      details: { param }
    });
  });
};

interface Modes {
  readonly hasSchema: boolean;
  readonly inputs: ReadonlyArray<Modality> | undefined;
  readonly parts: ReadonlyArray<Modality> | undefined;
}

/** Mode and modalities of a run, for submit and probe alike. */
const readMode = ({
  hasSchema,
  inputs,
  parts
}: Modes): Result.Result<Pick<RunRequest, "mode" | "modalities">, InvalidRequest> => {
  if (!hasSchema && inputs !== undefined) {
    return refuse("inputs", "`inputs` feed the AI pass: add `schema` or `schemaId`, or use `parts`.", {
      reason: "requires_schema"
    });
  }
  if (!hasSchema) return Result.succeed({ mode: "download", modalities: canonical(parts ?? DEFAULT_PARTS) });
  if (parts !== undefined) {
    return refuse("parts", "`parts` are for download-only runs: use `inputs` beside a schema.", {
      reason: "excluded_by_schema"
    });
  }
  if (inputs?.length === 0) {
    return refuse("inputs", "`inputs` must name at least one input.", { reason: "empty" });
  }
  return Result.succeed({ mode: "ai", modalities: canonical(inputs ?? DEFAULT_INPUTS) });
};

const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

const isWebhookUrl = (text: string): boolean => {
  const url = text.length > URL_CHARS_MAX ? null : URL.parse(text);
  return url !== null && url.protocol === "https:" && url.username === "" && url.password === "";
};

/** Rules over the AI fields of a submit. */
const checkAi = (body: SubmitBody, hasSchema: boolean): Result.Result<void, InvalidRequest> => {
  if (body.schema !== undefined && body.schemaId !== undefined) {
    return refuse("schemaId", "`schema` and `schemaId` exclude each other.", {
      reason: "excluded_by_schema"
    });
  }
  if (body.schema !== undefined && utf8Bytes(JSON.stringify(body.schema)) > SCHEMA_BYTES_MAX) {
    return refuse("schema", `\`schema\` is longer than ${SCHEMA_BYTES_MAX} bytes.`, {
      reason: "too_large",
      maxBytes: SCHEMA_BYTES_MAX
    });
  }
  if (hasSchema && body.prompt !== undefined && utf8Bytes(body.prompt) > PROMPT_BYTES_MAX) {
    return refuse("prompt", `\`prompt\` is longer than ${PROMPT_BYTES_MAX} bytes.`, {
      reason: "too_large",
      maxBytes: PROMPT_BYTES_MAX
    });
  }
  return checkAuto(body.auto === true, hasSchema, body.maxSpendCredits !== undefined);
};

const checkAuto = (
  auto: boolean,
  hasSchema: boolean,
  hasCeiling: boolean
): Result.Result<void, InvalidRequest> => {
  if (auto && !hasSchema) {
    return refuse("auto", "`auto` needs `schema` or `schemaId`.", { reason: "requires_schema" });
  }
  return auto && !hasCeiling
    ? refuse("maxSpendCredits", "`auto` needs `maxSpendCredits`, the most it may cost.", {
        reason: "required_by_auto"
      })
    : Result.succeed(undefined);
};

/**
 * A submit, checked and with its defaults filled in.
 *
 * @fails InvalidRequest `details.param` names the field, `details.reason` the rule
 * @fails InvalidUrl | UnsupportedUrl what the text of `url` tells
 */
export const readRequest = (
  body: unknown,
  { aiConfigured }: { readonly aiConfigured: boolean }
): Result.Result<RunRequest, BodyRefused> =>
  Result.gen(function* () {
    const submit = yield* decode(SubmitBody, body);
    const { submitted, normalized } = yield* parseSourceUrl(submit.url);
    const hasSchema = submit.schema !== undefined || submit.schemaId !== undefined;
    const mode = yield* readMode({ hasSchema, inputs: submit.inputs, parts: submit.parts });
    yield* checkAi(submit, hasSchema);
    if (submit.webhookUrl !== undefined && !isWebhookUrl(submit.webhookUrl)) {
      return yield* refuse("webhookUrl", "`webhookUrl` must be an https URL without credentials.");
    }
    if (hasSchema && !aiConfigured) {
      return yield* refuse(
        submit.schema === undefined ? "schemaId" : "schema",
        "This server has no language model: leave the schema out for a download-only run.",
        { reason: "ai_not_configured" }
      );
    }
    return {
      url: submitted,
      normalizedUrl: normalized,
      ...mode,
      schema: submit.schema ?? submit.schemaId ?? null,
      prompt: hasSchema ? (submit.prompt ?? null) : null,
      policy: submit.policy ?? "fallback",
      auto: submit.auto ?? false,
      maxSpendCredits: submit.maxSpendCredits ?? null,
      force: submit.force ?? false,
      webhookUrl: submit.webhookUrl ?? null
    };
  });

const isPolicy = Schema.is(Policy);
const isJsonObject = Schema.is(JsonObject);

/**
 * The request that a probe stands for. Fields that do not bear on the price are taken where they fit
 * (they tell whether the cache would serve it) and ignored where they do not.
 *
 * @fails as {@link readRequest}, over `url`, `inputs`, `parts`, `auto` and `maxSpendCredits`
 */
export const readProbe = (body: unknown): Result.Result<RunRequest, BodyRefused> =>
  Result.gen(function* () {
    const probe = yield* decode(ProbeBody, body);
    const { submitted, normalized } = yield* parseSourceUrl(probe.url);
    const hasSchema = probe.schema !== undefined || probe.schemaId !== undefined;
    const mode = yield* readMode({ hasSchema, inputs: probe.inputs, parts: probe.parts });
    yield* checkAuto(probe.auto === true, hasSchema, probe.maxSpendCredits !== undefined);
    const schemaId = typeof probe.schemaId === "string" ? probe.schemaId : null;
    return {
      url: submitted,
      normalizedUrl: normalized,
      ...mode,
      schema: isJsonObject(probe.schema) ? probe.schema : schemaId,
      prompt: hasSchema && typeof probe.prompt === "string" ? probe.prompt : null,
      policy: isPolicy(probe.policy) ? probe.policy : "fallback",
      auto: probe.auto ?? false,
      maxSpendCredits: probe.maxSpendCredits ?? null,
      force: probe.force === true,
      webhookUrl: null
    };
  });
