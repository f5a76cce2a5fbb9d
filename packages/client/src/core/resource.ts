/** Base of the classes that group the API's methods: one request each, lists in pages. Tests: schemas.test.ts. */
import { sendJson, type RequestOptions, type ApiRequest, type Transport } from "./request.ts";
import type { Call } from "./call.ts";
import { textOf, type Path } from "./itemPath.ts";

// Paged lists, newest first.

export interface ListOptions extends RequestOptions {
  /** Page size, 1 to 100; the service's default is 20. */
  readonly limit?: number | undefined;
}

export interface PageOptions extends ListOptions {
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

interface Page<Item> {
  readonly data: ReadonlyArray<Item>;
  readonly next_cursor: string | null;
}

/** Every item; pages are fetched as needed. */
export async function* eachItem<Item, Options extends ListOptions>(
  page: (options: Options & PageOptions) => Promise<Page<Item>>,
  options: Options
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor: next } = await page(cursor === undefined ? options : { ...options, cursor });
    yield* data;
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}

/** "?a=1&b=2" of what is given; false is left out, as every default is. */
export const queryText = (given: object): string => {
  const texts = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === false) continue;
    texts.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return texts.size === 0 ? "" : `?${texts}`;
};

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

  /** The same with the other options as its query. */
  protected query<A>(
    method: ApiRequest["method"],
    path: Path,
    { signal, ...given }: RequestOptions
  ): Call<A> {
    return this.send(method, () => textOf(path) + queryText(given), { signal });
  }

  /** One page of a list. */
  protected pageOf<P>(path: string, { limit, cursor, ...filter }: PageOptions): Call<P> {
    return this.query("GET", path, { ...filter, limit, cursor } as RequestOptions);
  }
}
