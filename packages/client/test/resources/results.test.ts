/** The stream of results, and a connection that breaks off in it. */
import { assert, describe, it } from "vitest";
import { ConnectionError, Winnow, type ResultRow } from "../../src/index.ts";

const ROW = { extractionId: "ext_1", values: { price: 3 } };

/** A client whose server sends these pieces, and then breaks off or ends. */
const clientOf = (pieces: ReadonlyArray<string>, isBroken: boolean, asked: Array<string> = []): Winnow => {
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
});
