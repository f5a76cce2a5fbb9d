/**
 * What follows after a person was identified: a session, or a page on which they choose: between invitations, and
 * whether to replace the session of another account in this browser. Nothing is decided for them. Tests: invitations.test.ts.
 */
import type { Identity } from "@winnow/core/domain/access/Member";
import { SignIn, type Welcome } from "@winnow/core/engine/accounts/SignIn";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { SignInMethods } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import { makeLiveSession, personOf, isSameOrigin } from "../../http/authentication/webSession.ts";
import { clearPerson, PERSON_COOKIE, setPerson } from "./signInCookies.ts";
import { publicPath, PublicUrl } from "../../http/PublicUrl.ts";
import {
  choiceResponse,
  CHOICE_EXPIRED,
  CROSS_ORIGIN,
  INVITATION_GONE,
  notAMember,
  signInErrorResponse,
  type PageButton,
  type SignInError
} from "./signInPage.ts";
import { opened, redirect } from "./signInRedirect.ts";

type Request = HttpServerRequest;

const CHOICE = "sign-in/choice";

const nameOf = ({ email, name, subject }: Identity): string => email ?? name ?? subject;

export const userAgentOf = ({ headers }: Request): string | null => headers["user-agent"] ?? null;

/** `current` is the name of the account that this browser is signed in to; null if it is none or the same. */
const pageOf = (identity: Identity, welcome: Welcome, current: string | null, to: string) => {
  const { account, invitations, canSignUp } = welcome;
  const post = (label: string, choice: string): PageButton => ({ label, fields: { choice, to } });
  const own = { name: null, hint: null, buttons: [post("Create an account of your own", "new")] };
  const isInvited = invitations.length > 0;
  return {
    title: isInvited ? "Choose an account" : "Switch accounts?",
    paragraphs: [
      `You are ${nameOf(identity)}.`,
      ...(current === null
        ? []
        : [`This browser is signed in to “${current}”. If you continue, it no longer is.`]),
      ...(isInvited
        ? ["Accept only an invitation that you expect: members of an account see everything in it."]
        : [])
    ],
    action: CHOICE,
    groups: [
      ...(account === null
        ? []
        : [
            { name: account.name, hint: account.id, buttons: [post("Continue to this account", "continue")] }
          ]),
      ...invitations.map(({ id, account: inviting, invitedAtMs }) => ({
        name: inviting.name,
        hint: `${inviting.id}, invited you on ${new Date(invitedAtMs).toISOString().slice(0, 10)}`,
        buttons: [post("Accept", `accept ${id}`), post("Decline", `decline ${id}`)]
      })),
      ...(canSignUp ? [own] : [])
    ],
    leave: current === null ? "Not now" : `Stay in “${current}”`
  };
};

const isEmpty = ({ account, invitations, canSignUp }: Welcome): boolean =>
  account === null && invitations.length === 0 && !canSignUp;

export const makeCurrentAccount = Effect.gen(function* () {
  const liveSession = yield* makeLiveSession;
  const accounts = yield* Accounts;
  /** The account of this browser's session, if it is another one; null otherwise. */
  return Effect.fnUntraced(function* (request: Request, accountId: string | null) {
    const session = yield* liveSession(request);
    if (Option.isNone(session) || session.value.accountId === accountId) return null;
    return yield* Effect.orDie(accounts.get(session.value.accountId));
  });
});

export const makeAccountChoice = Effect.gen(function* () {
  const signIn = yield* SignIn;
  const methods = yield* SignInMethods;
  const publicUrl = yield* PublicUrl;
  const currentAccount = yield* makeCurrentAccount;
  const refused = (request: Request, refusal: SignInError) =>
    signInErrorResponse(request, refusal, { methods, publicUrl });

  const choicePath = (to: string | undefined): string =>
    `${publicPath(publicUrl)}${CHOICE}${to === undefined ? "" : `?to=${encodeURIComponent(to)}`}`;

  /** A person without a choice is signed in; others are asked. */
  const arrive = Effect.fnUntraced(function* (request: Request, identity: Identity, to: string | undefined) {
    const welcome = yield* signIn.welcome(identity);
    if (isEmpty(welcome)) return refused(request, notAMember(nameOf(identity)));
    const current = yield* currentAccount(request, welcome.account?.id ?? null);
    if (current !== null || welcome.invitations.length > 0) {
      return setPerson(redirect(choicePath(to)), yield* signIn.ticketOf(identity), publicUrl);
    }
    const enter = welcome.account === null ? signIn.signUp : signIn.admit;
    return Option.match(yield* enter(identity, userAgentOf(request)), {
      onNone: () => refused(request, notAMember(nameOf(identity))),
      onSome: (session) => opened(to, session, publicUrl)
    });
  });

  /** The person who is choosing; none after a while, or if the proxy names another one now. */
  const chooser = Effect.fnUntraced(function* (request: Request) {
    const identity = yield* signIn.identityOf(request.cookies[PERSON_COOKIE] ?? "");
    return Option.filter(identity, ({ issuer, subject }) =>
      methods.some(
        (method) => method.issuer === issuer && method.isStill(personOf(request, publicUrl), subject)
      )
    );
  });

  const show = Effect.fnUntraced(function* (request: Request, to: string | undefined) {
    const identity = yield* chooser(request);
    if (Option.isNone(identity)) return refused(request, CHOICE_EXPIRED);
    const welcome = yield* signIn.welcome(identity.value);
    if (isEmpty(welcome)) return refused(request, notAMember(nameOf(identity.value)));
    const current = yield* currentAccount(request, welcome.account?.id ?? null);
    return choiceResponse(pageOf(identity.value, welcome, current?.name ?? null, to ?? ""), publicUrl);
  });

  const chosen = (identity: Identity, choice: string, userAgent: string | null) => {
    const [verb, id = ""] = choice.split(" ");
    if (verb === "accept") return signIn.accept(identity, id, userAgent);
    return verb === "new" ? signIn.signUp(identity, userAgent) : signIn.admit(identity, userAgent);
  };

  const choose = Effect.fnUntraced(function* (request: Request, fields: URLSearchParams) {
    if (!isSameOrigin(request, publicUrl)) return refused(request, CROSS_ORIGIN);
    const identity = yield* chooser(request);
    if (Option.isNone(identity)) return refused(request, CHOICE_EXPIRED);
    const [choice, to] = [fields.get("choice") ?? "", fields.get("to") ?? undefined];
    if (choice.startsWith("decline ")) {
      yield* signIn.decline(identity.value, choice.slice("decline ".length));
      return redirect(choicePath(to));
    }
    return Option.match(yield* chosen(identity.value, choice, userAgentOf(request)), {
      onNone: () => refused(request, INVITATION_GONE),
      onSome: (session) => clearPerson(opened(to, session, publicUrl), publicUrl)
    });
  });

  return { arrive, show, choose };
});
