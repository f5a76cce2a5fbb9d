/**
 * A JSON body that is to fit a schema; what does not fit is named, unknown fields included.
 */
import { refuseUnfitText, shown } from "@winnow/core/domain/BodyFields";
import type * as Refusal from "@winnow/core/domain/Refusal";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Schema from "effect/Schema";
import * as SchemaIssue from "effect/SchemaIssue";
import { InvalidRequest } from "../api/ApiErrors.ts";
import { readJson } from "./requestBody.ts";

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1();

const invalid = (error: Schema.SchemaError): InvalidRequest => {
  const [issue] = issuesOf(error.issue).issues;
  const param = shown((issue?.path ?? []).map(String).join("."));
  return new InvalidRequest({
    error:
      param === ""
        ? { message: "The body must be a JSON object." }
        : { message: `\`${param}\`: ${shown(issue?.message ?? "is not valid")}.`, details: { param } }
  });
};

const unfit = ({ message, details }: Refusal.InvalidRequest): InvalidRequest =>
  new InvalidRequest({ error: { code: "invalid_request", message, details } });

/** @fails as readJson, and InvalidRequest {param} for what the schema does not take */
export const decodedBody = <S extends Schema.ConstraintDecoder<unknown>>(
  request: HttpServerRequest,
  schema: S
) =>
  Effect.flatMap(readJson(request), (body) =>
    Effect.tap(
      Effect.mapError(Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" })(body), invalid),
      () => Effect.mapError(Effect.fromResult(refuseUnfitText(body as object)), unfit)
    )
  );
