import { afterEach, assert, beforeEach, describe, it } from "vitest";
import { cache } from "../src/data/cache.ts";
import {
  UPDATED_ROWS_MAX,
  PAGE_SIZE,
  refreshHead,
  withHead,
  withoutItem,
  type Page,
  type Pages
} from "../src/data/lists.ts";

interface Row {
  readonly id: string;
  readonly status: string;
}

/** Newest first, from `newest` down. */
const pageOf = (newest: number, hasMore: boolean, status = "complete"): Page<Row> => ({
  data: Array.from({ length: PAGE_SIZE }, (_, index) => ({ id: String(newest - index), status })),
  has_more: hasMore,
  next_cursor: hasMore ? String(newest - PAGE_SIZE) : null
});

const NEWEST = 1_000;

const shown: Pages<Row> = {
  pages: [pageOf(NEWEST, true), pageOf(NEWEST - PAGE_SIZE, true)],
  pageParams: [undefined, String(NEWEST - PAGE_SIZE)]
};

const idsOf = ({ pages }: Pages<Row>): ReadonlyArray<number> =>
  pages.flatMap(({ data }) => data.map(({ id }) => Number(id)));

describe("new entries of a list", () => {
  it("come before existing ones, which are updated in place", () => {
    const next = withHead(shown, pageOf(NEWEST + 2, true, "failed"));
    assert.deepStrictEqual(idsOf(next).slice(0, 4), [NEWEST + 2, NEWEST + 1, NEWEST, NEWEST - 1]);
    assert.lengthOf(idsOf(next), 2 * PAGE_SIZE + 2);
    assert.strictEqual(next.pages[0]?.data[2]?.status, "failed");
    assert.strictEqual(next.pages.at(-1)?.next_cursor, shown.pages.at(-1)?.next_cursor);
  });

  it("are complete: if there are more than a page, the list starts over", () => {
    const head = pageOf(NEWEST + 2 * PAGE_SIZE, true);
    assert.deepStrictEqual(withHead(shown, head), { pages: [head], pageParams: [undefined] });
  });

  it("do not make the list of an open tab grow forever", () => {
    let pages = shown;
    for (let newest = NEWEST + 1; newest < NEWEST + 3 * UPDATED_ROWS_MAX; newest += 1) {
      pages = withHead(pages, pageOf(newest, true));
      assert.isAtMost(idsOf(pages).length, UPDATED_ROWS_MAX + PAGE_SIZE);
    }
  });
});

describe("a row that was removed, while that can be undone", () => {
  const key = ["rows"];
  const listed = (): ReadonlyArray<number> => idsOf(cache.getQueryData<Pages<Row>>(key) ?? shown);
  const answer = (newest: number) => refreshHead(key, () => Promise.resolve(pageOf(newest, true)));

  beforeEach(() => void cache.setQueryData(key, shown));
  afterEach(() => cache.clear());

  it("stays away, although the server still lists it", async () => {
    withoutItem<Row>(key, String(NEWEST - 3));
    assert.notInclude(listed(), NEWEST - 3);
    await answer(NEWEST + 1);
    assert.strictEqual(listed()[0], NEWEST + 1);
    assert.notInclude(listed(), NEWEST - 3);
  });

  it("returns to its place, below what has arrived since", async () => {
    const putBack = withoutItem<Row>(key, String(NEWEST));
    await answer(NEWEST + 1);
    putBack();
    assert.deepStrictEqual(listed().slice(0, 3), [NEWEST + 1, NEWEST, NEWEST - 1]);
    await answer(NEWEST + 1);
    assert.deepStrictEqual(listed().slice(0, 3), [NEWEST + 1, NEWEST, NEWEST - 1]);
  });

  it("does not bring back another one that was removed later", () => {
    const putBack = withoutItem<Row>(key, String(NEWEST));
    withoutItem<Row>(key, String(NEWEST - 2));
    putBack();
    assert.deepStrictEqual(listed().slice(0, 2), [NEWEST, NEWEST - 1]);
    assert.notInclude(listed(), NEWEST - 2);
  });
});
