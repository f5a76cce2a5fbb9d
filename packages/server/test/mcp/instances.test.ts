/**
 * Several instances of the API behind one address that share only their ports: any of them can serve any
 * request.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { FakeDownloader, FakePorts } from "@winnow/testing";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { assert, it, vi } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { createWinnow } from "../../src/index.ts";
import { ask, connect, factsOf } from "./McpClients.ts";

const VIDEO = "https://example.com/video";
const sources = { [VIDEO]: { facts: sampleFacts({ durationSeconds: 60, webpageUrl: VIDEO }) } };

const instance = (ports: Layer.Layer<any>) =>
  Effect.acquireRelease(
    Effect.promise(() => createWinnow({ layers: [ports, FakeDownloader.layer(sources)] })),
    (winnow) => Effect.promise(() => winnow.close())
  );

/** Distributes requests to the instances in turn. */
const roundRobin = (fetches: ReadonlyArray<(request: Request) => Promise<Response>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let served = 0;
      const next = (request: Request) => fetches[served++ % fetches.length]!(request);
      const server = createServer(getRequestListener(next, { overrideGlobalObjects: false }));
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return { url, server, served: () => served };
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections();
        server.close();
      })
  );

/** An account on instances that share their ports. */
const withInstances = Effect.gen(function* () {
  const ports = Layer.succeedContext(yield* Layer.build(FakePorts.layer));
  const instances = [yield* instance(ports), yield* instance(ports)] as const;
  const [{ admin }] = instances;
  const { id: account } = yield* Effect.promise(() => admin.accounts.create({ name: "Two" }));
  yield* Effect.promise(() => admin.topUps.create(account, { credits: 1_000 }));
  const { key } = yield* Effect.promise(() => admin.apiKeys.create(account));
  const debits = Effect.promise(async () => {
    const { data } = await admin.client(account).ledger.page();
    return data.filter(({ kind }) => kind === "debit").length;
  });
  return { instances, key, debits };
});

it.live.each(["2026-07-28", "2025-11-25", "v1"] as const)(
  "a client of %s can be served by any instance",
  (generation) =>
    Effect.gen(function* () {
      const { instances, key, debits } = yield* withInstances;
      const door = yield* roundRobin(instances.map(({ fetch }) => fetch));
      const client = yield* connect(generation, door.url, key);

      const { id } = factsOf(yield* ask(client, "extract", { url: VIDEO }));
      for (let n = 0; n < 4; n += 1) {
        const again = factsOf(yield* ask(client, "extract", { url: VIDEO }));
        assert.deepInclude(again, { id, status: "complete" });
        assert.include(
          factsOf(yield* ask(client, "read_transcript", { id })).text,
          "content of transcript.txt"
        );
        assert.strictEqual((yield* Effect.promise(() => client.tools())).length, 8);
      }
      assert.isAtLeast(door.served(), 9);
      assert.strictEqual(yield* debits, 1);
    }).pipe(Effect.scoped)
);

it.live(
  "the same call a quarter of an hour later is the same run, in another instance and another hour",
  () =>
    Effect.gen(function* () {
      const { instances, key, debits } = yield* withInstances;
      const [first, second] = [
        yield* roundRobin([instances[0].fetch]),
        yield* roundRobin([instances[1].fetch])
      ];
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-24T12:50:00Z") })),
        () => Effect.sync(() => vi.useRealTimers())
      );
      const call = { url: VIDEO, force: true };
      const run = factsOf(yield* ask(yield* connect("2026-07-28", first.url, key), "extract", call));
      vi.setSystemTime(new Date("2026-11-24T13:05:00Z"));
      const again = factsOf(yield* ask(yield* connect("2026-07-28", second.url, key), "extract", call));
      assert.strictEqual(again.id, run.id);
      assert.strictEqual(yield* debits, 1);
    }).pipe(Effect.scoped)
);
