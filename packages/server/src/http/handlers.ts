/** How the handlers of a route are made, and answer: headers, and lists in pages. */
import { InvalidRequest } from "@winnow/core/domain/request/Refusal";
import * as Effect from "effect/Effect";
import * as HttpApi from "effect/http-api/HttpApi";
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpEffect from "effect/http/HttpEffect";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "./openapi/described.ts";

/** The API as far as the handlers of one group know it: all groups are in routes/Api. Unknown fields are refused. */
export const apiOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApi.make("winnow").annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" }).add(group);

/** Sets headers of the current response before the response is known. */
export const setResponseHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  );

// Lists in pages: `limit` of the query, and the body of the response.

/** A whole number of the query. @fails InvalidRequest {param} */
export const countIn =
  (param: string, { byDefault, max }: { readonly byDefault: number; readonly max: number }) =>
  (text: string | undefined): Effect.Effect<number, InvalidRequest> => {
    const count = Number(text ?? byDefault);
    return (text === undefined || /^\d{1,3}$/u.test(text)) && count >= 1 && count <= max
      ? Effect.succeed(count)
      : Effect.fail(
          new InvalidRequest({
            message: `\`${param}\` must be a whole number from 1 to ${max}.`,
            details: { param }
          })
        );
  };

export const pageLimit = countIn("limit", { byDefault: PAGE_LIMIT_DEFAULT, max: PAGE_LIMIT_MAX });

/** Items of the domain as a page of the API. */
export const pageOf = <A, B>(
  items: ReadonlyArray<A>,
  nextCursor: string | null,
  itemOf: (item: A) => B
): { readonly data: ReadonlyArray<B>; readonly has_more: boolean; readonly next_cursor: string | null } => ({
  data: items.map((item) => itemOf(item)),
  has_more: nextCursor !== null,
  next_cursor: nextCursor
});
