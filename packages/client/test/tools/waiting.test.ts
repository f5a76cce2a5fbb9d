/** How calls wait, report progress, and keep to the same run. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest";
import { callTool, RunKeys, type ToolSource } from "../../src/tools/index.ts";
import { callOn, ID, sourceOf } from "./FakeSource.ts";

const RUNNING = { status: "processing" };

/** A run that never ends. */
const endless = (more: Partial<Record<keyof ToolSource, unknown>> = {}): ToolSource =>
  ({
    ...sourceOf({}),
    wait: (_: string, signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      }),
    result: async () => RUNNING,
    extraction: async () => ({
      id: ID,
      status: "running",
      creditsDebited: 50,
      creditsRefunded: 0,
      cached: false
    }),
    ...more
  }) as unknown as ToolSource;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a call that waits", () => {
  it("returns after 45 s with the id and what to do, and reports progress at once and every 10 s", async () => {
    const told: Array<{ readonly progress: number; readonly message: string }> = [];
    const { promise: waiting, resolve: begin } = Promise.withResolvers<void>();
    const source = endless();
    const wait: ToolSource["wait"] = (...given) => {
      begin();
      return source.wait(...given);
    };
    const call = callOn({ ...source, wait }, { onProgress: (progress) => told.push(progress) });
    const answer = callTool("extract", { url: "https://example.com/" }, call);
    // The key of the run is a digest from the thread pool, which fake timers do not control.
    await waiting;
    assert.strictEqual(told.length, 1);
    await vi.advanceTimersByTimeAsync(44_999);
    assert.strictEqual(told.length, 5);
    await vi.advanceTimersByTimeAsync(1);
    const { structuredContent } = await answer;
    assert.deepInclude(structuredContent, { id: ID, status: "running" });
    assert.include(structuredContent?.["next"], `Call get_extraction with id ${ID}`);
    const places = told.map(({ progress }) => progress);
    assert.isTrue(places.every((place, n) => n === 0 || place > (places[n - 1] ?? 0)));
    await vi.advanceTimersByTimeAsync(60_000);
    assert.strictEqual(told.length, 5);
  });

  it("ends with its signal, rejecting with the reason", async () => {
    const ended = new AbortController();
    const answer = callTool("get_extraction", { id: ID }, callOn(endless(), { signal: ended.signal }));
    const outcome = answer.then(
      () => "answered",
      (error: unknown) => error
    );
    await vi.advanceTimersByTimeAsync(1_000);
    ended.abort(new Error("gone"));
    assert.strictEqual(((await outcome) as Error).message, "gone");
  });
});

/** The key was not submitted before. */
const never = () => Promise.resolve(null);

describe("keys of runs", () => {
  const body = { url: "https://example.com/", maxCredits: 5 };

  it("are the same for the same arguments within an hour, in any order and across the full hour", async () => {
    const keys = new RunKeys();
    const justBefore = 3_600_000 * 10 - 1;
    const first = await keys.of("acc", body, justBefore, never);
    const reordered = { maxCredits: 5, url: "https://example.com/" };
    assert.strictEqual((await keys.of("acc", reordered, justBefore + 2, never)).key, first.key);
    assert.notStrictEqual((await keys.of("acc", body, justBefore + 3_600_000, never)).key, first.key);
    assert.notStrictEqual((await keys.of("other", body, justBefore, never)).key, first.key);
    assert.notStrictEqual(
      (await keys.of("acc", { ...body, maxCredits: 6 }, justBefore, never)).key,
      first.key
    );
  });

  it("are the same in another process within the clock hour", async () => {
    const at = 3_600_000 * 10;
    const [one, two] = [
      await new RunKeys().of("a", body, at, never),
      await new RunKeys().of("a", body, at + 3_599_999, never)
    ];
    assert.strictEqual(one.key, two.key);
    assert.match(one.key, /^mcp-[0-9a-f]{64}-10$/u);
  });

  it("are the same in another process across the full hour, for an hour after the submit", async () => {
    const justBefore = 3_600_000 * 10 - 1;
    const first = await new RunKeys().of("a", body, justBefore, never);
    const submittedAt = (key: string) => Promise.resolve(key === first.key ? justBefore : null);
    const later = async (ms: number) => (await new RunKeys().of("a", body, justBefore + ms, submittedAt)).key;
    assert.strictEqual(await later(2), first.key);
    assert.strictEqual(await later(3_599_999), first.key);
    assert.notStrictEqual(await later(3_600_000), first.key);
  });

  it("change after a failed run, in the same way for all who saw it fail", async () => {
    const [one, two] = [new RunKeys(), new RunKeys()];
    const after = async (keys: RunKeys) =>
      (await (await keys.of("a", body, 0, never)).after("ext_failed")).key;
    const next = await after(one);
    assert.strictEqual(await after(two), next);
    assert.strictEqual((await one.of("a", body, 5, never)).key, next);
  });
});
