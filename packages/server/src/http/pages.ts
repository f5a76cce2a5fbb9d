/** Lists in pages: `limit` of the query, and the body of the response. */
import * as Effect from "effect/Effect";
import { InvalidRequest } from "./ApiErrors.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "./openapi/described.ts";

/** A whole number of the query. @fails InvalidRequest {param} */
export const countIn =
  (param: string, { byDefault, max }: { readonly byDefault: number; readonly max: number }) =>
  (text: string | undefined): Effect.Effect<number, InvalidRequest> => {
    const count = Number(text ?? byDefault);
    return (text === undefined || /^\d{1,3}$/u.test(text)) && count >= 1 && count <= max
      ? Effect.succeed(count)
      : Effect.fail(
          new InvalidRequest({
            error: {
              message: `\`${param}\` must be a whole number from 1 to ${max}.`,
              details: { param }
            }
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
