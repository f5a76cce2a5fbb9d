/**
 * The `limit` of a list, as it came in the query (specification, "Other limits and constants").
 */
import * as Effect from "effect/Effect";
import { InvalidRequest } from "../api/ApiErrors.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../api/ExtractionsApi.ts";

export const pageLimit = (text: string | undefined): Effect.Effect<number, InvalidRequest> => {
  const limit = Number(text ?? PAGE_LIMIT_DEFAULT);
  return (text === undefined || /^\d{1,3}$/u.test(text)) && limit >= 1 && limit <= PAGE_LIMIT_MAX
    ? Effect.succeed(limit)
    : Effect.fail(
        new InvalidRequest({
          error: {
            message: `\`limit\` must be a whole number from 1 to ${PAGE_LIMIT_MAX}.`,
            details: { param: "limit" }
          }
        })
      );
};
