import { assert, describe, it } from "vitest";
import { ApiError, ConnectionError, Winnow, type AccountEvent } from "../src/index.ts";
import { begin, streamServer, type Script, type StreamServer } from "./StreamServer.ts";

const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const balance = (credits: number): string => frame("balance", { balance: credits });
const delivery = frame("delivery", { id: "whd_1", status: "delivered" });
const running = { id: "ext_1", extraction: null, progress: { phase: "processing" }, deleted: false };

const client = ({ baseUrl }: StreamServer, maxRetries = 2): Winnow =>
  new Winnow({ apiKey: "key", baseUrl, maxRetries });

/** The first n events. */
const take = async (events: AsyncIterable<AccountEvent>, count: number): Promise<Array<AccountEvent>> => {
  const seen: Array<AccountEvent> = [];
  for await (const event of events) {
    seen.push(event);
    if (seen.length === count) break;
  }
  return seen;
};

const stays: Script = (response) => {
  begin(response).write("retry: 2000\n\n");
  response.write(balance(5) + frame("extraction", running) + ": \n\n" + frame("later", {}) + delivery);
};

describe("the events of the account", () => {
  it("are yielded as sent, and unknown types are skipped", async () => {
    await using server = await streamServer(stays);
    assert.deepStrictEqual(await take(client(server).events(), 3), [
      { event: "balance", data: { balance: 5 } },
      { event: "extraction", data: running },
      { event: "delivery", data: { id: "whd_1", status: "delivered" } }
    ] as Array<unknown>);
    assert.deepStrictEqual(server.streams, [null]);
  });

  it("continue over interrupted streams without ending", async () => {
    const ends: Script = (response) => {
      begin(response).end(balance(1));
    };
    const breaks: Script = (response) => {
      begin(response).write(balance(2), () => response.destroy());
    };
    await using server = await streamServer(ends, breaks, stays);
    const seen = await take(client(server, 1).events(), 3);
    assert.deepStrictEqual(
      seen.map(({ data }) => data),
      [{ balance: 1 }, { balance: 2 }, { balance: 5 }]
    );
  });

  it("end with the error of a revoked key", async () => {
    const refuses: Script = (response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { code: "unauthorized", message: "revoked" } }));
    };
    await using server = await streamServer(refuses);
    const error = await take(client(server).events(), 1).catch((reason: unknown) => reason);
    assert.instanceOf(error, ApiError);
    assert.strictEqual((error as ApiError).status, 401);
  });

  it("are not taken from the response of a proxy", async () => {
    const odd: Script = (response) => {
      begin(response).end(frame("balance", 5));
    };
    await using server = await streamServer(odd);
    const error = await take(client(server, 0).events(), 1).catch((reason: unknown) => reason);
    assert.instanceOf(error, ConnectionError);
  });

  it("end with the signal's reason", async () => {
    await using server = await streamServer(stays);
    const controller = new AbortController();
    const events = client(server).events({ signal: controller.signal });
    await events.next();
    controller.abort(new Error("enough"));
    const error = await take(events, 9).catch((reason: unknown) => reason);
    assert.strictEqual((error as Error).message, "enough");
  });
});
