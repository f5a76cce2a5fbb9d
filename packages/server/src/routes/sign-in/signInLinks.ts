/** Opens the operator's one-time links, and asks first if the browser is signed in to another account. */
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

const linkPage = (
  token: string,
  to: string,
  { from, into }: { readonly from: Account; readonly into: Account }
): ChoicePage => ({
  title: "Switch accounts?",
  paragraphs: [
    `This browser is signed in to “${from.name}”. The link signs in to another account instead.`,
    "Continue only if you asked for this link."
  ],
  action: "sign-in",
  groups: [
    { name: into.name, hint: into.id, buttons: [{ label: "Switch to this account", fields: { token, to } }] }
  ],
  leave: `Stay in “${from.name}”`
});

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

  const follow = Effect.fnUntraced(function* (
    request: HttpServerRequest,
    token: string,
    to: string | undefined
  ) {
    const session = yield* redeem(token, userAgentOf(request));
    if (Option.isSome(session)) return opened(to, session.value, publicUrl);
    return isBrowser(request) && (yield* isSignedIn(request))
      ? redirect(returnPath(to, publicUrl))
      : refused(request, LINK_USED);
  });

  /** A link does not replace the session of another account, which anybody could then cause, without asking. */
  const open = Effect.fnUntraced(function* (
    request: HttpServerRequest,
    token: string,
    to: string | undefined
  ) {
    const account = yield* linkAccount(token);
    const current = yield* currentAccount(request, Option.getOrNull(account)?.id ?? null);
    return Option.isNone(account) || current === null
      ? yield* follow(request, token, to)
      : choiceResponse(linkPage(token, to ?? "", { from: current, into: account.value }), publicUrl);
  });

  const confirm = (request: HttpServerRequest, fields: URLSearchParams) =>
    isSameOrigin(request, publicUrl)
      ? follow(request, fields.get("token") ?? "", fields.get("to") ?? undefined)
      : Effect.succeed(refused(request, CROSS_ORIGIN));

  return { open, confirm };
});
