/** Submits more requests than the rate limit allows at once. */
import type { SubmitResponse } from "../generated/types.ts";
import { RateLimitedError } from "../core/errors.ts";
import { submit, type Submission } from "./submission.ts";
import type { SubmitThrottle } from "./submitThrottle.ts";
import type { Transport } from "../core/request.ts";

/**
 * Submits when the rate limit allows it, and retries as long as the service responds with `rate_limited`; only
 * the signal stops it.
 */
export const submitPaced = async (
  transport: Transport,
  pace: SubmitThrottle,
  body: Submission,
  idempotencyKey: string,
  signal: AbortSignal | undefined
): Promise<SubmitResponse> => {
  for (;;) {
    await pace.enter(signal);
    try {
      const { data, response } = await submit(
        transport,
        body,
        { idempotencyKey, signal },
        true
      ).withResponse();
      pace.leave(response.headers);
      return data;
    } catch (error) {
      if (!(error instanceof RateLimitedError)) {
        pace.leave(null);
        throw error;
      }
      pace.hold(error);
    }
  }
};
