/**
 * Which server a command calls and with what it identifies itself, and where both come from: flags, the environment,
 * the stored login, then the data directory of this machine. The only place that decides this.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import { readAdminToken, readServerUrl } from "@winnow/server/DataDir";
import { originOf } from "@winnow/server/settings/Config";
import { CliFailed, EXIT, settingsFromEnvironment } from "../Inputs.ts";
import { WINNOW } from "@winnow/server/programName";
import { readLogin } from "./StoredLogin.ts";

/** What the flags of a command say. */
export interface Target {
  readonly url: Option.Option<string>;
  readonly adminToken?: Option.Option<Redacted.Redacted>;
  readonly apiKey?: Option.Option<Redacted.Redacted>;
  /** The account that the operator acts for. */
  readonly id?: Option.Option<string>;
  /** 0 by default: a command reports at once what is wrong. */
  readonly maxRetries?: number;
}

export type OperatorTarget = Pick<Target, "url" | "adminToken" | "maxRetries">;

/** A value and the flag, variable, command or file that it is from. */
interface Sourced<A> {
  readonly value: A;
  readonly from: string;
}

export interface Connection {
  readonly url: Sourced<string>;
  readonly secret: Sourced<Redacted.Redacted>;
  /** Null for the operator's own endpoints, and with an API key. */
  readonly accountId: string | null;
  readonly isOperator: boolean;
}

const LOGIN = "winnow login";

const given = <A>(option: Option.Option<A> | undefined, from: string): Sourced<A> | null =>
  option === undefined || Option.isNone(option) ? null : { value: option.value, from };

const variable = (name: string): Sourced<string> | null => {
  const value = process.env[name]?.trim() ?? "";
  return value === "" ? null : { value, from: name };
};

const withoutSlash = (url: string): string => url.trim().replace(/\/+$/u, "");

const namedUrl = ({ url }: OperatorTarget): Sourced<string> | null =>
  given(Option.map(url, withoutSlash), "--url") ?? variable("WINNOW_URL");

const storedLogin = Effect.try({ try: readLogin, catch: (error) => error as CliFailed });

/** The server on this machine: the one that runs with this data directory, else the address it would have. */
const localUrl = Effect.map(settingsFromEnvironment, ({ dataDir, host, port }): Sourced<string> => {
  const running = readServerUrl(dataDir);
  return running === null
    ? { value: originOf(host, port), from: "the default" }
    : { value: running, from: dataDir };
});

/** Where `winnow login` logs in if no address is given. */
export const suggestedUrl = Effect.fnUntraced(function* (target: Target) {
  // A new login replaces a file that cannot be read.
  const login = yield* Effect.orElseSucceed(storedLogin, () => null);
  return namedUrl(target) ?? (login === null ? yield* localUrl : { value: login.url, from: LOGIN });
});

const addressOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/** A secret that was found, not given, is sent to no other server than its own. */
const checkBelongs = (
  what: string,
  server: string,
  url: Sourced<string>,
  remedy: string
): Effect.Effect<void, CliFailed> =>
  addressOf(withoutSlash(server)) === addressOf(withoutSlash(url.value))
    ? Effect.void
    : new CliFailed(`${what}, which is not sent to ${url.value} (from ${url.from}): ${remedy}`);

/** With the operator's token. The stored login plays no part. */
export const operatorConnection = Effect.fnUntraced(function* (
  target: OperatorTarget,
  accountId: string | null = null
) {
  const { adminToken, dataDir } = yield* settingsFromEnvironment;
  const fromVariable = adminToken === null ? null : { value: adminToken, from: "WINNOW_ADMIN_TOKEN" };
  const flag = given(target.adminToken, "--admin-token") ?? fromVariable;
  const stored = flag === null ? readAdminToken(dataDir) : null;
  const secret = flag ?? (stored === null ? null : { value: stored, from: dataDir });
  if (secret === null) {
    return yield* new CliFailed(
      `There is no admin token in ${dataDir}: start the server there once, set WINNOW_ADMIN_TOKEN, or pass ` +
        "--admin-token."
    );
  }
  const local = yield* localUrl;
  const url = namedUrl(target) ?? local;
  if (flag === null) {
    const what = `${dataDir} has the admin token of ${local.value}`;
    yield* checkBelongs(what, local.value, url, "pass --admin-token, or set WINNOW_ADMIN_TOKEN.");
  }
  return { url, secret, accountId, isOperator: true };
});

/**
 * For the endpoints of an account. A given key takes precedence, then an account that the operator names, then the key
 * of the environment, then the stored one.
 */
export const accountConnection = Effect.fnUntraced(function* (target: Target) {
  const flag = given(target.apiKey, "--api-key");
  if (flag === null && target.id !== undefined && Option.isSome(target.id)) {
    return yield* operatorConnection(target, target.id.value);
  }
  const fromVariable = variable("WINNOW_API_KEY");
  const key = flag ?? (fromVariable && { ...fromVariable, value: Redacted.make(fromVariable.value) });
  const named = namedUrl(target);
  // A file that nothing needs is not read: it may be broken.
  const login = named === null || key === null ? yield* storedLogin : null;
  const url = named ?? (login === null ? yield* localUrl : { value: withoutSlash(login.url), from: LOGIN });
  if (key !== null) return { url, secret: key, accountId: null, isOperator: false };
  if (login === null) {
    const account = target.id === undefined ? "" : "Name the account (acc_...), or ";
    const remedy = `${account}${account === "" ? "R" : "r"}un ${WINNOW} login, pass --api-key, or set WINNOW_API_KEY.`;
    return yield* new CliFailed(`There is no API key. ${remedy}`, EXIT.refused);
  }
  const remedy = `pass --api-key, set WINNOW_API_KEY, or run ${WINNOW} login --url with that address.`;
  yield* checkBelongs(`winnow login stored a key for ${login.url}`, login.url, url, remedy);
  return { url, secret: { value: login.apiKey, from: LOGIN }, accountId: null, isOperator: false };
});

/** As many characters as lists of keys show. */
const SHOWN_CHARS = 8;

/** "http://… (from WINNOW_URL), key wnw_ab12… (from winnow login)" */
export const describeConnection = ({ url, secret, isOperator }: Connection): string => {
  const key = Redacted.value(secret.value);
  // Whatever else was passed may be another secret.
  const shown =
    key.startsWith("wnw_") && key.length > 2 * SHOWN_CHARS ? ` ${key.slice(0, SHOWN_CHARS)}…` : "";
  const what = isOperator ? "admin token" : `key${shown}`;
  return `${url.value} (from ${url.from}), ${what} (from ${secret.from})`;
};
