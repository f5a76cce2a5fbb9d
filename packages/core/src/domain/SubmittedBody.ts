/** Reconstructs the body of a submit (contract 11, "Reads"), so that it can be submitted again. */
import type * as Schema from "effect/Schema";
import type { RunRequest } from "./RunRequest.ts";

export type SubmittedBody = Readonly<Record<string, Schema.Json>>;

/** For extractions older than the stored body: the fields that make the same request. */
const reconstructed = (request: RunRequest): SubmittedBody => ({
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

/** The original fields; an inline schema is stored only once, in the request. */
export const submittedBody = (request: RunRequest): SubmittedBody => {
  const body = request.submitted ?? reconstructed(request);
  return request.schema === null || "schemaId" in body ? body : { ...body, schema: request.schema };
};
