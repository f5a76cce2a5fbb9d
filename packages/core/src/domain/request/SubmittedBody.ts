/** The body of a submit (`GET /v1/extractions/{id}/request`), so that it can be submitted again. */
import type * as Schema from "effect/Schema";
import type { RunRequest } from "./RunRequest.ts";

export type SubmittedBody = Readonly<Record<string, Schema.Json>>;

/** The original fields; an inline schema is stored only once, in the request. */
export const submittedBody = ({ schema, submitted }: RunRequest): SubmittedBody =>
  schema === null || "schemaId" in submitted ? submitted : { ...submitted, schema };
