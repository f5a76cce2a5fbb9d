/**
 * Converts a body to what would arrive over HTTP: values that JSON omits are dropped, and its depth is limited. Its
 * size is not limited, because it is in memory already.
 */
import * as Effect from "effect/Effect";
import type { InvalidRequest } from "../http/ApiErrors.ts";
import { malformed, parseJson } from "../http/requestBody.ts";

const notJson = () =>
  malformed("The body cannot be serialised as JSON; pass a plain object without cycles or bigints.");

/** @fails InvalidRequest not JSON, or nested too deep */
export const plainBody = (body: unknown): Effect.Effect<unknown, InvalidRequest> =>
  Effect.flatMap(
    Effect.try({ try: () => JSON.stringify(body) as string | undefined, catch: notJson }),
    (text) => (text === undefined ? Effect.fail(notJson()) : parseJson(text))
  );
