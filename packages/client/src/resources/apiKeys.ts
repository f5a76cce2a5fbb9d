/** API keys of the account. Requires a web session: a key cannot create other keys. */
import type { Call } from "../core/call.ts";
import type { ApiKeyBody, ApiKeyList, CreatedApiKey } from "../generated/types.ts";
import { itemPath } from "../core/itemPath.ts";
import { sendJson, type RequestOptions, type Transport } from "../core/request.ts";

const PATH = "/v1/api-keys";
const pathOf = (id: string, rest?: string) => itemPath(PATH, "API key", id, rest);

export class ApiKeys {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Active keys, newest first. */
  list(options: RequestOptions = {}): Call<ApiKeyList> {
    return sendJson(this.transport, { method: "GET", path: PATH, ...options });
  }

  /** The returned `key` is shown only once. Not retried if the connection drops: check the list then. */
  create(body: ApiKeyBody = {}, options: RequestOptions = {}): Call<CreatedApiKey> {
    return sendJson({ ...this.transport, maxRetries: 0 }, { method: "POST", path: PATH, body, ...options });
  }

  /** Requests with this key fail with an UnauthorizedError at once. */
  revoke(id: string, options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: pathOf(id), ...options });
  }
}
