/**
 * Handlers of the operator's endpoints.
 */
import type { Account } from "@winnow/core/domain/Account";
import { Accounts } from "@winnow/core/engine/Accounts";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Schema from "effect/Schema";
import * as SchemaIssue from "effect/SchemaIssue";
import { AccountBody, ApiKeyBody, TopUpBody } from "../api/AdminWire.ts";
import { Api } from "../api/Api.ts";
import { InvalidRequest } from "../api/ApiErrors.ts";
import { notFound } from "./refusals.ts";
import { readJson } from "./requestBody.ts";

/** Of a key that was given none. */
const KEY_NAME_DEFAULT = "API key";

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1();

const invalid = (error: Schema.SchemaError): InvalidRequest => {
  const [issue] = issuesOf(error.issue).issues;
  const param = (issue?.path ?? []).map(String).join(".");
  return new InvalidRequest({
    error:
      param === ""
        ? { message: "The body must be a JSON object." }
        : { message: `\`${param}\`: ${issue?.message ?? "is not valid"}.`, details: { param } }
  });
};

const bodyOf = <S extends Schema.ConstraintDecoder<unknown>>(request: HttpServerRequest, schema: S) =>
  Effect.flatMap(readJson(request), (body) =>
    Effect.mapError(Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" })(body), invalid)
  );

const accountResponse = ({ id, name, balance }: Account) => ({ id, name, balance });

export const layer = HttpApiBuilder.group(
  Api,
  "admin",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts;
    return handlers
      .handleRaw("createAccount", ({ request }) =>
        Effect.map(
          Effect.flatMap(bodyOf(request, AccountBody), ({ name }) => accounts.create(name)),
          accountResponse
        )
      )
      .handle("getAccount", ({ params }) =>
        Effect.map(Effect.catchTag(accounts.get(params.id), "NotFound", notFound), accountResponse)
      )
      .handleRaw("createApiKey", ({ params, request }) =>
        Effect.flatMap(bodyOf(request, ApiKeyBody), ({ name }) =>
          Effect.catchTag(accounts.createApiKey(params.id, name ?? KEY_NAME_DEFAULT), "NotFound", notFound)
        )
      )
      .handle("revokeApiKey", ({ params }) =>
        Effect.catchTag(accounts.revokeApiKey(params.id), "NotFound", notFound)
      )
      .handleRaw("topUp", ({ params, request }) =>
        Effect.flatMap(bodyOf(request, TopUpBody), ({ credits }) =>
          Effect.map(
            Effect.catchTag(accounts.topUp(params.id, credits), "NotFound", notFound),
            (balance) => ({ balance })
          )
        )
      );
  })
);
