/**
 * The operator's client: accounts, credits, keys and health of a server, by its admin token:
 * `import { AdminClient } from "@winnow/client/admin"`.
 */
import { wholeText } from "./core/body.ts";
import { send, sendJson, type Call, type RequestOptions, type Transport } from "./core/request.ts";
import { itemPath, textOf } from "./core/itemPath.ts";
import { eachItem, Resource, type ListOptions, type PageOptions } from "./core/resource.ts";
import {
  adminTokenOf,
  baseUrlOf,
  connectionOf,
  printable,
  pageBaseOf,
  type ConnectionOptions
} from "./core/settings.ts";
import type {
  Account,
  AccountBody,
  AccountChangeBody,
  AccountPage,
  ApiKey,
  ApiKeyBody,
  ApiKeyList,
  Balance,
  Health,
  RunRoute,
  SignInLink,
  SourceRouteList,
  TopUpBody
} from "./generated/types.ts";
import { postOnce, type SubmitOptions } from "./resources/submission.ts";
import { Winnow } from "./winnow.ts";

export type {
  Account,
  AccountBody,
  AccountChangeBody,
  AccountPage,
  ApiKey,
  ApiKeyBody,
  ApiKeyItem,
  ApiKeyList,
  Balance,
  Health,
  LimitsChange,
  PlanLimits,
  RunRoute,
  SignInLink,
  SourceRoute,
  SourceRouteList,
  TopUpBody
} from "./generated/types.ts";

export interface AdminOptions extends ConnectionOptions {
  /**
   * The server's admin token. Default: the environment variable `WINNOW_ADMIN_TOKEN`. It opens every account: in
   * a browser, keep it in memory only.
   */
  readonly token?: string | undefined;
  /**
   * URL of the service. Default: the environment variable `WINNOW_URL`, else a server on this machine. In a web
   * page, also a path such as `/winnow`, and by default the page's own server.
   */
  readonly baseUrl?: string | undefined;
}

export interface AccountFilter {
  /** An id, or part of a name. */
  readonly q?: string | undefined;
}

const ACCOUNTS = "/admin/v1/accounts";
const accountPath = (id: string, rest?: string) => itemPath(ACCOUNTS, "account", id, rest);

class Accounts extends Resource {
  /** Its balance is 0. Not retried if the connection drops: look for the account then. */
  create(body: AccountBody, options: RequestOptions = {}): Call<Account> {
    return this.send("POST", ACCOUNTS, { body, maxRetries: 0, ...options });
  }

  /** Name, balance, plan and limits. */
  get(id: string, options: RequestOptions = {}): Call<Account> {
    return this.send("GET", accountPath(id), options);
  }

  /**
   * Changes name, plan or limits; absent fields stay as they are. New limits apply from the next request. If
   * the previous plan was cheaper, its prices apply for ten more minutes.
   */
  update(id: string, body: AccountChangeBody, options: RequestOptions = {}): Call<Account> {
    return this.send("PATCH", accountPath(id), { body, ...options });
  }

  /** One page, newest first; `cursor` is the `next_cursor` of the previous page. */
  page({ q, ...options }: PageOptions & AccountFilter = {}): Call<AccountPage> {
    return this.pageOf(ACCOUNTS, options, { q });
  }

  /** Every matching account, newest first. Pages are fetched as needed. */
  list(options: ListOptions & AccountFilter = {}): AsyncGenerator<Account> {
    return eachItem((page) => this.page(page), options);
  }

  /** By which route a run of the account was served. */
  runRoute(id: string, extractionId: string, options: RequestOptions = {}): Call<RunRoute> {
    const path = itemPath("/extractions", "extraction", extractionId, "/route");
    return this.send("GET", () => textOf(accountPath(id)) + textOf(path), options);
  }

  /** Ends all web sessions of the account and invalidates unused sign-in links. */
  signOutEverywhere(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", accountPath(id, "/sessions"), options);
  }
}

class TopUps extends Resource {
  /**
   * Adds credits. The first top-up of an account adds a bonus of 1,000. Retries are safe: requests with the same
   * idempotency key add credits once.
   */
  create(accountId: string, body: TopUpBody, options: SubmitOptions = {}): Call<Balance> {
    return postOnce(this.transport, accountPath(accountId, "/top-ups"), body, options);
  }
}

class AdminApiKeys extends Resource {
  /** The returned `key` is shown only once. Not retried if the connection drops: check the list then. */
  create(accountId: string, body: ApiKeyBody = {}, options: RequestOptions = {}): Call<ApiKey> {
    return this.send("POST", accountPath(accountId, "/api-keys"), { body, maxRetries: 0, ...options });
  }

  /** Active keys of the account, newest first. */
  list(accountId: string, options: RequestOptions = {}): Call<ApiKeyList> {
    return sendJson(actingFor(this.transport, accountId), {
      ...options,
      method: "GET",
      path: "/v1/api-keys"
    });
  }

  /** `id` is the key's, of any account. Requests with this key fail with an UnauthorizedError at once. */
  revoke(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", itemPath("/admin/v1/api-keys", "API key", id), options);
  }
}

class SignInLinks extends Resource {
  /** A link whose page signs in to the account with a button. Works once, within 15 minutes. */
  create(accountId: string, options: RequestOptions = {}): Call<SignInLink> {
    return this.send("POST", accountPath(accountId, "/sign-in-links"), options);
  }
}

const actingFor = (transport: Transport, accountId: string): Transport => ({
  ...transport,
  account: printable("accountId", accountId)
});

/** In a web page, paths are of the page's own server. */
const adminBaseOf = (given: string | undefined): string => {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  if (location === undefined) return baseUrlOf(given);
  const base = pageBaseOf(given);
  return base === "" || base.startsWith("/") ? location.origin + base : base;
};

export class AdminClient {
  readonly accounts: Accounts;
  readonly topUps: TopUps;
  readonly apiKeys: AdminApiKeys;
  readonly signInLinks: SignInLinks;
  private readonly transport: Transport & { readonly apiKey: string };

  constructor(options: AdminOptions = {}) {
    this.transport = {
      apiKey: adminTokenOf(options.token),
      baseUrl: adminBaseOf(options.baseUrl),
      ...connectionOf(options)
    };
    this.accounts = new Accounts(this.transport);
    this.topUps = new TopUps(this.transport);
    this.apiKeys = new AdminApiKeys(this.transport);
    this.signInLinks = new SignInLinks(this.transport);
  }

  /**
   * Whether the server accepts and executes runs now: throws an ApiError of status 503 that says why if it does
   * not. Not retried.
   */
  health(options: RequestOptions = {}): Call<Health> {
    return sendJson(this.transport, { ...options, method: "GET", path: "/readyz", maxRetries: 0 });
  }

  /** The ways to sources, in the process that answers: rests and cookie files. */
  routes(options: RequestOptions = {}): Call<SourceRouteList> {
    return sendJson(this.transport, { ...options, method: "GET", path: "/admin/v1/routes" });
  }

  /** Metrics of the process in Prometheus' text format. */
  metrics(options: RequestOptions = {}): Promise<string> {
    const request = {
      ...options,
      method: "GET",
      path: "/metrics",
      headers: { accept: "text/plain" }
    } as const;
    return send(this.transport, request, wholeText);
  }

  /** A client that acts for the account, with all its methods. A server that is not in this process logs each request. */
  client(accountId: string): Winnow {
    return new Winnow({ ...this.transport, account: printable("accountId", accountId), allowBrowser: true });
  }
}
