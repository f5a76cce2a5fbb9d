/** The operator's admin token: distinguished from API keys, and acting for an account on the account's endpoints. */
import { Unauthorized } from "@winnow/core/domain/request/Refusal";
import { hash, timingSafeEqual } from "node:crypto";
import { API_KEY_PREFIX } from "@winnow/core/domain/access/ApiKey";
import { UNNAMED_REQUESTER } from "@winnow/core/domain/request/Requester";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import type { Principal } from "./Authorization.ts";
import { InProcess } from "../InProcess.ts";

/** Lower-case, as headers are looked up. Names the account that the admin token acts for. */
const ACCOUNT_HEADER = "x-winnow-account";

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

export class Operator extends Context.Service<
  Operator,
  {
    /**
     * Whether this is the token, or the request comes from this process itself. Compared as digests, so that the time
     * reveals neither the length nor a common prefix of the token.
     */
    readonly isOperator: (text: string) => Effect.Effect<boolean>;
  }
>()("@winnow/server/http/authentication/Operator") {
  static readonly layer = (token: Redacted.Redacted): Layer.Layer<Operator> => {
    const expected = digest(Redacted.value(token));
    const isLikeKey = Redacted.value(token).startsWith(API_KEY_PREFIX);
    // Most requests have an account's key, which is recognised by its prefix.
    const isToken = (text: string): boolean =>
      text.startsWith(API_KEY_PREFIX) === isLikeKey && timingSafeEqual(digest(text), expected);
    return Layer.succeed(Operator, {
      isOperator: (text) => Effect.map(InProcess, (caller) => caller?.isOperator === true || isToken(text))
    });
  };
}

const refused = (reason: string, message: string) =>
  new Unauthorized({ message, details: { reason, param: ACCOUNT_HEADER } });

const UNNAMED = `This is the operator's admin token: name the account that it acts for in ${ACCOUNT_HEADER}.`;
const UNKNOWN = `There is no such account: ${ACCOUNT_HEADER} must be the id of an account of this server.`;

/**
 * The account the operator acts for; null if the key is not the admin token. Each such request is logged, except those
 * of this process itself.
 */
export const makeOperatorPrincipal = Effect.gen(function* () {
  const { isOperator } = yield* Operator;
  const accounts = yield* Accounts;
  return Effect.fnUntraced(function* ({ headers, method, url }: HttpServerRequest, key: string) {
    if (!(yield* isOperator(key))) return null;
    const accountId = headers[ACCOUNT_HEADER]?.trim() ?? "";
    if (accountId === "") return yield* refused("account_required", UNNAMED);
    yield* Effect.mapError(accounts.get(accountId), () => refused("unknown_account", UNKNOWN));
    const caller = yield* InProcess;
    const isOutside = caller?.isOperator !== true;
    if (isOutside) {
      yield* Effect.logInfo("The operator acts for an account").pipe(
        Effect.annotateLogs({ accountId, method, path: url.split("?", 1)[0] })
      );
    }
    return {
      accountId,
      memberId: null,
      requester: { ...UNNAMED_REQUESTER, madeBy: caller?.madeBy ?? "api" },
      dailyCredits: null,
      via: isOutside ? "operator" : "process",
      isLive: Effect.succeed(true),
      read: null
    } satisfies Principal["Service"];
  });
});
