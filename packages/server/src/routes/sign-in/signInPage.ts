/**
 * The pages of /sign-in in a browser: the available methods, a choice between accounts, or why signing in failed and
 * what to do. No scripts and no untrusted markup. Pure. Tests: signIn.test.ts, oidc.test.ts.
 */
import {
  InvalidRequest,
  NotReady,
  REFUSALS,
  Unauthorized,
  type Refusal
} from "@winnow/core/domain/request/Refusal";
import { ICON_LINK, MARK, PAGE_POLICY, STYLE_ELEMENT } from "../../http/pageStyle.ts";
import { html, type Html } from "../../http/Html.ts";
import { publicPath } from "../../http/PublicUrl.ts";
import type { SignInMethod, SignInRefused } from "@winnow/core/ports/SignInMethod";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { errorResponse } from "../../http/ApiErrors.ts";

interface SignInPage {
  readonly title: string;
  readonly text: string;
  /** In the order of the buttons; each links to `sign-in/NAME`. */
  readonly methods: ReadonlyArray<{ readonly name: string; readonly label: string }>;
  /** Where to redirect afterwards; null for the home page. */
  readonly to: string | null;
}

/** A button that posts the fields; the first of a group with a name is a main one. */
export interface PageButton {
  readonly label: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface ChoicePage {
  readonly title: string;
  readonly paragraphs: ReadonlyArray<string>;
  /** Path below the public URL that the buttons post to. */
  readonly action: string;
  readonly groups: ReadonlyArray<{
    readonly name: string | null;
    readonly hint: string | null;
    readonly buttons: ReadonlyArray<PageButton>;
  }>;
  /** Text of the link to the home page. */
  readonly leave: string;
}

/** In addition to those of our other pages, because this URL may contain a token. */
const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": PAGE_POLICY
};

/** With `no-referrer`, a form would not name its origin. This policy names it, but never the rest of the URL. */
const FORM_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  "referrer-policy": "strict-origin",
  "content-security-policy": PAGE_POLICY.replace("form-action 'none'", "form-action 'self'")
};

const methodPath = (home: string, name: string, to: string | null): string =>
  `${home}sign-in/${name}${to === null ? "" : `?to=${encodeURIComponent(to)}`}`;

const pageOf = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Winnow</title>
        ${ICON_LINK} ${STYLE_ELEMENT}
      </head>
      <body class="alone">
        <main>
          <p class="brand">${MARK} Winnow</p>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.markup;

export const signInPage = ({ title, text, methods, to }: SignInPage, publicUrl: string): string => {
  const home = publicPath(publicUrl);
  return pageOf(
    title,
    html`<p>${text}</p>
      ${methods.map(
        ({ name, label }) =>
          html`<p><a class="button" href="${methodPath(home, name, to)}">Sign in with ${label}</a></p>`
      )}
      <p><a href="${home}">Go to Winnow</a></p>`
  );
};

const button = ({ label, fields }: PageButton, action: string, isMain: boolean): Html =>
  html`<form method="post" action="${action}">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`
    )}
    <button class="button ${isMain ? "main" : ""}">${label}</button>
  </form>`;

const choicePage = ({ title, paragraphs, action, groups, leave }: ChoicePage, publicUrl: string): string => {
  const home = publicPath(publicUrl);
  const target = `${home}${action}`;
  return pageOf(
    title,
    html`${paragraphs.map((text) => html`<p>${text}</p>`)}
      ${groups.map(
        ({ name, hint, buttons }) =>
          html`<div class="choice">
            ${name === null ? null : html`<h2>${name}</h2>`} ${hint === null ? null : html`<p>${hint}</p>`}
            <div class="row">
              ${buttons.map((each, index) => button(each, target, name !== null && index === 0))}
            </div>
          </div>`
      )}
      <p><a href="${home}">${leave}</a></p>`
  );
};

// Errors of a sign-in: a page for a browser, the error envelope for a program. Pure.

type Response = HttpServerResponse.HttpServerResponse;

export interface SignInError {
  readonly title: string;
  readonly refusal: Refusal;
}

export const LINK_USED: SignInError = {
  title: "This link no longer works",
  refusal: new Unauthorized({
    message:
      "This sign-in link has already been used, or is older than 15 minutes; ask your operator for a new one.",
    details: { reason: "link_spent" }
  })
};

export const UNKNOWN_METHOD: SignInError = {
  title: "Unknown sign-in method",
  refusal: new InvalidRequest({
    message: "This server does not offer this sign-in method; start again.",
    details: { reason: "unknown_method" }
  })
};

export const CHOICE_EXPIRED: SignInError = {
  title: "Sign in again",
  refusal: new Unauthorized({
    message: "This choice belongs to a sign-in that is over, or older than 10 minutes; sign in again.",
    details: { reason: "choice_expired" }
  })
};

export const INVITATION_GONE: SignInError = {
  title: "This invitation is not valid",
  refusal: new InvalidRequest({
    message:
      "The invitation was withdrawn or has expired, or you are already a member of an account; sign in again to see " +
      "what is open to you.",
    details: { reason: "invitation_gone" }
  })
};

export const CROSS_ORIGIN: SignInError = {
  title: "You are not signed in",
  refusal: new Unauthorized({
    message: "Only pages of this server itself may send this request; open the sign-in page again.",
    details: { reason: "cross_origin" }
  })
};

/** `who` is the address or name by which the person is known elsewhere. */
export const notAMember = (who: string): SignInError => ({
  title: "You have no account here yet",
  refusal: new Unauthorized({
    message: `You are signed in as ${who}, who is not a member of any account on this server. Ask a member of an account to invite that e-mail address.`,
    details: { reason: "not_a_member" }
  })
});

const KINDS = {
  untrusted_proxy: InvalidRequest,
  wrong_host: InvalidRequest,
  nobody_named: Unauthorized,
  answer_refused: Unauthorized,
  issuer_unreachable: NotReady
} as const;

export const signInErrorOf = ({ reason, message }: SignInRefused): SignInError => ({
  title: "You are not signed in",
  refusal: new KINDS[reason]({ message, details: { reason } })
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
  { title, refusal }: SignInError,
  { methods, publicUrl }: { readonly methods: ReadonlyArray<SignInMethod>; readonly publicUrl: string }
): Response =>
  isBrowser(request)
    ? pageResponse(
        signInPage({ title, text: refusal.message, methods, to: null }, publicUrl),
        REFUSALS[refusal._tag].status
      )
    : errorResponse(refusal);
