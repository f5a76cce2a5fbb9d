import { afterEach, assert, beforeEach, describe, it } from "vitest";
import { cache } from "../src/data/cache.ts";
import {
  UPDATED_ROWS_MAX,
  PAGE_SIZE,
  refresh,
  withPage,
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

  it("replace rows that are gone, or that a filter no longer includes", () => {
    const { data } = pageOf(NEWEST, true);
    const next = withHead(shown, {
      ...pageOf(NEWEST, true),
      data: [...data.slice(0, 9), ...data.slice(10), { id: String(NEWEST - PAGE_SIZE), status: "complete" }]
    });
    assert.deepStrictEqual(
      idsOf(next),
      idsOf(shown).filter((id) => id !== NEWEST - 9)
    );
  });

  it("are all there is if the server has no more", () => {
    const head = { ...pageOf(NEWEST, false), data: pageOf(NEWEST, false).data.slice(3) };
    assert.deepStrictEqual(withHead(shown, head), { pages: [head], pageParams: [undefined] });
  });

  it("leave the list alone while a search has not found any among the newest", () => {
    assert.strictEqual(withHead(shown, { data: [], has_more: true, next_cursor: "x" }), shown);
  });

  it("do not make the list of an open tab grow forever", () => {
    let pages = shown;
    for (let newest = NEWEST + 1; newest < NEWEST + 3 * UPDATED_ROWS_MAX; newest += 1) {
      pages = withHead(pages, pageOf(newest, true));
      assert.isAtMost(idsOf(pages).length, UPDATED_ROWS_MAX + PAGE_SIZE);
    }
  });
});

describe("a further page of a list", () => {
  const page = shown.pages[1] ?? assert.fail("no page");
  const [oldest] = [NEWEST - 2 * PAGE_SIZE + 1];

  it("has the current state of its rows", () => {
    const next = withPage(shown, 1, pageOf(NEWEST - PAGE_SIZE, true, "failed"));
    assert.isTrue(next.pages[1]?.data.every(({ status }) => status === "failed"));
    assert.deepStrictEqual([idsOf(next), next.pages[0]], [idsOf(shown), shown.pages[0]]);
  });

  it("loses rows that are gone, and does not repeat those of the page below", () => {
    const data = [
      ...page.data.slice(0, 4),
      ...page.data.slice(5),
      { id: String(oldest - 1), status: "complete" }
    ];
    const next = withPage(shown, 1, { ...page, data });
    assert.deepStrictEqual(
      idsOf(next),
      idsOf(shown).filter((id) => id !== NEWEST - PAGE_SIZE - 4)
    );
  });

  it("is requested again in turn, first those with rows that may still change", async () => {
    const key = ["turns"];
    const open = (row: Row): boolean => row.status === "running";
    const pageAt = (index: number, status: string): Page<Row> =>
      pageOf(NEWEST - index * PAGE_SIZE, true, status);
    const asked: Array<string | undefined> = [];
    const statuses = ["complete", "complete", "running", "complete", "running"];
    cache.setQueryData(key, {
      pages: statuses.map((status, index) => pageAt(index, status)),
      pageParams: [undefined, "1", "2", "3", "4"]
    });
    const turn = async (): Promise<void> => {
      const last = await refresh<Row>(
        key,
        (cursor) => {
          asked.push(cursor);
          return Promise.resolve(pageAt(Number(cursor ?? 0), asked.length > 6 ? "complete" : "running"));
        },
        open,
        new AbortController().signal
      );
      cache.setQueryData(["refresh", ...key], last);
    };
    cache.setQueryData(["refresh", ...key], 0);
    for (let count = 0; count < 3; count += 1) await turn();
    assert.deepStrictEqual(asked, [undefined, "2", undefined, "4", undefined, "2"]);
    for (let count = 0; count < 4; count += 1) await turn();
    assert.deepStrictEqual(asked.slice(6), [undefined, "4", undefined, "2", undefined, "3", undefined, "4"]);
    cache.clear();
  });
});

describe("a row that was removed, while that can be undone", () => {
  const key = ["rows"];
  const listed = (): ReadonlyArray<number> => idsOf(cache.getQueryData<Pages<Row>>(key) ?? shown);
  const answer = (newest: number) => {
    // As if it had been loaded a while ago.
    cache.setQueryData(["refresh", ...key], 0);
    const ask = (cursor: string | undefined) =>
      Promise.resolve(pageOf(cursor === undefined ? newest : Number(cursor), true));
    return refresh<Row>(key, ask, () => false, new AbortController().signal);
  };

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
