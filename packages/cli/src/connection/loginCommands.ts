/** `winnow login` and `winnow logout`: the server and the key that commands of this user use by default. Tests: login.test.ts. */
import { text as textOf } from "node:stream/consumers";
import * as Command from "effect/cli/Command";
import * as Prompt from "effect/cli/Prompt";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import { callConnected, target } from "../clients.ts";
import { asJson, secretText } from "../flags.ts";
import { printResult } from "../Output.ts";
import { row } from "../row.ts";
import { suggestedUrl, type Connection, type Target } from "./Connection.ts";
import { loginFile, removeLogin, writeLogin } from "./StoredLogin.ts";
import { STANDARD_INPUT, unusable, type CliFailed } from "../Inputs.ts";

/** A prompt is written to standard output. */
const canAsk = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

const loginFlags = {
  url: target.url,
  apiKey: secretText(
    "api-key",
    "The key; - reads it from standard input. On a terminal you are asked for it"
  ),
  json: asJson
};

const askUrl = Effect.fnUntraced(function* (from: Target) {
  const suggested = yield* suggestedUrl(from);
  if (suggested.from === "--url" || suggested.from === "WINNOW_URL" || !canAsk()) return suggested;
  const answer = yield* Prompt.run(Prompt.String({ message: `Server (Enter for ${suggested.value})` }));
  const value = answer.trim().replace(/\/+$/u, "");
  return value === "" ? suggested : { value, from: "your answer" };
});

/** Not from WINNOW_API_KEY, which needs no login. */
const askKey = Effect.fnUntraced(function* (flag: Option.Option<Redacted.Redacted>) {
  const given = Option.getOrNull(flag);
  if (given !== null && Redacted.value(given) !== STANDARD_INPUT) return { value: given, from: "--api-key" };
  if (given !== null) {
    const key = yield* Effect.promise(() => textOf(process.stdin));
    return { value: Redacted.make(key.trim()), from: "standard input" };
  }
  if (canAsk()) {
    const key = yield* Prompt.run(Prompt.Hidden({ message: "API key (not shown)" }));
    return { value: Redacted.make(Redacted.value(key).trim()), from: "your answer" };
  }
  return yield* unusable("Nobody can be asked here: pass --api-key - and the key on standard input.");
});

const OVERRIDES = ["WINNOW_URL", "WINNOW_API_KEY"];

/** Stores the login only after the server has accepted the key with an answer that can be read. */
export const login = Command.make(
  "login",
  loginFlags,
  Effect.fnUntraced(function* ({ apiKey, json, url: flag }) {
    const from: Target = { url: flag };
    const url = yield* askUrl(from);
    const secret = yield* askKey(apiKey);
    const connection: Connection = { url, secret, accountId: null, isOperator: false };
    const { id, name, balance } = yield* callConnected(connection, from, (winnow, signal) =>
      winnow.account({ signal })
    );
    const words = `Logged in to ${url.value} as ${name} (${id}), ${balance.toLocaleString("en")} credits.`;
    yield* Effect.try({
      try: () => writeLogin({ url: url.value, apiKey: secret.value }),
      catch: (error) => error as CliFailed
    });
    yield* printResult(json, { url: url.value, accountId: id, name, file: loginFile() }, words);
    const overriding = OVERRIDES.filter((variable) => (process.env[variable] ?? "").trim() !== "");
    if (overriding.length > 0) {
      yield* Console.error(`${overriding.join(" and ")} of the environment still come first.`);
    }
  })
).pipe(
  Command.withShortDescription("Store the server and the key that your commands use"),
  Command.withDescription(
    "Check a key at a server and store both in winnow/login.json of your configuration folder (XDG_CONFIG_HOME), " +
      "readable only by you. --url, WINNOW_URL, --api-key and WINNOW_API_KEY come before it; the key goes to no other server"
  ),
  Command.withExamples([
    { command: "winnow login --url https://winnow.example", description: "Asks for the key" },
    { command: "winnow login --url URL --api-key - < key.txt", description: "In a script" }
  ])
);

export const logout = row({
  word: "logout",
  about: "Forget the stored server and key",
  fields: {},
  call: () =>
    Effect.map(Effect.try({ try: removeLogin, catch: (error) => error as CliFailed }), (loggedOut) => ({
      loggedOut
    })),
  words: ({ loggedOut }) =>
    loggedOut ? "Logged out; the key itself stays valid until it is revoked." : "Nobody is logged in."
});
