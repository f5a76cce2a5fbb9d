import { assert, it } from "@effect/vitest";
import { callerSource } from "../../src/mcp/callerSource.ts";

/** Answers nothing until it is given up. */
const silent: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const signal = init?.signal ?? assert.fail("it could not be given up");
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

const waitOf = (stopping: AbortSignal, leaving: AbortSignal) =>
  callerSource(
    { apiKey: "wnw_1", accountId: "acc_1", isOperator: false },
    { fetch: silent, submittedAtMs: () => Promise.resolve(null), stopping }
  ).wait("ext_1", leaving, () => undefined);

it("a wait ends without a result when the server stops, and fails when its caller leaves", async () => {
  const [stop, leave] = [new AbortController(), new AbortController()];
  const stopped = waitOf(stop.signal, AbortSignal.any([]));
  const left = waitOf(AbortSignal.any([]), leave.signal).then(
    () => "it went on",
    () => "it failed"
  );
  stop.abort();
  leave.abort();
  assert.isNull(await stopped);
  assert.strictEqual(await left, "it failed");
});
