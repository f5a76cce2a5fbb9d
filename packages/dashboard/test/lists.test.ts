import { assert, describe, it } from "vitest";
import { UPDATED_ROWS_MAX, PAGE_SIZE, withHead, type Page, type Pages } from "../src/data/lists.ts";

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
