/**
 * The operator's client: accounts, credits, keys and health of a server, by its admin token:
 * `import { AdminClient } from "@winnow/client/admin"`.
 */
import { wholeText } from "./core/body.ts";
import { send, sendJson, type RequestOptions, type Transport } from "./core/request.ts";
import type { Call } from "./core/call.ts";
import {
  adminTokenOf,
  baseUrlOf,
  connectionOf,
  printable,
  pageBaseOf,
  type ConnectionOptions
} from "./core/settings.ts";
import * as Generated from "./generated/resources.ts";
import type { ApiKeyList } from "./generated/types.ts";
import { Winnow } from "./winnow.ts";

export type { AccountFilter } from "./generated/resources.ts";
export type * from "./generated/types.ts";

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

class AdminApiKeys extends Generated.AdminApiKeys {
  /** Active keys of the account, newest first. */
  list(accountId: string, options: RequestOptions = {}): Call<ApiKeyList> {
    return sendJson(actingFor(this.transport, accountId), {
      ...options,
      method: "GET",
      path: "/v1/api-keys"
    });
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

export class AdminClient extends Generated.Admin {
  readonly accounts = new Generated.AdminAccounts(this.transport);
  readonly topUps = new Generated.AdminTopUps(this.transport);
  readonly apiKeys = new AdminApiKeys(this.transport);
  readonly signInLinks = new Generated.AdminSignInLinks(this.transport);

  constructor(options: AdminOptions = {}) {
    super({
      apiKey: adminTokenOf(options.token),
      baseUrl: adminBaseOf(options.baseUrl),
      ...connectionOf(options)
    });
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
    const { apiKey, ...connection } = actingFor(this.transport, accountId);
    return new Winnow({ ...connection, apiKey: apiKey ?? undefined, allowBrowser: true });
  }
}
