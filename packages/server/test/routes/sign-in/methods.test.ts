import { makeOidc } from "@winnow/adapters/accounts/Oidc";
import { makeProxyHeader } from "@winnow/adapters/accounts/ProxyHeader";
import { suite } from "@winnow/testing/suites/SignInMethodSuite";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, signInAt, startIssuer } from "../../Issuer.ts";
import { PUBLIC_URL } from "../../TestApp.ts";

const request = {
  headers: { host: new URL(PUBLIC_URL).host, "x-forwarded-email": "ada@example.com" },
  remoteAddress: "127.0.0.1",
  publicUrl: PUBLIC_URL,
  callbackUrl: REDIRECT_URI
};

suite(
  "OpenID Connect",
  Effect.map(startIssuer, ({ issuer }) => ({
    method: makeOidc({ issuer, clientId: CLIENT_ID, clientSecret: Redacted.make(CLIENT_SECRET) }),
    request,
    refused: null,
    signInAt: async (url: string) => (await Effect.runPromise(signInAt(url, "ada"))).href
  }))
);

suite(
  "a proxy's header",
  Effect.succeed({
    method: makeProxyHeader({ header: "X-Forwarded-Email", trustedProxies: ["127.0.0.0/8"] }),
    request,
    refused: { ...request, headers: { host: request.headers.host } }
  })
);
