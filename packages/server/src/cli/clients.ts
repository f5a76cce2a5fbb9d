/** The clients of commands that call a running server: which server, whose credentials, and what is printed. */
import { ApiError, ConnectionError, TimeoutError, Winnow } from "@winnow/client";
import { AdminClient } from "@winnow/client/admin";
import * as Argument from "effect/cli/Argument";
import * as CliError from "effect/cli/CliError";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import { readAdminToken, readServerUrl } from "../DataDir.ts";
import { originOf, type Settings } from "../settings/Config.ts";
import { jsonText } from "../TerminalText.ts";
import { CliFailed, settingsFromEnvironment } from "./Inputs.ts";

/** The maximum page size. */
const PAGE_LIMIT = 100;

/** Requests touch few rows; if they take longer, the server is not reachable. */
const TIMEOUT_MS = 30_000;

/** The server a command calls, and the operator's credentials. */
export const target = {
  url: Flag.String("url").pipe(
    Flag.withDescription("URL of the server; by default the one in this machine's data directory"),
    Flag.optional
  ),
  adminToken: Flag.Redacted("admin-token").pipe(
    Flag.withDescription("Admin token; by default WINNOW_ADMIN_TOKEN or the one in the data directory"),
    Flag.optional
  )
};

export interface Target {
  readonly url: Option.Option<string>;
  readonly adminToken: Option.Option<Redacted.Redacted>;
  /** 0 by default: a command reports at once what is wrong. */
  readonly maxRetries?: number;
}

export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description));

export const accountId = argument("account-id", "Id of the account");

const apiKey = Flag.Redacted("api-key").pipe(
  Flag.withDescription("An API key of the account, instead of the operator's token; else WINNOW_API_KEY"),
  Flag.optional
);

/** Optional if an API key determines the account; account ids start with `acc_`. */
const ownAccountId = accountId.pipe(
  Argument.mapEffect((id) =>
    id.startsWith("acc_")
      ? Effect.succeed(id)
      : Effect.fail(new CliError.MissingArgument({ argument: "account-id" }))
  ),
  Argument.optional
);

/** The account a command is about, and its credentials. */
export const owner = { ...target, apiKey, id: ownAccountId };

export interface Owner extends Target {
  readonly apiKey: Option.Option<Redacted.Redacted>;
  readonly id: Option.Option<string>;
}

const urlOf = ({ url }: Target, settings: Settings): string =>
  Option.getOrNull(url) ?? readServerUrl(settings.dataDir) ?? originOf(settings.host, settings.port);

const connectionOf = (from: Target, settings: Settings) => ({
  baseUrl: urlOf(from, settings),
  timeoutMs: TIMEOUT_MS,
  maxRetries: from.maxRetries ?? 0
});

const adminClient = (from: Target, settings: Settings): AdminClient => {
  const token = Option.getOrNull(from.adminToken) ?? settings.adminToken ?? readAdminToken(settings.dataDir);
  if (token !== null) {
    return new AdminClient({ token: Redacted.value(token), ...connectionOf(from, settings) });
  }
  throw new CliFailed({
    message:
      `There is no admin token in ${settings.dataDir}: start the server there once, set ` +
      `WINNOW_ADMIN_TOKEN, or pass --admin-token.`
  });
};

/** A given key takes precedence, then a named account, then the key of the environment. */
const ownClient = (from: Owner, settings: Settings): Winnow => {
  const fromEnvironment = process.env["WINNOW_API_KEY"]?.trim() ?? "";
  if (Option.isNone(from.apiKey) && Option.isSome(from.id)) {
    return adminClient(from, settings).client(from.id.value);
  }
  const key = Option.match(from.apiKey, { onNone: () => fromEnvironment, onSome: Redacted.value });
  if (key !== "") return new Winnow({ apiKey: key, ...connectionOf(from, settings) });
  throw new CliFailed({ message: "Name the account (acc_...), or pass --api-key (or set WINNOW_API_KEY)." });
};

/** Codes of the client for responses that are not the service's. */
const FOREIGN: ReadonlySet<string> = new Set(["not_winnow", "invalid_response", "unknown"]);

const failedAt =
  (url: string) =>
  (error: unknown): CliFailed => {
    if (error instanceof CliFailed) return error;
    if (error instanceof ConnectionError || error instanceof TimeoutError) {
      return new CliFailed({ message: `No server responds at ${url}; start one with: winnow serve` });
    }
    if (error instanceof ApiError && FOREIGN.has(error.code)) {
      return new CliFailed({
        message: `${url} returned a ${error.status} response that is not from Winnow: check the URL.`
      });
    }
    // The server's message names a header, which the user did not type.
    const isUnknown = error instanceof ApiError && error.details["reason"] === "unknown_account";
    const message = isUnknown ? "There is no such account." : (error as Error).message;
    return new CliFailed({ message: message.replace(/^baseUrl /u, "--url ") });
  };

const calling =
  <From extends Target, Client>(clientOf: (from: From, settings: Settings) => Client) =>
  <A>(from: From, use: (client: Client, signal: AbortSignal) => Promise<A>): Effect.Effect<A, CliFailed> =>
    Effect.flatMap(settingsFromEnvironment, (settings) =>
      Effect.tryPromise({
        try: async (signal) => use(clientOf(from, settings), signal),
        catch: failedAt(urlOf(from, settings).replace(/\/+$/u, ""))
      })
    );

/** Calls the operator's endpoints. */
export const callAdmin = calling(adminClient);

/** Calls the endpoints of an account. */
export const callOwn = calling(ownClient);

/** The first `itemsMax` entries of a list. */
export const firstOf = async <Item>(
  list: (options: { readonly limit: number }) => AsyncIterable<Item>,
  itemsMax = Infinity
): Promise<ReadonlyArray<Item>> => {
  const items: Array<Item> = [];
  for await (const item of list({ limit: Math.min(PAGE_LIMIT, itemsMax) })) {
    items.push(item);
    if (items.length >= itemsMax) break;
  }
  return items;
};

export const asJson = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of text"),
  Flag.withDefault(false)
);

export const printResult = (json: boolean, value: unknown, words: string): Effect.Effect<void> =>
  Console.log(json ? jsonText(value) : words);
