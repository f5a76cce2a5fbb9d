/**
 * An OpenID Connect issuer on loopback: oidc-provider with test users, whose forms are submitted by a program.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as Effect from "effect/Effect";
import { Provider } from "oidc-provider";
import { PUBLIC_URL } from "./TestApp.ts";

export const CLIENT_ID = "winnow";
export const CLIENT_SECRET = "secret-of-the-test-client-0123456789";
export const REDIRECT_URI = `${PUBLIC_URL}/sign-in/oidc/callback`;

/** The user NAME has the address NAME@example.com, which is verified for all but this user. */
export const UNVERIFIED = "unverified";

const makeProvider = (issuer: string) =>
  new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [REDIRECT_URI],
        token_endpoint_auth_method: "client_secret_basic"
      }
    ],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["key of the test"] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        name: `Name of ${sub}`,
        email: `${sub}@example.com`,
        email_verified: sub !== UNVERIFIED
      })
    })
  });

/** Runs until the scope closes. */
export const startIssuer = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", makeProvider(issuer).callback());
    return { issuer, server };
  }),
  ({ server }) =>
    Effect.promise(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    })
);

/** Sends requests with the cookies of one host, as a browser would. */
const jar = () => {
  const cookies = new Map<string, string>();
  return async (url: URL, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) })
    });
    await response.text();
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(cookie) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
};

const STEPS_MAX = 12;

/** Signs in and consents, as a user would; returns the URL to which the issuer redirects the browser. */
export const signInAt = (authorizationUrl: string, person: string): Effect.Effect<URL> =>
  Effect.promise(async () => {
    const ask = jar();
    let url = new URL(authorizationUrl);
    let hasSignedIn = false;
    for (let step = 0; step < STEPS_MAX; step++) {
      const isForm = url.pathname.startsWith("/interaction/");
      const form = hasSignedIn ? { prompt: "consent" } : { prompt: "login", login: person, password: "any" };
      const response = await ask(url, isForm ? form : undefined);
      if (isForm) hasSignedIn = true;
      const location = response.headers.get("location");
      if (location === null) throw new Error(`${response.status} at ${url.pathname}`);
      url = new URL(location, url);
      if (url.href.startsWith(REDIRECT_URI)) return url;
    }
    throw new Error("the issuer never came to an end");
  });
