/**
 * Numbers in a query: the `limit` of a list and the `days` of usage.
 */
import { USAGE_DAYS_DEFAULT, USAGE_DAYS_MAX } from "@winnow/core/domain/run/Usage";
import * as Effect from "effect/Effect";
import { InvalidRequest } from "./ApiErrors.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../routes/extractions/ExtractionsApi.ts";

const countOf =
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

export const pageLimit = countOf("limit", { byDefault: PAGE_LIMIT_DEFAULT, max: PAGE_LIMIT_MAX });

export const usageDaysOf = countOf("days", { byDefault: USAGE_DAYS_DEFAULT, max: USAGE_DAYS_MAX });
