/** Submit and probe requests. Tests: faults.test.ts, extractionSchema.test.ts. */
import { answerOf, type ApiRequest, type RequestOptions, type Transport } from "../core/request.ts";
import { callOf, type Call } from "../core/call.ts";
import { WinnowError } from "../core/apiError.ts";
import { newIdempotencyKey } from "../core/idempotencyKey.ts";
import { withJsonSchema, type ExtractionSchema } from "../schema/extractionSchema.ts";
import type { Path } from "../core/itemPath.ts";
import type { ProbeBody, SubmitBody, SubmitResponse } from "../generated/types.ts";

/** Fields that depend on each other. */
type Dependent =
  | "url"
  | "fromExtraction"
  | "schema"
  | "schemaId"
  | "inputs"
  | "parts"
  | "auto"
  | "maxSpendCredits";

/** A field that the service refuses; the compiler's error says why. */
type Refused<Field extends keyof SubmitBody, Why extends string> =
  | (SubmitBody[Field] & { readonly [Reason in Why]: never })
  | undefined;

/** A run that reads the content with a schema. */
type AiRun<S> = Pick<SubmitBody, "inputs" | "auto" | "maxSpendCredits"> & {
  readonly parts?: Refused<"parts", "parts are for download-only runs: use inputs">;
} & (WithSchema<S> | WithSchemaId) &
  ({ readonly auto?: false } | Required<Pick<SubmitBody, "maxSpendCredits">>);

interface WithSchema<S> {
  /** Schema of an object. */
  readonly schema: S;
  readonly schemaId?: undefined;
}

interface WithSchemaId extends Required<Pick<SubmitBody, "schemaId">> {
  readonly schema?: undefined;
}

/** A run that only fetches the content. */
interface DownloadRun extends Pick<SubmitBody, "parts" | "maxSpendCredits"> {
  readonly schema?: undefined;
  readonly schemaId?: undefined;
  readonly inputs?: Refused<"inputs", "inputs need a schema or schemaId: use parts">;
  readonly auto?: false;
}

/** A run that fetches its URL. */
interface Fetching {
  readonly url: string;
  readonly fromExtraction?: undefined;
}

/** A run that reads what another one fetched, with a schema. */
interface Again {
  readonly fromExtraction: string;
  readonly url?: Refused<"url", "url and fromExtraction are mutually exclusive">;
}

/** What is fetched or read. */
type Run<S> = (Fetching & (AiRun<S> | DefaultRun<S> | DownloadRun)) | (Again & AiRun<S>);

/** A channel or playlist in a batch, in whose place come items for what it lists. */
interface Listing {
  readonly listingUrl: string;
  /** How many items, from the first: 1 to 200. */
  readonly first: number;
  readonly url?: Refused<"url", "url and listingUrl are mutually exclusive">;
  readonly fromExtraction?: undefined;
}

/** Either, with the service's defaults. */
interface DefaultRun<S> extends Omit<DownloadRun, "schema" | "parts"> {
  readonly schema?: S | undefined;
  readonly parts?: undefined;
}

/**
 * A submit body whose schema is a JSON Schema or a schema of a library (Zod 4, Valibot, ArkType, Effect Schema
 * …). Without `schema` or `schemaId` the run is download-only. The type refuses what the service always refuses:
 * `inputs` or `auto` without a schema, `parts` with one, `auto` without `maxSpendCredits`, `url` beside
 * `fromExtraction`.
 */
export type Submission<S extends ExtractionSchema = ExtractionSchema> = Omit<SubmitBody, Dependent> & Run<S>;

/** The body that will be submitted. */
export type Inquiry<S extends ExtractionSchema = ExtractionSchema> = Omit<ProbeBody, Dependent> & Run<S>;

/** The same fields with `listingUrl` and `first` in place of `url`: a channel or playlist in a batch. */
export type ListingSubmission<S extends ExtractionSchema = ExtractionSchema> = Omit<SubmitBody, Dependent> &
  Listing &
  (AiRun<S> | DefaultRun<S> | DownloadRun);

export interface SubmitOptions extends RequestOptions {
  /** 1 to 255 printable ASCII characters. Generated if absent; the same on every retry. */
  readonly idempotencyKey?: string | undefined;
}

/** A POST whose body may contain a schema; the call rejects if it cannot be converted. */
export const postBody = <A>(
  transport: Transport,
  path: Path,
  body: { readonly schema?: unknown },
  more: Pick<ApiRequest, "headers" | "signal">,
  check: () => void = () => undefined
): Call<A> => {
  const send = async () => {
    check();
    return answerOf<A>(transport, { method: "POST", path, body: withJsonSchema(body), ...more });
  };
  return callOf(send());
};

const checkKey = (idempotencyKey: string): void => {
  if (/^[\x20-\x7e]{1,255}$/u.test(idempotencyKey)) return;
  throw new WinnowError("idempotencyKey must be 1 to 255 printable ASCII characters.");
};

/** With or without a schema. */
type Body = object & { readonly schema?: unknown };

/** A POST with an idempotency key. */
export const postOnce = <A>(
  transport: Transport,
  path: Path,
  body: Body,
  { idempotencyKey = newIdempotencyKey(), signal }: SubmitOptions
): Call<A> => {
  const more = { headers: { "idempotency-key": idempotencyKey }, signal };
  return postBody<A>(transport, path, body, more, () => checkKey(idempotencyKey));
};

export const submit = (
  transport: Transport,
  body: Submission,
  options: SubmitOptions
): Call<SubmitResponse> => postOnce(transport, "/v1/extractions", body, options);
