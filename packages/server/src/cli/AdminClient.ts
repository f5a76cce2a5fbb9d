/** Calls the admin API of a running server and passes on its error messages. */
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import { ACCOUNT_HEADER } from "../http/authentication/accountHeader.ts";
import { originOf, type Settings } from "../settings/Config.ts";
import { readAdminToken, readServerUrl } from "../DataDir.ts";
import { CliFailed } from "./CliFailed.ts";

/** Administrative calls touch one row; if they take longer, the server is not reachable. */
const TIMEOUT_MS = 30_000;

export interface AdminTarget {
  readonly url: Option.Option<string>;
  readonly adminToken: Option.Option<Redacted.Redacted>;
}

export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

class NotReached extends Data.TaggedError("NotReached")<{ readonly cause: unknown }> {}

const tokenOf = (target: AdminTarget, settings: Settings): Effect.Effect<Redacted.Redacted, CliFailed> => {
  const token =
    Option.getOrNull(target.adminToken) ?? settings.adminToken ?? readAdminToken(settings.dataDir);
  return token === null
    ? Effect.fail(
        new CliFailed({
          message:
            `There is no admin token in ${settings.dataDir}: start the server there once, set ` +
            `WINNOW_ADMIN_TOKEN, or pass --admin-token.`
        })
      )
    : Effect.succeed(token);
};

const urlOf = (target: AdminTarget, settings: Settings): string =>
  (
    Option.getOrNull(target.url) ??
    readServerUrl(settings.dataDir) ??
    originOf(settings.host, settings.port)
  ).replace(/\/+$/u, "");

const notWinnow = (url: string, status: number) =>
  new CliFailed({
    message: `${url} returned a ${status} response that is not from Winnow: check the URL.`
  });

/** The server's error message. */
const refusalOf = (url: string, status: number, text: string): CliFailed => {
  try {
    const { error } = JSON.parse(text) as {
      readonly error: { readonly message: unknown; readonly details?: { readonly reason?: unknown } };
    };
    // The server's message names a header, which the user did not type.
    if (error.details?.reason === "unknown_account") {
      return new CliFailed({ message: "There is no such account." });
    }
    if (typeof error.message === "string") return new CliFailed({ message: error.message });
  } catch {
    // Reported below.
  }
  return notWinnow(url, status);
};

/** The decoded response; undefined for 204. `headers` authenticate the request. */
const send = Effect.fn("AdminClient.send")(function* (
  url: string,
  base: "/admin/v1" | "/v1",
  headers: Readonly<Record<string, string>>,
  { method, path, body, idempotencyKey }: Call
) {
  const { status, text } = yield* Effect.tryPromise({
    try: async () => {
      const response = await fetch(`${url}${base}${path}`, {
        method,
        headers: {
          ...headers,
          "content-type": "application/json",
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS)
      });
      return { status: response.status, text: await response.text() };
    },
    catch: (cause) => new NotReached({ cause })
  }).pipe(
    Effect.mapError(
      () => new CliFailed({ message: `No server responds at ${url}; start one with: winnow serve` })
    )
  );
  if (status >= 300) return yield* refusalOf(url, status, text);
  return yield* Effect.try({
    try: () => (text === "" ? undefined : (JSON.parse(text) as unknown)),
    catch: () => notWinnow(url, status)
  });
});

const bearer = (secret: Redacted.Redacted) => ({ authorization: `Bearer ${Redacted.value(secret)}` });

/** The operator's endpoints. */
export const callAdmin = Effect.fnUntraced(function* (
  target: AdminTarget,
  settings: Settings,
  request: Call
) {
  const token = yield* tokenOf(target, settings);
  return yield* send(urlOf(target, settings), "/admin/v1", bearer(token), request);
});

/** The account whose endpoints are called: that of the API key, or with the admin token the named account. */
export type Caller = { readonly apiKey: Redacted.Redacted } | { readonly accountId: string };

/** An account's own endpoints. */
export const callAccount = Effect.fnUntraced(function* (
  target: AdminTarget,
  settings: Settings,
  caller: Caller,
  request: Call
) {
  const headers =
    "apiKey" in caller
      ? bearer(caller.apiKey)
      : { ...bearer(yield* tokenOf(target, settings)), [ACCOUNT_HEADER]: caller.accountId };
  return yield* send(urlOf(target, settings), "/v1", headers, request);
});
