/**
 * What the client must do wherever it runs: bundled, then run by each runtime against a JourneyServer. Returns
 * the outcome of each step, so that the runtimes can be compared.
 */
import { STREAM_TIMEOUTS } from "../../src/resources/events.ts";
import { signWebhook, verifyWebhook } from "../../src/webhooks.ts";
import { InvalidRequestError, TimeoutError, Winnow } from "../../src/index.ts";

const nameOf = async (call: PromiseLike<unknown>): Promise<string> => {
  try {
    await call;
    return "no error";
  } catch (error) {
    return (error as Error).name;
  }
};

const hooks = async (): Promise<string> => {
  const secret = "whsec_dGVzdA==";
  const payload = JSON.stringify({ event: "test", data: { message: "hello" } });
  const headers = await signWebhook({ payload, secret });
  const { event } = await verifyWebhook({ payload, headers, secret });
  return `${event}, ${await nameOf(verifyWebhook({ payload: `${payload} `, headers, secret }))}`;
};

const streamed = async (winnow: Winnow): Promise<number> => {
  const { body } = await winnow.files.get("ext_1", "video.mp4");
  let sizeBytes = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return sizeBytes;
    sizeBytes += value?.length ?? 0;
  }
};

/** Waits longer for streams: on a slow machine the client would give up on a late one, and poll. */
const waitForStreams = (): void => {
  const set = globalThis.setTimeout;
  const patient = (run: () => void, ms?: number) => set(run, ms === STREAM_TIMEOUTS.firstMs ? 20 * ms : ms);
  Object.assign(globalThis, { setTimeout: patient });
};

/** `allowBrowser` is for browsers only. */
export const journey = async (baseUrl: string, allowBrowser?: boolean) => {
  waitForStreams();
  const url = "https://a.example/";
  const winnow = new Winnow({ apiKey: "wnw_test", baseUrl, allowBrowser });
  const steps: Array<string> = [];
  const done = await winnow.extract({ url }, { onProgress: ({ step }) => steps.push(String(step)) });
  const listed: Array<string> = [];
  for await (const { id } of winnow.extractions.list()) listed.push(id);
  const { requestId } = await winnow.account().withResponse();
  const batch = await winnow.submitMany([{ url }, { url }]);
  const rows: Array<string> = [];
  for await (const { extractionId } of winnow.results.stream()) rows.push(extractionId);
  const quoted: Array<unknown> = [];
  for await (const line of winnow.batches.quote({ items: [{ url }] })) quoted.push(line.credits);
  let csv = "";
  for await (const piece of winnow.results.csv({ schemaId: "sch_1" })) csv += piece;
  const abort = new AbortController();
  const aborted = nameOf(winnow.extractions.get("hangs", { signal: abort.signal }));
  setTimeout(() => abort.abort(), 20);
  return {
    extracted: [done.id, done.status, ...steps],
    listed,
    requestId,
    batch: batch.map(({ status }) => status),
    rows,
    quoted,
    csv,
    sizeBytes: await streamed(winnow),
    refused: await nameOf(winnow.submit({ url: "" })),
    isItsClass: await winnow.submit({ url: "" }).then(
      () => false,
      (error: unknown) => error instanceof InvalidRequestError
    ),
    aborted: await aborted,
    late: await nameOf(
      new Winnow({ apiKey: "k", baseUrl, allowBrowser, timeoutMs: 30, maxRetries: 0 }).extractions.get(
        "hangs"
      )
    ),
    isLate: new TimeoutError("") instanceof Error,
    hooks: await hooks()
  };
};

/** The error of creating a client without options, as in pages and their workers; elsewhere `none`. */
export const refusal = (): string => {
  try {
    return new Winnow({ apiKey: "wnw_test" }) instanceof Winnow ? "none" : "";
  } catch (error) {
    return (error as Error).message;
  }
};
