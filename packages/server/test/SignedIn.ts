/**
 * A browser that followed a sign-in link of the operator.
 */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type { CallOptions } from "./ApiCall.ts";
import { ADMIN_TOKEN, PUBLIC_URL, TestApp } from "./TestApp.ts";

const OPERATOR = { authorization: `Bearer ${ADMIN_TOKEN}` };

/** Headers that a browser sends with requests from the server's own pages. */
export const SAME_ORIGIN = { "sec-fetch-site": "same-origin", origin: PUBLIC_URL };

/** Path and query of a new link. */
export const signInPath = Effect.fnUntraced(function* (accountId: string) {
  const { call } = yield* TestApp;
  const path = `/admin/v1/accounts/${accountId}/sign-in-links`;
  const { status, json } = yield* call(path, { method: "POST", headers: OPERATOR });
  assert.strictEqual(status, 201);
  assert.isTrue(json.url.startsWith(`${PUBLIC_URL}/`), json.url);
  return { path: json.url.slice(PUBLIC_URL.length) as string, expiresAt: json.expiresAt as string };
});

/** The cookie of a response, as a browser would send it back. */
export const cookieOf = (headers: Headers): string =>
  (headers.getSetCookie()[0] ?? "").split(";", 1)[0] ?? "";

/** Presses the button of the page that this link shows. */
export const openLink = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  TestApp.use(({ call }) =>
    call("/sign-in", {
      body: path.slice("/sign-in?".length),
      headers: { "content-type": "application/x-www-form-urlencoded", ...SAME_ORIGIN, ...headers }
    })
  );

/** A new session: its cookie, and `ask`, which sends requests with it as a page of the server would. */
export const signedIn = Effect.fnUntraced(function* (accountId: string) {
  const { call } = yield* TestApp;
  const { path } = yield* signInPath(accountId);
  const cookie = cookieOf((yield* openLink(path)).headers);
  const ask = (to: string, options: CallOptions = {}) =>
    call(to, { ...options, headers: { cookie, ...SAME_ORIGIN, ...options.headers } });
  return { cookie, ask };
});

export const signOutEverywhere = (accountId: string) =>
  TestApp.use(({ call }) =>
    call(`/admin/v1/accounts/${accountId}/sessions`, { method: "DELETE", headers: OPERATOR })
  );
