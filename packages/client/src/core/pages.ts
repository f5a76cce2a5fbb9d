/** Paged lists, newest first. */
import type { RequestOptions } from "./request.ts";

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
