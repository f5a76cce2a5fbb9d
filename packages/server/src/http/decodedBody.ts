/** Decodes a JSON body with a schema; errors name the field, including unknown fields. */
import { readFields, rejectUnstorableText, type FieldsSchema } from "@winnow/core/domain/request/BodyFields";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Result from "effect/Result";
import type { InvalidRequest } from "./ApiErrors.ts";
import { invalidRequest } from "./refusals.ts";
import { readJson } from "./requestBody.ts";

/** @fails InvalidRequest {param} for values that do not match the schema */
export const fitting = <S extends FieldsSchema>(
  body: unknown,
  schema: S
): Effect.Effect<S["Type"], InvalidRequest> => {
  const read = Result.gen(function* () {
    const fields = yield* readFields(schema, body);
    yield* rejectUnstorableText(body as object);
    return fields;
  });
  return Effect.catchTag(Effect.fromResult(read), "InvalidRequest", invalidRequest);
};

/** @fails as readJson and {@link fitting} */
export const decodedBody = <S extends FieldsSchema>(request: HttpServerRequest, schema: S) =>
  Effect.flatMap(readJson(request), (body) => fitting(body, schema));
