/**
 * Where sign-in links lead (contract 8, "Admin"), and the other ways of signing in (contract 11).
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { InternalError, InvalidRequest, NotReady, Unauthorized } from "./ApiErrors.ts";
import { SignInMethodList } from "./MemberWire.ts";
import { SignInCookie } from "./sessionHeaders.ts";

const notKept = {
  "cache-control": Schema.Literal("no-store").annotate({ description: "Never cached." }),
  "referrer-policy": Schema.Literal("no-referrer").annotate({
    description: "Keeps the link out of other sites' logs."
  })
};

const to = Schema.optionalKey(
  Schema.String.annotate({
    description:
      "Where to go on to: a path of this server, such as `/app/runs/ext_1`. Anything else leads to the web app."
  })
);

const away = (description: string, location: string) =>
  HttpApiSchema.WithHeaders(HttpApiSchema.Empty(303).annotate({ description }), {
    ...notKept,
    location: Schema.String.annotate({ description: location }),
    "set-cookie": Schema.optionalKey(SignInCookie)
  }).pipe(HttpApiSchema.status(303));

const nothing = HttpApiSchema.WithHeaders(
  HttpApiSchema.NoContent.annotate({ description: "Nothing was redeemed." }),
  notKept
);

const method = {
  method: Schema.String.annotate({ description: "`name` of one of `GET /sign-in/methods`." })
};

export class SignInApi extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("signIn", "/sign-in", {
      query: {
        token: Schema.optionalKey(Schema.String.annotate({ description: "As it is in the link." })),
        to
      },
      success: [away("Signed in.", "The web app."), nothing],
      error: [InvalidRequest, Unauthorized, InternalError, NotReady]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign in with a link",
        description:
          "Redeems a link from the operator, once, sets the cookie of a web session of 30 days and goes on to " +
          "the web app. HEAD and prefetches (`Sec-Purpose: prefetch`) get 204 and redeem nothing. Without a " +
          "token the proxy's header signs in where one is set, else browsers get a page of all ways. To browsers " +
          "(`Accept: text/html`) refusals are pages too."
      })
    ),
    HttpApiEndpoint.get("signInMethods", "/sign-in/methods", {
      success: SignInMethodList,
      error: InternalError
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the ways of signing in",
        description: "For the page of whoever is signed out."
      })
    ),
    HttpApiEndpoint.get("beginSignIn", "/sign-in/:method", {
      params: method,
      query: { to },
      success: [away("Signed in, or off to the issuer.", "The web app, or the issuer."), nothing],
      error: [InvalidRequest, Unauthorized, InternalError, NotReady]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign in another way",
        description:
          "`proxy` signs in whom the operator's proxy names in a header; from an address that is not the proxy's " +
          "it is 400. `oidc` sends the browser to the issuer of OpenID Connect, with state, nonce and PKCE. Who is " +
          "a member of no account is refused, unless sign-up is open."
      })
    ),
    HttpApiEndpoint.get("finishSignIn", "/sign-in/:method/callback", {
      params: method,
      success: [away("Signed in.", "The web app."), nothing],
      error: [InvalidRequest, Unauthorized, InternalError, NotReady]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Come back from the issuer",
        description: "The redirect URI to register with the issuer: `PUBLIC_URL/sign-in/oidc/callback`."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "Signing in to the web app." })) {}
