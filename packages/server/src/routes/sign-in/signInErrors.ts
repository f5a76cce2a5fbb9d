/** Errors of a sign-in: a page for a browser, the error envelope for a program. Pure. */
import type { SignInMethod, SignInRefused } from "@winnow/core/ports/SignInMethod";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { errorResponse } from "../../http/requestMiddleware.ts";
import { choicePage, FORM_PAGE_HEADERS, PAGE_HEADERS, signInPage, type ChoicePage } from "./signInPage.ts";

type Response = HttpServerResponse.HttpServerResponse;

export interface SignInError {
  readonly status: 400 | 401 | 503;
  readonly code: "invalid_request" | "unauthorized" | "internal_error";
  readonly reason: string;
  readonly title: string;
  readonly message: string;
}

export const LINK_USED: SignInError = {
  status: 401,
  code: "unauthorized",
  reason: "link_spent",
  title: "This link was used",
  message:
    "This sign-in link has already been used, or is older than 15 minutes; ask your operator for a new one."
};

export const UNKNOWN_METHOD: SignInError = {
  status: 400,
  code: "invalid_request",
  reason: "unknown_method",
  title: "Unknown sign-in method",
  message: "This server does not offer this sign-in method; start again."
};

export const CHOICE_EXPIRED: SignInError = {
  status: 401,
  code: "unauthorized",
  reason: "choice_expired",
  title: "Sign in again",
  message: "This choice belongs to a sign-in that is over, or older than 10 minutes; sign in again."
};

export const INVITATION_GONE: SignInError = {
  status: 400,
  code: "invalid_request",
  reason: "invitation_gone",
  title: "This invitation is not valid",
  message:
    "The invitation was withdrawn or has expired, or you are already a member of an account; sign in again to see " +
    "what is open to you."
};

export const CROSS_ORIGIN: SignInError = {
  status: 401,
  code: "unauthorized",
  reason: "cross_origin",
  title: "You are not signed in",
  message: "Only pages of this server itself may send this request; open the sign-in page again."
};

/** `who` is the address or name by which the person is known elsewhere. */
export const notAMember = (who: string): SignInError => ({
  status: 401,
  code: "unauthorized",
  reason: "not_a_member",
  title: "You have no account here yet",
  message: `You are signed in as ${who}, who is not a member of any account on this server. Ask a member of an account to invite that e-mail address.`
});

const KINDS = {
  untrusted_proxy: { status: 400, code: "invalid_request" },
  wrong_host: { status: 400, code: "invalid_request" },
  nobody_named: { status: 401, code: "unauthorized" },
  answer_refused: { status: 401, code: "unauthorized" },
  issuer_unreachable: { status: 503, code: "internal_error" }
} as const;

export const signInErrorOf = ({ reason, message }: SignInRefused): SignInError => ({
  ...KINDS[reason],
  reason,
  title: "You are not signed in",
  message
});

export const isBrowser = ({ headers }: HttpServerRequest): boolean =>
  (headers["accept"] ?? "").includes("text/html");

export const pageResponse = (page: string, status = 200): Response =>
  HttpServerResponse.text(page, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: PAGE_HEADERS
  });

export const choiceResponse = (page: ChoicePage, publicUrl: string): Response =>
  HttpServerResponse.text(choicePage(page, publicUrl), {
    contentType: "text/html; charset=utf-8",
    headers: FORM_PAGE_HEADERS
  });

export const signInErrorResponse = (
  request: HttpServerRequest,
  { status, code, reason, title, message }: SignInError,
  { methods, publicUrl }: { readonly methods: ReadonlyArray<SignInMethod>; readonly publicUrl: string }
): Response =>
  isBrowser(request)
    ? pageResponse(signInPage({ title, text: message, methods, to: null }, publicUrl), status)
    : errorResponse(status, { code, message, details: { reason } });
