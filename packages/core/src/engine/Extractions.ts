/**
 * Submitting work and reading what became of it. Carrying it out is Runs' part.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { cacheKey } from "../domain/CacheKey.ts";
import { pageOf, readCursor } from "../domain/Cursor.ts";
import type { Artifact, Extraction } from "../domain/Extraction.ts";
import { decideIdempotency, readKeyedRequest, type KeyedRequest } from "../domain/Idempotency.ts";
import { IdempotencyConflict, NotFound, type InvalidRequest } from "../domain/Refusal.ts";
import type { RunRequest } from "../domain/RunRequest.ts";
import { isJsonObject } from "../domain/SchemaRules.ts";
import { pricedFacts, UNKNOWN_FACTS } from "../domain/SourceFacts.ts";
import { decideSubmit, type Reuse, type Submitted, type SubmitRefused } from "../domain/Submission.ts";
import { readRequest, type BodyRefused } from "../domain/SubmitBody.ts";
import { Analyst } from "../ports/Analyst.ts";
import type { ArtifactKey } from "../ports/ArtifactStore.ts";
import { Store } from "../ports/Store.ts";
import { WebhookTransport } from "../ports/WebhookTransport.ts";
import { enginePorts, type EnginePorts } from "./EnginePorts.ts";
import { EngineSettings } from "./EngineSettings.ts";
import { isId, makeId } from "./Ids.ts";
import { findReuse, modelOf } from "./Reuse.ts";
import { checkGivenSchema } from "./SchemaCheck.ts";
import { resolveSchema } from "./Schemas.ts";
import { look } from "./SourceLook.ts";
import { tellSubmit } from "./SubmitReport.ts";
import { withTraceparent } from "./TraceContext.ts";
import { vetWebhookUrl } from "./WebhookUrl.ts";

export interface ExtractionPage {
  /** Newest first. */
  readonly extractions: ReadonlyArray<Extraction>;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A file of a complete run and where its bytes lie. */
export interface OpenedFile {
  readonly artifact: Artifact;
  readonly key: ArtifactKey;
}

export class Extractions extends Context.Service<
  Extractions,
  {
    /**
     * Debits and starts, queues, reuses or replays, in one transaction after the look at the source.
     *
     * @fails NotFound the schema of `schemaId`, or the account
     */
    readonly submit: (
      accountId: string,
      body: unknown,
      idempotencyKey: string | null
    ) => Effect.Effect<Submitted, BodyRefused | SubmitRefused | NotFound>;

    readonly get: (accountId: string, id: string) => Effect.Effect<Extraction, NotFound>;

    /** `limit` is positive. */
    readonly list: (
      accountId: string,
      page: { readonly limit: number; readonly cursor: string | null }
    ) => Effect.Effect<ExtractionPage, InvalidRequest>;

    /** @fails NotFound no such extraction, not complete, or no such file among its artifacts */
    readonly openFile: (accountId: string, id: string, name: string) => Effect.Effect<OpenedFile, NotFound>;
  }
>()("@winnow/core/engine/Extractions") {}

/**
 * A replay found before the look at the source, which a retry must not pay for again. The transaction
 * decides once more, for those that come at once.
 */
const findReplay = Effect.fnUntraced(function* (accountId: string, { key, bodyDigest }: KeyedRequest) {
  const store = yield* Store;
  const record = Option.getOrNull(yield* store.getIdempotency(accountId, key));
  if (record?.extractionId == null) return null;
  const extraction = Option.getOrNull(yield* store.getExtraction(accountId, record.extractionId));
  if (extraction === null) return null;
  return decideIdempotency(record, bodyDigest) === "replay"
    ? ({ extraction, replayed: true } satisfies Submitted)
    : yield* new IdempotencyConflict();
});

/** Content that cannot be looked at is accepted: its run fails with the reason and a refund (contract 4). */
const factsAtSubmit = Effect.fnUntraced(function* ({ normalizedUrl, force }: RunRequest) {
  const nowMs = yield* Clock.currentTimeMillis;
  return yield* look(normalizedUrl, force ? { notBeforeMs: nowMs } : {}).pipe(
    Effect.map(pricedFacts),
    Effect.catchTags({ DownloadFailed: () => Effect.succeed(UNKNOWN_FACTS) })
  );
});

/** The host of `webhookUrl` must be public before anything is debited; normalised, so that it is compared. */
const withVettedWebhook = Effect.fnUntraced(function* (request: RunRequest) {
  const { webhookUrl } = request;
  return webhookUrl === null
    ? request
    : { ...request, webhookUrl: yield* vetWebhookUrl("webhookUrl", webhookUrl) };
});

/** Reused when there is a result to reuse, and decided anew when that was deleted meanwhile. */
const decide = Effect.fnUntraced(function* (
  accountId: string,
  request: RunRequest,
  idempotency: KeyedRequest | null
) {
  const store = yield* Store;
  const { waitingMax } = yield* EngineSettings;
  const draft = {
    id: yield* makeId("ext"),
    request,
    cacheKey: cacheKey(accountId, request, yield* modelOf(request)),
    idempotency,
    waitingMax
  };
  const transact = Effect.fnUntraced(function* (reuse: Reuse | null) {
    const query = {
      ...(idempotency === null ? {} : { idempotencyKey: idempotency.key }),
      ...(reuse === null ? {} : { extractionId: reuse.extractionId })
    };
    const pricedFacts = reuse === null ? yield* factsAtSubmit(request) : UNKNOWN_FACTS;
    const nowMs = yield* Clock.currentTimeMillis;
    return yield* store.transact(accountId, query, decideSubmit({ ...draft, reuse, pricedFacts, nowMs }));
  });
  return yield* Effect.catchTag(transact(yield* findReuse(accountId, request)), "ReuseGone", () =>
    Effect.catchTag(transact(null), "ReuseGone", Effect.die)
  );
});

const submit = Effect.fn("Extractions.submit")(function* (
  accountId: string,
  body: unknown,
  idempotencyKey: string | null
): Effect.fn.Return<Submitted, BodyRefused | SubmitRefused | NotFound, EnginePorts | WebhookTransport> {
  const { model } = yield* Analyst;
  const asked = yield* Effect.fromResult(readRequest(body, { aiConfigured: model !== null }));
  const idempotency = yield* Effect.fromResult(readKeyedRequest(idempotencyKey, body));
  const replay = idempotency === null ? null : yield* findReplay(accountId, idempotency);
  if (replay !== null) return replay;
  if (isJsonObject(asked.schema)) yield* checkGivenSchema(asked.schema);
  const resolved = yield* resolveSchema(accountId, yield* withVettedWebhook(asked));
  const request = yield* withTraceparent(resolved);
  return yield* decide(accountId, request, idempotency);
});

const make = Effect.gen(function* () {
  const ports = Context.add(yield* enginePorts, WebhookTransport, yield* WebhookTransport);
  const store = yield* Store;

  const get = Effect.fn("Extractions.get")(function* (accountId: string, id: string) {
    const extraction = isId("ext", id) ? yield* store.getExtraction(accountId, id) : Option.none();
    return yield* Effect.mapError(Effect.fromOption(extraction), () => new NotFound({ what: "extraction" }));
  });

  return Extractions.of({
    submit: (accountId, body, idempotencyKey) =>
      tellSubmit(Effect.provide(submit(accountId, body, idempotencyKey), ports)),
    get,
    list: Effect.fn("Extractions.list")(function* (accountId, { limit, cursor }) {
      const after = yield* Effect.fromResult(readCursor(accountId, cursor, "extractions"));
      const found = yield* store.listExtractions(accountId, { after, limit: limit + 1 });
      const { rows, nextCursor } = pageOf(found, limit, { accountId, list: "extractions" });
      return { extractions: rows, nextCursor };
    }),
    openFile: Effect.fn("Extractions.openFile")(function* (accountId, id, name) {
      const { status, result } = yield* get(accountId, id);
      const artifact = result?.artifacts.find((each) => each.name === name);
      if (status !== "complete" || result === null || artifact === undefined) {
        return yield* new NotFound({ what: "file" });
      }
      return { artifact, key: { ...result.artifactOwner, name } };
    })
  });
});

export const layer: Layer.Layer<Extractions, never, EnginePorts | WebhookTransport> = Layer.effect(
  Extractions,
  make
);
