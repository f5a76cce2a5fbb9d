/** Base of the classes that group the API's methods: one request per method. */
import type { Call } from "./call.ts";
import type { Path } from "./itemPath.ts";
import type { PageOptions } from "./pages.ts";
import { sendJson, type ApiRequest, type RequestOptions, type Transport } from "./request.ts";

export abstract class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The JSON of the response. */
  protected send<A>(
    method: ApiRequest["method"],
    path: Path,
    options: RequestOptions & Pick<ApiRequest, "body" | "maxRetries"> = {}
  ): Call<A> {
    return sendJson(this.transport, { ...options, method, path });
  }

  /** One page of a list; `path` is without a query. */
  protected pageOf<P>(
    path: string,
    { limit, cursor, signal }: PageOptions,
    filter: Readonly<Record<string, string | undefined>> = {}
  ): Call<P> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...filter, limit, cursor })) {
      if (value !== undefined) query.set(name, String(value));
    }
    return this.send("GET", query.size === 0 ? path : `${path}?${query}`, { signal });
  }
}
