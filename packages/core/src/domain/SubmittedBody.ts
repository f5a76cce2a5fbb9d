/**
 * The body of a submit, read back (contract 11, "Reads"): submitting it again asks for the same.
 */
import type * as Schema from "effect/Schema";
import type { RunRequest } from "./RunRequest.ts";

export type SubmittedBody = Readonly<Record<string, Schema.Json>>;

/** Of an extraction that is older than the record of its body: the fields that make the same request. */
const madeUp = (request: RunRequest): SubmittedBody => ({
  url: request.url,
  ...(request.schemaOrigin === undefined ? {} : { schemaId: request.schemaOrigin.id }),
  ...(typeof request.schema === "string" ? { schemaId: request.schema } : {}),
  ...(request.mode === "ai" ? { inputs: request.modalities } : { parts: request.modalities }),
  ...(request.prompt === null ? {} : { prompt: request.prompt }),
  policy: request.policy,
  ...(request.language === undefined ? {} : { language: request.language }),
  ...(request.auto ? { auto: true } : {}),
  ...(request.maxSpendCredits === null ? {} : { maxSpendCredits: request.maxSpendCredits }),
  ...(request.force ? { force: true } : {}),
  ...(request.webhookUrl === null ? {} : { webhookUrl: request.webhookUrl })
});

/** As it came; an inline schema is kept once, in the request. */
export const submittedBody = (request: RunRequest): SubmittedBody => {
  const body = request.submitted ?? madeUp(request);
  return request.schema === null || "schemaId" in body ? body : { ...body, schema: request.schema };
};
