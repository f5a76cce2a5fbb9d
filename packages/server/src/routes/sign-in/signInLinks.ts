/** The operator's one-time links: opening one shows a page, whose button signs in. Tests: signIn.test.ts. */
import type { Account } from "@winnow/core/domain/money/Account";
import { SESSION_COOKIE } from "@winnow/core/domain/access/Session";
import { SignIn } from "@winnow/core/engine/accounts/SignIn";
import { SignInMethods } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import { makeCurrentAccount, userAgentOf } from "./accountChoice.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { isSameOrigin } from "../../http/authentication/webSession.ts";
import {
  choiceResponse,
  CROSS_ORIGIN,
  isBrowser,
  LINK_USED,
  signInErrorResponse,
  type ChoicePage,
  type SignInError
} from "./signInPage.ts";
import { opened, redirect, returnPath } from "./signInRedirect.ts";

/** `from` is the account of the browser's session that the link would replace; null if there is none. */
const linkPage = (
  token: string,
  to: string,
  { from, into }: { readonly from: Account | null; readonly into: Account }
): ChoicePage => {
  const label = from === null ? "Sign in" : "Switch to this account";
  return {
    title: from === null ? "Sign in" : "Switch accounts?",
    paragraphs: [
      ...(from === null
        ? []
        : [`This browser is signed in to “${from.name}”. The link signs in to another account instead.`]),
      "Continue only if you asked for this link. It works once."
    ],
    action: "sign-in",
    groups: [{ name: into.name, hint: into.id, buttons: [{ label, fields: { token, to } }] }],
    leave: from === null ? "Not now" : `Stay in “${from.name}”`
  };
};

export const makeSignInLinks = Effect.gen(function* () {
  const { authenticate, linkAccount, redeem } = yield* SignIn;
  const methods = yield* SignInMethods;
  const publicUrl = yield* PublicUrl;
  const currentAccount = yield* makeCurrentAccount;
  const refused = (request: HttpServerRequest, refusal: SignInError) =>
    signInErrorResponse(request, refusal, { methods, publicUrl });

  /** If a used link is opened again, for example by restored tabs, its session is already there. */
  const isSignedIn = (request: HttpServerRequest) =>
    Effect.map(authenticate(request.cookies[SESSION_COOKIE] ?? ""), Option.isSome);

  const spent = Effect.fnUntraced(function* (request: HttpServerRequest, to: string | undefined) {
    return isBrowser(request) && (yield* isSignedIn(request))
      ? redirect(returnPath(to, publicUrl))
      : refused(request, LINK_USED);
  });

  /** Spends nothing: previews of chats and scanners of mail open links too. */
  const open = Effect.fnUntraced(function* (
    request: HttpServerRequest,
    token: string,
    to: string | undefined
  ) {
    const account = yield* linkAccount(token);
    if (Option.isNone(account)) return yield* spent(request, to);
    const from = yield* currentAccount(request, account.value.id);
    return choiceResponse(linkPage(token, to ?? "", { from, into: account.value }), publicUrl);
  });

  const redeemed = Effect.fnUntraced(function* (request: HttpServerRequest, fields: URLSearchParams) {
    const to = fields.get("to") ?? undefined;
    const session = yield* redeem(fields.get("token") ?? "", userAgentOf(request));
    return Option.isSome(session) ? opened(to, session.value, publicUrl) : yield* spent(request, to);
  });

  const confirm = (request: HttpServerRequest, fields: URLSearchParams) =>
    isSameOrigin(request, publicUrl)
      ? redeemed(request, fields)
      : Effect.succeed(refused(request, CROSS_ORIGIN));

  return { open, confirm };
});
