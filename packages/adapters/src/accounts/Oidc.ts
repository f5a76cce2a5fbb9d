/**
 * OpenID Connect: the authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, section 3.1; RFC
 * 9700), with openid-client. The issuer's metadata (Discovery 1.0) is loaded at the first sign-in and again after a
 * failure. If the metadata says so, responses must name the issuer (RFC 9207). Tests: the server's oidc.test.ts.
 */
import { readEmail, readName, type Identity } from "@winnow/core/domain/access/Member";
import { SignInRefused, type SignInStart, type SignInMethod } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Schema from "effect/Schema";
import * as client from "openid-client";

export interface OidcSettings {
  /** The exact issuer identifier. Without TLS only on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which uses PKCE alone. */
  readonly clientSecret: Redacted.Redacted | null;
}

export const OIDC_METHOD = "oidc";

/** Time limit of one request to the issuer. */
const ISSUER_TIMEOUT_SECONDS = 10;

/** State that the browser keeps during the sign-in. */
const Pending = Schema.fromJsonString(
  Schema.Struct({ state: Schema.String, nonce: Schema.String, codeVerifier: Schema.String })
);
const readPending = Schema.decodeUnknownOption(Pending);
const writePending = Schema.encodeSync(Pending);

const refused = (message: string) => new SignInRefused({ reason: "answer_refused", message });

const STALE =
  "This sign-in was not started in this browser, is already complete or took too long; start again.";
const UNREACHABLE = "The identity provider does not respond correctly; try again in a moment.";

/** Errors of reaching or parsing the issuer, as opposed to invalid responses. */
const UNREACHABLE_CODES = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON"
]);

const isUnreachable = (error: unknown): boolean =>
  error instanceof client.ClientError ? UNREACHABLE_CODES.has(error.code ?? "") : error instanceof TypeError;

const refusalOf = (error: unknown): SignInRefused => {
  if (error instanceof client.AuthorizationResponseError) {
    return refused(
      error.error === "access_denied"
        ? "You did not allow the sign-in."
        : `The identity provider rejected the sign-in (${error.error}).`
    );
  }
  return isUnreachable(error)
    ? new SignInRefused({ reason: "issuer_unreachable", message: UNREACHABLE })
    : refused("The response of the identity provider is not valid; start again.");
};

/** Details for the server's log that the person need not see. */
const orRefused = <A>(what: string, ask: () => Promise<A>): Effect.Effect<A, SignInRefused> =>
  Effect.tryPromise({ try: ask, catch: (error) => error }).pipe(
    Effect.tapError((error) => Effect.logWarning(`Sign-in: ${what}`, error)),
    Effect.mapError(refusalOf)
  );

const discover = ({ issuer, clientId, clientSecret }: OidcSettings): Promise<client.Configuration> => {
  const url = new URL(issuer);
  const authentication =
    clientSecret === null ? client.None() : client.ClientSecretBasic(Redacted.value(clientSecret));
  const execute = url.protocol === "http:" ? [client.allowInsecureRequests] : [];
  return client.discovery(url, clientId, {}, authentication, { execute, timeout: ISSUER_TIMEOUT_SECONDS });
};

/** OpenID Connect Core 1.0, section 2: at most 255 characters. PostgreSQL stores no NUL and no unpaired surrogate. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** An address counts only if the issuer has verified it. */
const identityOf = (issuer: string, claims: client.IDToken): Identity => ({
  issuer,
  subject: claims.sub,
  email:
    claims["email_verified"] === true && typeof claims["email"] === "string"
      ? readEmail(claims["email"])
      : null,
  name: typeof claims["name"] === "string" ? readName(claims["name"]) : null
});

/** Some issuers omit the address from the token, and return it from the userinfo endpoint. */
const completed = async (
  config: client.Configuration,
  claims: client.IDToken,
  accessToken: string
): Promise<client.IDToken> =>
  claims["email"] !== undefined || config.serverMetadata().userinfo_endpoint === undefined
    ? claims
    : { ...(await client.fetchUserInfo(config, accessToken, claims.sub)), ...claims };

export const makeOidc = (settings: OidcSettings): SignInMethod => {
  let found: client.Configuration | undefined;
  const configuration = orRefused(
    "the issuer's description cannot be read",
    async () => (found ??= await discover(settings))
  );

  const begin: SignInMethod["begin"] = Effect.fnUntraced(function* ({ callbackUrl }) {
    const config = yield* configuration;
    const pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier()
    };
    const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(pending.codeVerifier));
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callbackUrl,
      scope: "openid email profile",
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: challenge,
      code_challenge_method: "S256"
    });
    return { _tag: "Away", url: url.href, pending: writePending(pending) } satisfies SignInStart;
  });

  const finish: SignInMethod["finish"] = Effect.fnUntraced(function* (answerUrl, text) {
    const pending = readPending(text);
    if (Option.isNone(pending)) return yield* refused(STALE);
    const { state, nonce, codeVerifier } = pending.value;
    const answer = new URL(answerUrl);
    if (answer.searchParams.get("state") !== state) return yield* refused(STALE);
    const config = yield* configuration;
    return yield* orRefused("the issuer's response was rejected", async () => {
      const tokens = await client.authorizationCodeGrant(config, answer, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true
      });
      const claims = tokens.claims() as client.IDToken;
      if (!SUBJECT.test(claims.sub))
        throw new Error("The token's `sub` is too long or has control characters");
      return identityOf(settings.issuer, await completed(config, claims, tokens.access_token));
    });
  });

  return {
    name: OIDC_METHOD,
    label: new URL(settings.issuer).host,
    issuer: settings.issuer,
    isAutomatic: false,
    begin,
    finish,
    isStill: () => true
  };
};
