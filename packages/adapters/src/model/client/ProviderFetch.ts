/** The SDK's fetch: truncates oversized responses, and does not retry rejections that time cannot fix. */
import { AnswerTooLarge, isQuota } from "./ProviderVerdicts.ts";

/** Maximum size of a response with its framing; its text is at most a quarter of that. */
export const ANSWER_BYTES_MAX = 8 * 1_024 * 1_024;

/** Maximum Retry-After that is honoured, also by the SDK. */
const RETRY_AFTER_SECONDS_MAX = 60;

const REFUSAL_CHARS_MAX = 100_000;

const bounded = (response: Response): Response => {
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > ANSWER_BYTES_MAX) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      }
    })
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
};

/** Seconds or a date; null if absent. */
const retryAfterSeconds = (headers: Headers): number | null => {
  const retryAfter = headers.get("retry-after");
  if (retryAfter === null) return null;
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) ? seconds : (Date.parse(retryAfter) - Date.now()) / 1_000;
};

const codeIn = (text: string): string | null => {
  const code = /"(?:code|type)"\s*:\s*"([^"]{1,100})"/u.exec(text)?.[1];
  return code ?? null;
};

/** A 429 is retried if its wait is short. */
const limited = async (response: Response): Promise<Response> => {
  const text = (await response.text()).slice(0, REFUSAL_CHARS_MAX);
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  const seconds = retryAfterSeconds(headers);
  const isSoon = seconds !== null && seconds <= RETRY_AFTER_SECONDS_MAX;
  const isForGood = isQuota({ status, code: codeIn(text), words: text }) && !isSoon;
  if (isForGood || (seconds !== null && !isSoon)) headers.set("x-should-retry", "false");
  return new Response(text, { status, statusText, headers });
};

export const providerFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const response = bounded(await fetch(input, init));
  return response.status === 429 ? limited(response) : response;
};
