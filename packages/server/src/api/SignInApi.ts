/**
 * Where sign-in links lead (contract 8, "Admin").
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { InternalError, InvalidRequest, Unauthorized } from "./ApiErrors.ts";
import { SetCookie } from "./sessionHeaders.ts";

const notKept = {
  "cache-control": Schema.Literal("no-store").annotate({ description: "Never cached." }),
  "referrer-policy": Schema.Literal("no-referrer").annotate({
    description: "Keeps the link out of other sites' logs."
  })
};

export class SignInApi extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("signIn", "/sign-in", {
      query: {
        token: Schema.optionalKey(Schema.String.annotate({ description: "As it is in the link." })),
        to: Schema.optionalKey(
          Schema.String.annotate({
            description:
              "Where to go on to: a path of this server, such as `/app/runs/ext_1`. Anything else leads to the web app."
          })
        )
      },
      success: [
        HttpApiSchema.WithHeaders(HttpApiSchema.Empty(303).annotate({ description: "Signed in." }), {
          ...notKept,
          location: Schema.String.annotate({ description: "The web app." }),
          "set-cookie": SetCookie
        }).pipe(HttpApiSchema.status(303)),
        HttpApiSchema.WithHeaders(
          HttpApiSchema.NoContent.annotate({ description: "Nothing was redeemed." }),
          notKept
        )
      ],
      error: [InvalidRequest, Unauthorized, InternalError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign in with a link",
        description:
          "Redeems a link from the operator, once, sets the cookie of a web session of 30 days and goes on to " +
          "the web app. HEAD and prefetches (`Sec-Purpose: prefetch`) get 204 and redeem nothing."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "Signing in to the web app." })) {}
