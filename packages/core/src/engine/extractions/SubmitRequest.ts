/** What a submit needs before its decision, on its own or as an item of a batch: its request, and the source's facts. */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { RunRequest } from "../../domain/request/RunRequest.ts";
import { readRequest } from "../../domain/run/SubmitBody.ts";
import { seenOf } from "../../domain/source/SourceFacts.ts";
import { isJsonObject } from "../../domain/text/Json.ts";
import { Analyst } from "../../ports/Analyst.ts";
import { Transcriber } from "../../ports/Transcriber.ts";
import { checkGivenSchema, resolveSchema } from "../accounts/Schemas.ts";
import { inspectSource } from "./SourceInspection.ts";
import { resolveStored, storedFacts } from "./StoredSource.ts";
import { eachTime, type Once } from "../Once.ts";
import { withTraceparent } from "./TraceContext.ts";
import { vetWebhookUrl } from "../webhooks/WebhookUrl.ts";

/** @fails BodyRefused by the body alone, and by what this server supports */
export const readSubmit = Effect.fnUntraced(function* (body: unknown) {
  const { model } = yield* Analyst;
  const { model: speechModel } = yield* Transcriber;
  return yield* Effect.fromResult(readRequest(body, { ai: model !== null, speech: speechModel !== null }));
});

/** Content that cannot be inspected is accepted: its run fails with the reason and a refund. */
export const seenAtSubmit = Effect.fnUntraced(function* (accountId: string, request: RunRequest) {
  const stored = yield* storedFacts(accountId, request);
  if (stored !== null) return seenOf(stored);
  const { normalizedUrl, force } = request;
  const nowMs = yield* Clock.currentTimeMillis;
  return yield* inspectSource(accountId, normalizedUrl, force ? { notBeforeMs: nowMs } : {}).pipe(
    Effect.map(seenOf),
    Effect.catchTags({ Failed: () => Effect.succeed(null) })
  );
});

/** The host of `webhookUrl` must be public before anything is debited; normalised so that it can be compared. */
const withVettedWebhook = Effect.fnUntraced(function* (request: RunRequest, once: Once) {
  const { webhookUrl } = request;
  if (webhookUrl === null) return request;
  const vetted = yield* once(`webhookUrl ${webhookUrl}`, vetWebhookUrl("webhookUrl", webhookUrl));
  return { ...request, webhookUrl: vetted };
});

/**
 * Checks the schema and the webhook's host, and looks up the schema of `schemaId` and the extraction of
 * `fromExtraction`; `once` is shared by the items of a batch.
 *
 * @fails NotFound the account has no such schema or extraction
 */
export const resolveSubmit = Effect.fnUntraced(function* (
  accountId: string,
  read: RunRequest,
  once: Once = eachTime
) {
  if (isJsonObject(read.schema)) yield* once(read.schema, checkGivenSchema(read.schema, accountId));
  const resolved = yield* resolveSchema(accountId, yield* withVettedWebhook(read, once), once);
  return yield* withTraceparent(yield* resolveStored(accountId, resolved));
});
