/**
 * A browser that signs in with OpenID Connect at one of two issuers, and the app that trusts the first of them.
 */
import { assert } from "@effect/vitest";
import { makeOidc, OIDC_METHOD } from "@winnow/adapters/accounts/Oidc";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { chooseOnly, invite } from "./Invitations.ts";
import { CLIENT_ID, CLIENT_SECRET, signInAt, startIssuer } from "./Issuer.ts";
import { PUBLIC_URL, TestApp } from "./TestApp.ts";

/** Two issuers with the same client: a response of one must not be accepted as the other's. */
export class Issuers extends Context.Service<Issuers, { readonly own: string; readonly other: string }>()(
  "@winnow/server/test/Issuers"
) {}

const issuers = Layer.effect(
  Issuers,
  Effect.gen(function* () {
    return { own: (yield* startIssuer).issuer, other: (yield* startIssuer).issuer };
  })
);

export const app = (isSignUpOpen: boolean) =>
  Layer.unwrap(
    Effect.map(Issuers, ({ own }) =>
      TestApp.with({
        isSignUpOpen,
        signIn: [makeOidc({ issuer: own, clientId: CLIENT_ID, clientSecret: Redacted.make(CLIENT_SECRET) })]
      })
    )
  ).pipe(Layer.provideMerge(issuers));

interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export const COOKIE = "winnow_sign_in";

export const cookieNamed = (headers: Headers, name: string): string | undefined =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(";", 1)[0];

/** Starts a sign-in; returns the issuer's URL, and the cookie that the browser keeps meanwhile. */
export const begin = Effect.fnUntraced(function* (to?: string) {
  const { call } = yield* TestApp;
  const query = to === undefined ? "" : `?to=${encodeURIComponent(to)}`;
  const { status, headers } = yield* call(`/sign-in/${OIDC_METHOD}${query}`);
  assert.strictEqual(status, 303);
  return { url: headers.get("location") ?? "", cookie: cookieNamed(headers, COOKIE) ?? "" };
});

/** Returns to the server with the issuer's response. */
export const comeBack = (answer: URL, cookie: string, headers: Record<string, string> = {}) =>
  TestApp.use(({ call }) => call(answer.href.slice(PUBLIC_URL.length), { headers: { cookie, ...headers } }));

export const signIn = Effect.fnUntraced(function* (person: string, to?: string) {
  const { url, cookie } = yield* begin(to);
  return yield* comeBack(yield* signInAt(url, person), cookie);
});

/** The cookie, with secrets other than those sent to the issuer. */
export const forged = (cookie: string, over: Partial<Pending>): string => {
  const text = Buffer.from(cookie.slice(COOKIE.length + 1), "base64url").toString("utf8");
  const kept = JSON.parse(text) as { readonly pending: string };
  const pending = JSON.stringify({ ...(JSON.parse(kept.pending) as Pending), ...over });
  return `${COOKIE}=${Buffer.from(JSON.stringify({ ...kept, pending })).toString("base64url")}`;
};

export const invited = Effect.fnUntraced(function* (email: string) {
  const { account } = yield* TestApp;
  const { id } = yield* account(0);
  const { member, ...person } = yield* invite(id, email);
  return { ...person, accountId: id, memberId: member.id as string };
});

export const personCookie = (headers: Headers) => cookieNamed(headers, "winnow_person") ?? "";

/** A member, whose address is verified: `NAME@example.com`. */
export const addMember = Effect.fnUntraced(function* (email: string) {
  const owner = yield* invited(email);
  const { headers } = yield* signIn(email.split("@")[0] ?? "");
  assert.strictEqual((yield* chooseOnly(personCookie(headers), "accept")).status, 303);
  return owner;
});

export const accountOf = (headers: Headers) =>
  TestApp.use(({ call }) =>
    Effect.map(
      call("/v1/account", { headers: { cookie: cookieNamed(headers, "winnow_session") ?? "" } }),
      ({ json }) => json.id as string | undefined
    )
  );

export const assertRefused = (answer: { status: number; headers: Headers; json: any }, reason: string) => {
  assert.strictEqual(answer.json?.error.details.reason, reason);
  assert.strictEqual(answer.status, 401);
  assert.isUndefined(cookieNamed(answer.headers, "winnow_session"));
};
