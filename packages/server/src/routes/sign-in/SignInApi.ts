/** Sign-in links and other sign-in methods. */
import * as Records from "effect/Record";
import * as Schema from "effect/Schema";
import { described, field, titled, TextOrNull } from "../../http/openapi/described.ts";
import { SESSION_COOKIE } from "@winnow/core/domain/access/Session";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { text } from "../../http/parameters.ts";
import { InvalidRequest, NotReady, PayloadTooLarge, Unauthorized } from "../../http/ApiErrors.ts";
import { PENDING_COOKIE, PERSON_COOKIE } from "./signInCookies.ts";

// Wire shapes of signing in: the methods, and the headers that start and end a web session.

export const SetCookie = Schema.String.check(
  Schema.isPattern(new RegExp(`^${SESSION_COOKIE}=`, "u"))
).annotate({
  description: `The cookie \`${SESSION_COOKIE}\`: HttpOnly, SameSite=Lax, and Secure if the public URL is https.`
});

/** The cookie above, or one that is needed during a sign-in. */
const SignInCookie = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?:${SESSION_COOKIE}|${PENDING_COOKIE}|${PERSON_COOKIE})=`, "u"))
).annotate({
  description:
    `The cookie \`${SESSION_COOKIE}\`, or \`${PENDING_COOKIE}\` during a sign-in with OpenID Connect, or ` +
    `\`${PERSON_COOKIE}\` while choosing an account: HttpOnly, SameSite=Lax.`
});

const SignInMethod = described("SignInMethod", "A sign-in method.", {
  name: field(Schema.String, "`/sign-in/NAME` starts it."),
  label: field(Schema.String, 'Completes "Sign in with …".'),
  isAutomatic: field(Schema.Boolean, "Whether it works without any input from the user.")
});

const SignInMethodList = described(
  "SignInMethods",
  "Sign-in methods other than the operator's one-time link.",
  {
    data: field(Schema.Array(SignInMethod), "In display order.", [
      { name: "oidc", label: "login.example", isAutomatic: false }
    ]),
    ownSignIn: field(
      Schema.Boolean,
      "Whether an embedding application handles sign-in; the server then has no sessions or links of its " +
        "own.",
      false
    ),
    signInUrl: field(TextOrNull, "Sign-in page of that application; null if it has not set one.", null)
  }
);

/** Of pages for browsers, see signInPage. */
const PAGE_HEADERS = {
  "Cache-Control": "Pages are not cached.",
  "Referrer-Policy": "Keeps the link out of the logs of other sites.",
  "Content-Security-Policy": "Allows only what this page needs.",
  "X-Content-Type-Options": "Prevents MIME sniffing."
};

const LINK_HEADERS = {
  "cache-control": Schema.Literal("no-store").annotate({ description: "Never cached." }),
  "referrer-policy": Schema.Literal("no-referrer").annotate({ description: PAGE_HEADERS["Referrer-Policy"] })
};

const to = text(
  "Path on this server to redirect to, such as `/app/runs/ext_1`. Anything else redirects to the web app."
);

const away = (description: string, location: string) =>
  HttpApiSchema.WithHeaders(HttpApiSchema.Empty(303).annotate({ description }), {
    ...LINK_HEADERS,
    location: Schema.String.annotate({ description: location }),
    "set-cookie": Schema.optionalKey(SignInCookie)
  }).pipe(HttpApiSchema.status(303));

const nothing = HttpApiSchema.WithHeaders(
  HttpApiSchema.NoContent.annotate({ description: "The token was not redeemed." }),
  LINK_HEADERS
);

const page = (description: string) =>
  HttpApiSchema.WithHeaders(
    Schema.String.annotate({ description }).pipe(HttpApiSchema.asText({ contentType: "text/html" })),
    Records.map(PAGE_HEADERS, (of) => Schema.String.annotate({ description: of }))
  );

const PAGE = { schema: { type: "string", description: "The page, for browsers." } };
const OPTIONAL_HEADERS = Records.map(
  { ...PAGE_HEADERS, "Set-Cookie": "Removes the cookie of the sign-in attempt." },
  (description) => ({ description, required: false, schema: { type: "string" } })
);

/** Browsers get the reason why signing in failed as a page. */
const errorPages = OpenApi.annotations({
  transform: ({ responses, ...operation }) => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries<Record<string, object>>(responses).map(([status, response]) => [
        status,
        Number(status) < 400
          ? response
          : {
              ...response,
              content: { ...response["content"], "text/html": PAGE },
              headers: OPTIONAL_HEADERS
            }
      ])
    )
  })
});

const method = {
  method: Schema.String.annotate({
    description: "`name` of a method from `GET /sign-in/methods`.",
    examples: ["oidc"]
  })
};

export class SignInApi extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("signIn", "/sign-in", {
      query: {
        token: text("Token of the link."),
        to
      },
      success: [
        away("Signed in.", "The web app."),
        nothing,
        page(
          "With a token: a page whose button signs in. Without one, for browsers: a page with all sign-in methods."
        )
      ],
      error: [InvalidRequest, Unauthorized, NotReady]
    })
      .annotateMerge(
        titled(
          "Open a sign-in link",
          "Shows the account of a one-time link from the operator, and a button that sends its token with POST. " +
            "Redeems nothing, because previews and scanners open links too. HEAD and prefetch requests " +
            "(`Sec-Purpose`, `Purpose`, `X-Purpose` or `X-Moz`) return 204. Without a token, the header of the operator's proxy signs in if the server is set up " +
            "for it; otherwise browsers get a page with all sign-in methods. Browsers (`Accept: text/html`) " +
            "get errors as pages too."
        )
      )
      .annotateMerge(errorPages),
    HttpApiEndpoint.post("confirmSignIn", "/sign-in", {
      payload: Schema.Struct({ token: Schema.String.annotate({ examples: ["TOKEN"] }), to }).pipe(
        HttpApiSchema.asFormUrlEncoded()
      ),
      success: [away("Signed in.", "The web app."), nothing],
      error: [InvalidRequest, Unauthorized, PayloadTooLarge, NotReady]
    })
      .annotateMerge(
        titled(
          "Sign in with a link",
          "The form of the page of a link: redeems it, sets the cookie of a 30-day web session, in place of one of " +
            "another account, and redirects to the web app. Only pages of this server itself can send it."
        )
      )
      .annotateMerge(errorPages),
    HttpApiEndpoint.get("signInChoice", "/sign-in/choice", {
      query: { to },
      success: page("The page."),
      error: [InvalidRequest, Unauthorized, NotReady]
    })
      .annotateMerge(
        titled(
          "Choose an account",
          "The page for a person who has signed in with a method and has a choice: between the accounts that " +
            "invited them, or whether to replace the session of another account."
        )
      )
      .annotateMerge(errorPages),
    HttpApiEndpoint.post("chooseAccount", "/sign-in/choice", {
      payload: Schema.Struct({
        choice: Schema.String.annotate({
          examples: ["continue"],
          description:
            "`accept INVITATION`, `decline INVITATION`, `continue` to the own account, or `new` for an account " +
            "of one's own."
        }),
        to
      }).pipe(HttpApiSchema.asFormUrlEncoded()),
      success: [
        away("Signed in, or back to the page after a refusal.", "The web app, or the page."),
        nothing
      ],
      error: [InvalidRequest, Unauthorized, PayloadTooLarge, NotReady]
    })
      .annotateMerge(
        titled(
          "Accept or decline an invitation",
          "The forms of that page. Only pages of this server itself can send them."
        )
      )
      .annotateMerge(errorPages),
    HttpApiEndpoint.get("signInMethods", "/sign-in/methods", {
      success: SignInMethodList
    }).annotateMerge(
      titled("List sign-in methods", "For the sign-in page.", { call: "session.signInMethods" })
    ),
    HttpApiEndpoint.get("beginSignIn", "/sign-in/:method", {
      params: method,
      query: { to },
      success: [away("Signed in, or redirected to the issuer.", "The web app, or the issuer."), nothing],
      error: [InvalidRequest, Unauthorized, NotReady]
    })
      .annotateMerge(
        titled(
          "Sign in with a method",
          "`proxy` signs in the user that the operator's proxy names in a header; requests from other " +
            "addresses than the proxy's, or for another host than the public URL's, return 400. `oidc` redirects " +
            "the browser to the OpenID Connect issuer, with state, nonce and PKCE. Users who are invited choose " +
            "on the page `/sign-in/choice`. Others who are not members of any account are rejected, unless " +
            "sign-up is open."
        )
      )
      .annotateMerge(errorPages),
    HttpApiEndpoint.get("finishSignIn", "/sign-in/:method/callback", {
      params: method,
      success: [away("Signed in.", "The web app."), nothing],
      error: [InvalidRequest, Unauthorized, NotReady]
    })
      .annotateMerge(
        titled(
          "OpenID Connect callback",
          "The redirect URI to register with the issuer: `PUBLIC_URL/sign-in/oidc/callback`."
        )
      )
      .annotateMerge(errorPages)
  )
  .annotateMerge(OpenApi.annotations({ description: "Signing in to the web app." })) {}
