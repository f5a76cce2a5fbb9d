import { connect } from "node:net";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { assertRawAnswer } from "../Contract.ts";
import { TestApp } from "../TestApp.ts";
import { fuzz } from "./Fuzz.ts";
import { NOISE } from "./Requests.ts";

/** For more requests, or different ones: `WINNOW_FUZZ_REQUESTS=10000 WINNOW_FUZZ_SEED=7`. */
const REQUESTS = Number(process.env["WINNOW_FUZZ_REQUESTS"] ?? 600);
const SEED = Number(process.env["WINNOW_FUZZ_SEED"] ?? 1);

/** Sends the bytes unchanged and closes; returns the whole response. */
const exchangeBytes = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes, "latin1"));
    socket.setEncoding("latin1").on("data", (chunk: string) => (answer += chunk));
    socket.on("error", () => undefined).on("close", () => resolve(answer));
  });

layer(TestApp.layerUnlimited, { excludeTestServices: true })("whatever is sent", (it) => {
  it.effect(
    `${REQUESTS} generated and random requests get documented responses, never 5xx, and none is served against the document`,
    () =>
      Effect.gen(function* () {
        const counts = yield* fuzz(REQUESTS, SEED);
        for (const status of [200, 201, 400, 401, 404, 405, 415]) {
          assert.isAbove(counts.get(status) ?? 0, 0, `${status} of ${JSON.stringify([...counts])}`);
        }
        const { call } = yield* TestApp;
        assert.strictEqual((yield* call("/readyz")).status, 200);
      }),
    600_000
  );

  it.effect("malformed HTTP gets the error envelope, or nothing", () =>
    Effect.gen(function* () {
      const { call, port } = yield* TestApp;
      for (const bytes of NOISE) {
        const answer = yield* Effect.promise(() => exchangeBytes(port, bytes));
        if (answer !== "") assertRawAnswer(answer);
      }
      assert.strictEqual((yield* call("/healthz")).status, 200);
    })
  );
});
