/** The stream of results, and a connection that breaks off in it. */
import { assert, describe, it } from "vitest";
import { ConnectionError, Winnow, type ResultRow } from "../../src/index.ts";

const ROW = { extractionId: "ext_1", values: { price: 3 } };

/** A client whose server sends these pieces, and then breaks off or ends; `bodies` hears of them. */
const clientOf = (
  pieces: ReadonlyArray<string>,
  isBroken: boolean,
  asked: Array<string> = [],
  bodies: Array<ReadableStream<Uint8Array>> = []
): Winnow => {
  const fetch = (url: unknown) => {
    asked.push(String(url));
    const rest = [...pieces];
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = rest.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (isBroken) controller.error(new TypeError("network error"));
        else controller.close();
      }
    });
    bodies.push(body);
    return Promise.resolve(new Response(body));
  };
  return new Winnow({ apiKey: "wnw_test", baseUrl: "http://winnow.test", fetch });
};

describe("the stream of results", () => {
  const line = `${JSON.stringify(ROW)}\n`;

  it("gives every row of one request, however the lines are cut", async () => {
    const asked: Array<string> = [];
    const client = clientOf([line.slice(0, 5), line.slice(5) + line, line], false, asked);
    const rows: Array<ResultRow> = [];
    for await (const row of client.results.stream({ schemaId: "sch_1", since: new Date(0) })) rows.push(row);
    assert.deepStrictEqual(rows as ReadonlyArray<unknown>, [ROW, ROW, ROW]);
    assert.deepStrictEqual(asked, [
      "http://winnow.test/v1/results?format=jsonl&schemaId=sch_1&since=1970-01-01T00%3A00%3A00.000Z"
    ]);
  });

  it("fails after the rows that arrived if the connection breaks off", async () => {
    const rows: Array<ResultRow> = [];
    try {
      for await (const row of clientOf([line, line.slice(0, 5)], true).results.stream()) rows.push(row);
      assert.fail("It was taken as whole.");
    } catch (error) {
      assert.instanceOf(error, ConnectionError);
    }
    assert.lengthOf(rows, 1);
  });

  it("fails where a proxy ends a connection that broke off as if it were whole", async () => {
    const rows = clientOf([line, line.slice(0, 5)], false).results.stream();
    assert.deepStrictEqual((await rows.next()).value as unknown, ROW);
    assert.instanceOf(await rows.next().catch((error: unknown) => error), ConnectionError);
  });

  it("fails in the same way as CSV, and as the quote of a batch", async () => {
    const quoted = `${JSON.stringify({ index: 0, credits: 50 })}\n`;
    for (const arriving of [
      clientOf(["a,b\r\n"], true).results.csv({ schemaId: "sch_1" }),
      clientOf([quoted], true).batches.quote({ items: [{ url: "https://example.com/" }] }),
      clientOf([quoted], false).batches.quote({ items: [{ url: "https://example.com/" }] })
    ]) {
      assert.isFalse((await arriving.next()).done);
      assert.instanceOf(await arriving.next().catch((error: unknown) => error), ConnectionError);
    }
  });

  it("ends the response if whoever reads stops or fails, and lets go of its body", async () => {
    for (const leave of [
      () => undefined,
      () => {
        throw new RangeError("of the caller");
      }
    ]) {
      const bodies: Array<ReadableStream<Uint8Array>> = [];
      try {
        for await (const _ of clientOf([line, line], true, [], bodies).results.stream()) {
          leave();
          break;
        }
      } catch (error) {
        assert.instanceOf(error, RangeError);
      }
      const [body] = bodies;
      assert.isFalse(body?.locked);
      assert.isTrue((await body?.getReader().read())?.done);
    }
  });

  it("reports an error of a program as that error, at once", async () => {
    const asked: Array<string> = [];
    const client = clientOf([line], false, asked);
    const before = Object.getOwnPropertyDescriptor(ReadableStream.prototype, "getReader");
    Object.defineProperty(ReadableStream.prototype, "getReader", { ...before, value: undefined });
    try {
      const error = await client.results
        .stream()
        .next()
        .catch((cause: unknown) => cause);
      assert.instanceOf(error, TypeError);
      assert.lengthOf(asked, 1);
    } finally {
      Object.defineProperty(ReadableStream.prototype, "getReader", before ?? {});
    }
  });
});
