/** How the handlers of a route are made, and answer: headers, and lists in pages. Tests: submit.test.ts, schemas.test.ts. */
import type { Page } from "@winnow/core/domain/request/Cursor";
import * as Effect from "effect/Effect";
import * as HttpApi from "effect/http-api/HttpApi";
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as HttpEffect from "effect/http/HttpEffect";
import * as HttpServerResponse from "effect/http/HttpServerResponse";

/** The API as far as the handlers of one group know it: all groups are in routes/Api. Unknown fields are refused. */
export const apiOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApi.make("winnow").annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" }).add(group);

/** Sets headers of the current response before the response is known. */
export const setResponseHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  );

/** What was created, or, with a header that says so, what the same request created before. */
export const replayable = <Body>(body: Body, replayed: boolean) =>
  replayed ? HttpApiSchema.withHeaders({ body, headers: { "idempotent-replayed": "true" as const } }) : body;

/** A page as the API tells it. */
export const pageBody = <Row>({ rows, nextCursor }: Page<Row>) => ({
  data: rows,
  has_more: nextCursor !== null,
  next_cursor: nextCursor
});
