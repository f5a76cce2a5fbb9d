/**
 * The clients of commands that call a running server: their flags, and what went wrong. Tests: connection.test.ts,
 * foreignAnswers.test.ts.
 */
import { ApiError, ConnectionError, TimeoutError, Winnow } from "@winnow/client";
import { AdminClient } from "@winnow/client/admin";
import * as Argument from "effect/cli/Argument";
import * as CliError from "effect/cli/CliError";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import {
  accountConnection,
  describeConnection,
  operatorConnection,
  type Connection,
  type OperatorTarget,
  type Target
} from "./connection/Connection.ts";
import { withRangeFlags } from "./extractions/submissionFields.ts";
import { argument, secretText, text } from "./flags.ts";
import { CliFailed, EXIT } from "./Inputs.ts";
import { WINNOW } from "@winnow/server/programName";

/** The maximum page size. */
const PAGE_LIMIT = 100;

/** Between reads of what is followed: half of the reads that a key may send. */
export const POLL_INTERVAL_MS = 2_000;

/** Who follows outlives a restart of the server. */
export const FOLLOW_RETRIES_MAX = 5;

/** Requests touch few rows; if they take longer, the server is not reachable. */
const TIMEOUT_MS = 30_000;

/** The server a command calls, and the operator's credentials. */
export const target = {
  url: text(
    "url",
    "URL of the server; by default WINNOW_URL, what winnow login stored, or the server on this machine"
  ),
  adminToken: secretText(
    "admin-token",
    "Admin token; by default WINNOW_ADMIN_TOKEN or, for its own server only, the one in the data directory"
  )
};

export const accountId = argument("account-id", "Id of the account");

const apiKey = secretText(
  "api-key",
  "An API key of the account; by default WINNOW_API_KEY or what winnow login stored"
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

/** The same for commands that only take a key. */
export const ownAccount = { url: target.url, apiKey };

const optionsOf = ({ url }: Connection, { maxRetries }: OperatorTarget) => ({
  baseUrl: url.value,
  timeoutMs: TIMEOUT_MS,
  maxRetries: maxRetries ?? 0
});

const adminClient = (connection: Connection, from: OperatorTarget): AdminClient =>
  new AdminClient({ token: Redacted.value(connection.secret.value), ...optionsOf(connection, from) });

const ownClient = (connection: Connection, from: Target): Winnow =>
  connection.isOperator
    ? adminClient(connection, from).client(connection.accountId ?? "")
    : new Winnow({ apiKey: Redacted.value(connection.secret.value), ...optionsOf(connection, from) });

/** Codes of the client for responses that are not the service's. */
const FOREIGN: ReadonlySet<string> = new Set(["not_winnow", "invalid_response", "unknown"]);

const isLocal = (url: string): boolean => /^https?:\/\/(?:127\.|localhost\b|\[::1\])/u.test(url);

/** About an answer that has another shape than those of Winnow. */
export const unreadable = ({ value: url, from }: Connection["url"]): string =>
  `${url} gave an answer that is not from Winnow, or from another version: check the URL (from ${from}).`;

/** A text of an answer that the command needs. @throws TypeError the answer lacks it */
export const stated = (text: string): string => {
  if (typeof text !== "string") throw new TypeError("the answer lacks a text that the command needs");
  return text;
};

/** What a command says after an answer without content. @throws TypeError it has some, so it is not from Winnow */
export const done = async <Said>(answer: Promise<unknown>, said: Said): Promise<Said> => {
  if ((await answer) !== undefined) throw new TypeError("the answer has content, where there is none");
  return said;
};

/** Every message about a server that cannot be reached, or that refuses, names it and what was sent to it. */
const failedAt =
  (connection: Connection) =>
  (error: unknown): CliFailed => {
    if (error instanceof CliFailed) return error;
    const { value: url, from } = connection.url;
    const described = describeConnection(connection);
    if (error instanceof ConnectionError || error instanceof TimeoutError) {
      const remedy = isLocal(url) ? `start one with: ${WINNOW} serve` : "check the address and the network.";
      return new CliFailed(`No server responds at ${described}; ${remedy}`);
    }
    if (error instanceof TypeError) return new CliFailed(unreadable(connection.url));
    if (!(error instanceof ApiError)) {
      // The client's messages name its options, which the user did not type.
      const { message } = error as Error;
      return new CliFailed(message.replace(/^baseUrl /u, `${from} `));
    }
    if (FOREIGN.has(error.code)) {
      const message = `${url} returned a ${error.status} response that is not from Winnow: check the URL (from ${from}).`;
      return new CliFailed(message);
    }
    // Not the key's fault: the server's message names a header.
    if (error.details["reason"] === "unknown_account") {
      return new CliFailed("There is no such account.");
    }
    if (error.code === "unauthorized") {
      return new CliFailed(`${error.message} This was ${described}.`, EXIT.refused);
    }
    const isServers = error.status >= 500;
    return new CliFailed(
      isServers ? `${error.message} This was ${url} (from ${from}).` : withRangeFlags(error.message),
      error.code === "insufficient_credits" ? EXIT.refused : EXIT.failed
    );
  };

/** The server that answered the command last, which explains an answer that the command cannot read. */
export const Answered = Context.Reference<{ by: Connection["url"] | null }>("@winnow/cli/Answered", {
  defaultValue: () => ({ by: null })
});

type Use<Client, A> = (client: Client, signal: AbortSignal) => Promise<A>;

const calling = <A>(connection: Connection, use: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: async (signal) => use(signal), catch: failedAt(connection) }).pipe(
    Effect.tap(() => Effect.map(Answered, (answered) => (answered.by = connection.url)))
  );

/** Calls the operator's endpoints. */
export const callAdmin = <A>(from: OperatorTarget, use: Use<AdminClient, A>): Effect.Effect<A, CliFailed> =>
  Effect.flatMap(operatorConnection(from), (connection) =>
    calling(connection, (signal) => use(adminClient(connection, from), signal))
  );

/** Calls the endpoints of an account. */
export const callConnected = <A>(
  connection: Connection,
  from: Target,
  use: Use<Winnow, A>
): Effect.Effect<A, CliFailed> => calling(connection, (signal) => use(ownClient(connection, from), signal));

/** The same, with the connection that the flags, the environment and the stored login say. */
export const callOwn = <A>(from: Target, use: Use<Winnow, A>): Effect.Effect<A, CliFailed> =>
  Effect.flatMap(accountConnection(from), (connection) => callConnected(connection, from, use));

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
