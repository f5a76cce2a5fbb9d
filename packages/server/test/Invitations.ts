/** Invitations and the page on which invited people choose, as a browser uses it. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { SAME_ORIGIN, signedIn } from "./SignedIn.ts";
import { TestApp } from "./TestApp.ts";

/** Invites the address; returns the member item. */
export const invite = Effect.fnUntraced(function* (accountId: string, email: string) {
  const person = yield* signedIn(accountId);
  const { status, json } = yield* person.ask("/v1/members", { body: { email } });
  assert.strictEqual(status, 201);
  return { ...person, member: json };
});

/** The page of the person with this cookie. */
export const choicePage = (cookie: string, headers: Record<string, string> = {}) =>
  TestApp.use(({ call }) => call("/sign-in/choice?to=/app/keys", { headers: { cookie, ...headers } }));

/** The values that the buttons of a page send. */
export const choicesOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/name="choice" value="([^"]*)"/gu)].map(([, value = ""]) => value);

/** Sends one of them. */
export const choose = (cookie: string, choice: string, headers: Record<string, string> = {}) =>
  TestApp.use(({ call }) =>
    call("/sign-in/choice", {
      body: new URLSearchParams({ choice, to: "/app/keys" }).toString(),
      headers: { cookie, "content-type": "application/x-www-form-urlencoded", ...SAME_ORIGIN, ...headers }
    })
  );

/** Uses the only button of its kind. */
export const chooseOnly = Effect.fnUntraced(function* (
  cookie: string,
  verb: string,
  headers: Record<string, string> = {}
) {
  const { status, text } = yield* choicePage(cookie, headers);
  assert.strictEqual(status, 200, text);
  const fitting = choicesOf(text).filter((choice) => choice.split(" ")[0] === verb);
  assert.lengthOf(fitting, 1);
  return yield* choose(cookie, fitting[0] ?? "", headers);
});
