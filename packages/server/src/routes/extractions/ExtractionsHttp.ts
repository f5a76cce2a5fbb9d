/** Handlers of extractions: decode, call the engine, map. Tests: submit.test.ts, reads.test.ts. */
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import { NO_FILTER } from "@winnow/core/domain/result/ExtractionList";
import type { SubmitBody } from "@winnow/core/domain/run/SubmitBody";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import { submittedBody } from "@winnow/core/domain/request/RunRequest";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Probes } from "@winnow/core/engine/extractions/Probes";
import { Runs } from "@winnow/core/engine/runs/Runs";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Option from "effect/Option";
import { ExtractionsApi, type ListQuery } from "./ExtractionsApi.ts";
import { apiOf, pageBody, replayable } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { makeEvents } from "./EventsHttp.ts";
import { makeFiles } from "../files/FilesHttp.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { readJson } from "../../http/JsonBody.ts";
import { extractionDetail, extractionItem, probeResponse, resultBody } from "./extractionBodies.ts";

/** As long as the source is not looked at again. */
const THUMBNAIL_CACHING = "private, max-age=600";

const make = Effect.gen(function* () {
  const extractions = yield* Extractions;
  const probes = yield* Probes;
  const publicUrl = yield* PublicUrl;

  const submit = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const { accountId, ...submitter } = yield* Principal;
    const body = yield* readJson(request);
    const key = request.headers["idempotency-key"] ?? null;
    const { extraction, replayed } = yield* extractions.submit(accountId, body, key, submitter);
    return replayable({ ...extraction, url: extraction.request.url }, replayed);
  });

  /** The extraction that the path names. */
  const find = Effect.fnUntraced(function* (id: string) {
    const { accountId, read } = yield* Principal;
    const known = read === null ? Option.none() : read.extraction();
    return Option.isSome(known) ? known.value : yield* extractions.get(accountId, id);
  });

  const list = Effect.fnUntraced(function* ({ limit, cursor, since, until, q, ...equal }: ListQuery) {
    const { accountId } = yield* Principal;
    const times = { sinceMs: since ?? null, untilMs: until ?? null };
    const filter = { ...NO_FILTER, ...equal, ...times, text: q ?? null };
    const page = yield* extractions.list(accountId, { filter, limit, cursor });
    const remarks = yield* extractions.remarks(accountId, page.rows);
    const rows = page.rows.map((each) => extractionItem(each, remarks, publicUrl));
    return pageBody({ ...page, rows });
  });

  const detail = Effect.fnUntraced(function* (extraction: Extraction) {
    const remarks = yield* extractions.remarks(extraction.accountId, [extraction]);
    return extractionDetail(extraction, remarks, publicUrl);
  });

  const probe = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const { accountId } = yield* Principal;
    return probeResponse(yield* probes.probe(accountId, yield* readJson(request)), publicUrl);
  });

  return { submit, find, list, detail, probe };
});

export const layer = HttpApiBuilder.group(
  apiOf(ExtractionsApi),
  "extractions",
  Effect.fnUntraced(function* (handlers) {
    const probes = yield* Probes;
    const runs = yield* Runs;
    const publicUrl = yield* PublicUrl;
    const { submit, find, list, detail, probe } = yield* make;
    const { file, archive, createFileLink } = yield* makeFiles(find);
    const events = yield* makeEvents;
    return (
      handlers
        // Raw: a replay is answered before its body is judged, by these fields too (domain/run/SubmitBody).
        .handleRaw("submit", ({ request }) => submit(request))
        .handleRaw("submitAlias", ({ request }) => submit(request))
        .handle("list", ({ query }) => list(query))
        // Polled responses skip encoding through the schema, which would take a fifth of the time.
        .handle("get", ({ params }) =>
          Effect.map(Effect.flatMap(find(params.id), detail), (found) => HttpServerResponse.jsonUnsafe(found))
        )
        .handle("request", ({ params }) =>
          Effect.map(find(params.id), ({ request }) => submittedBody(request) as unknown as SubmitBody)
        )
        .handle("result", ({ params }) =>
          Effect.map(find(params.id), (found) =>
            HttpServerResponse.jsonUnsafe(resultBody(found, publicUrl), {
              status: isTerminal(found.status) ? 200 : 202
            })
          )
        )
        .handle("cancel", ({ params }) =>
          Principal.use(({ accountId }) => Effect.flatMap(runs.cancel(accountId, params.id), detail))
        )
        .handle("delete", ({ params }) => Principal.use(({ accountId }) => runs.remove(accountId, params.id)))
        .handle("events", ({ params }) => events(params.id))
        .handle("archive", ({ params, request }) => archive(params.id, request))
        .handle("createFileLink", ({ params }) => createFileLink(params.id, params.name))
        .handle("file", ({ params, request }) => file(params.id, request))
        .handle("fileOfAnyName", ({ params, request }) => file(params.id, request))
        // Raw: fields without effect on the price are not judged.
        .handleRaw("probe", ({ request }) => probe(request))
        .handle("thumbnail", ({ query: { url = "" } }) =>
          Principal.use(({ accountId }) =>
            Effect.map(probes.thumbnail(accountId, url), (jpeg) =>
              HttpServerResponse.uint8Array(jpeg, {
                contentType: "image/jpeg",
                headers: { "cache-control": THUMBNAIL_CACHING }
              })
            )
          )
        )
    );
  })
);
