/**
 * Requests to the object store, each with a time limit and retries of transient faults. Library calls that make
 * several requests get both for each request. Tests: S3Faults.test.ts.
 */
import { S3Client } from "@bradenmacdonald/s3-lite-client";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { isPassing, S3TimedOut } from "./S3Failure.ts";

export type S3Request = Parameters<S3Client["makeRequest"]>[0];

/** From sending to the response headers; allows an upload part to be sent at 1.2 Mbit/s. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Object stores recover from overload or replaced nodes within seconds, and a run cannot wait longer. */
const REPEATS_MAX = 4;
const FIRST_PAUSE_MS = 100;

const PAUSES = Schedule.exponential(FIRST_PAUSE_MS).pipe(Schedule.jittered);

export class S3Connection extends S3Client {
  /**
   * Fails with what fetch or the library threw, or with S3TimedOut. The library cannot abort a request, so the
   * response to an abandoned one is discarded unread.
   */
  request(request: S3Request): Effect.Effect<Response, unknown> {
    return Effect.tryPromise({
      try: async (signal) => {
        // The library modifies the headers, so each attempt gets its own.
        const response = await super.makeRequest({ ...request, headers: new Headers(request.headers) });
        if (signal.aborted) await response.body?.cancel();
        return response;
      },
      catch: (cause) => cause
    }).pipe(
      Effect.timeoutOrElse({
        duration: ANSWER_TIMEOUT_MS,
        orElse: () => Effect.fail(new S3TimedOut(ANSWER_TIMEOUT_MS))
      }),
      Effect.retry({ while: isPassing, schedule: PAUSES, times: REPEATS_MAX })
    );
  }

  override makeRequest(request: S3Request): Promise<Response> {
    return Effect.runPromise(this.request(request));
  }
}
