/**
 * Handlers of the account's endpoints: decode, call the engine, map.
 */
import { isSafeFileName } from "@winnow/core/domain/ArtifactName";
import { Extractions } from "@winnow/core/engine/Extractions";
import { Probes } from "@winnow/core/engine/Probes";
import { Runs } from "@winnow/core/engine/Runs";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import { Api } from "../api/Api.ts";
import { InvalidRequest } from "../api/ApiErrors.ts";
import { Principal } from "../api/Authorization.ts";
import { makeEvents } from "./EventsHttp.ts";
import { openBody } from "./fileBody.ts";
import { fileResponse } from "./fileResponse.ts";
import { pageLimit } from "./pageLimit.ts";
import { PublicUrl } from "./PublicUrl.ts";
import { invalidRequest, noFile, notFound, probeRefusals, submitRefusals } from "./refusals.ts";
import { readJson } from "./requestBody.ts";
import { extractionDetail, extractionItem, pageOf, resultBody, submitResponse } from "./wire.ts";

const badName = () =>
  new InvalidRequest({
    error: {
      message: "This is no file name; take it from `summary.files` as it is.",
      details: { param: "name" }
    }
  });

/** The name as it was sent, not as a router reads it: `..%2f` must stay visible. */
const fileNameOf = (url: string): Effect.Effect<string, InvalidRequest> =>
  Effect.suspend(() => {
    const sent = /\/extractions\/[^/?#]+\/files\/([^?#]*)/u.exec(url)?.[1] ?? "";
    try {
      const name = decodeURIComponent(sent);
      return isSafeFileName(name) ? Effect.succeed(name) : Effect.fail(badName());
    } catch {
      return Effect.fail(badName());
    }
  });

const make = Effect.gen(function* () {
  const extractions = yield* Extractions;
  const probes = yield* Probes;
  const runs = yield* Runs;
  const artifacts = yield* ArtifactStore;
  const publicUrl = yield* PublicUrl;

  const submit = Effect.fn("http.submit")(function* (request: HttpServerRequest) {
    const { accountId } = yield* Principal;
    const body = yield* readJson(request);
    const key = request.headers["idempotency-key"] ?? null;
    const { extraction, replayed } = yield* extractions
      .submit(accountId, body, key)
      .pipe(Effect.catchTags(submitRefusals));
    const response = submitResponse(extraction);
    return replayed
      ? HttpApiSchema.withHeaders({
          body: response,
          headers: { "idempotent-replayed": "true" as const }
        })
      : response;
  });

  const find = Effect.fnUntraced(function* (id: string) {
    const { accountId } = yield* Principal;
    return yield* extractions.get(accountId, id).pipe(Effect.catchTag("NotFound", notFound));
  });

  const list = Effect.fn("http.list")(function* (query: { limit?: string; cursor?: string }) {
    const { accountId } = yield* Principal;
    const limit = yield* pageLimit(query.limit);
    const page = yield* extractions
      .list(accountId, { limit, cursor: query.cursor ?? null })
      .pipe(Effect.catchTag("InvalidRequest", invalidRequest));
    return pageOf(page.extractions, page.nextCursor, extractionItem);
  });

  const file = Effect.fn("http.file")(function* (id: string, request: HttpServerRequest) {
    const { accountId } = yield* Principal;
    const name = yield* fileNameOf(request.originalUrl);
    const opened = yield* extractions
      .openFile(accountId, id, name)
      .pipe(Effect.catchTag("NotFound", notFound));
    const body = yield* openBody(artifacts, opened.key, opened.artifact.sizeBytes, request);
    if (Option.isNone(body)) return yield* noFile();
    const { range, "if-range": ifRange, "if-none-match": ifNoneMatch } = request.headers;
    return fileResponse(
      opened,
      { method: request.method, range, "if-range": ifRange, "if-none-match": ifNoneMatch },
      body.value
    );
  });

  const probe = Effect.fn("http.probe")(function* (request: HttpServerRequest) {
    const { accountId } = yield* Principal;
    const body = yield* readJson(request);
    return yield* probes.probe(accountId, body).pipe(Effect.catchTags(probeRefusals));
  });

  const cancel = Effect.fn("http.cancel")(function* (id: string) {
    const { accountId } = yield* Principal;
    return yield* Effect.catchTag(runs.cancel(accountId, id), "NotFound", notFound);
  });

  const remove = Effect.fn("http.delete")(function* (id: string) {
    const { accountId } = yield* Principal;
    yield* Effect.catchTag(runs.remove(accountId, id), "NotFound", notFound);
  });

  const events = yield* makeEvents;
  return { submit, find, list, cancel, remove, file, events, probe, publicUrl };
});

export const layer = HttpApiBuilder.group(Api, "extractions", (handlers) =>
  Effect.map(make, ({ submit, find, list, cancel, remove, file, events, probe, publicUrl }) =>
    handlers
      .handleRaw("submit", ({ request }) => submit(request))
      .handleRaw("submitAlias", ({ request }) => submit(request))
      .handle("list", ({ query }) => list(query))
      .handle("get", ({ params }) => Effect.map(find(params.id), extractionDetail))
      .handle("result", ({ params }) =>
        Effect.map(find(params.id), (extraction) => resultBody(extraction, publicUrl))
      )
      .handle("cancel", ({ params }) => Effect.map(cancel(params.id), extractionDetail))
      .handle("delete", ({ params }) => remove(params.id))
      .handle("events", ({ params, request }) => events(params.id, request))
      .handle("file", ({ params, request }) => file(params.id, request))
      .handleRaw("probe", ({ request }) => probe(request))
  )
);
