/**
 * A body as it would arrive over HTTP: what JSON leaves out is left out, and its limits hold.
 */
import * as Effect from "effect/Effect";
import { InvalidRequest } from "../api/ApiErrors.ts";
import { parseJson } from "../http/requestBody.ts";

const notJson = () => new InvalidRequest({ error: { message: "The body cannot be written as JSON." } });

/** @fails InvalidRequest no JSON, or nested too deep */
export const plainBody = (body: unknown): Effect.Effect<unknown, InvalidRequest> =>
  Effect.flatMap(
    Effect.try({ try: () => JSON.stringify(body) as string | undefined, catch: notJson }),
    (text) => (text === undefined ? Effect.fail(notJson()) : parseJson(text))
  );
