/** The result of submit's URL checks before anything is fetched, as one plain function. */
import * as Result from "effect/Result";
import type { UrlRefused } from "../request/Refusal.ts";
import { parseSourceUrl } from "./SourceUrl.ts";

/** `code` and `reason` are the API error's code and `details.reason`. */
export type SourceUrlReading =
  | {
      readonly ok: true;
      /** The normalised URL, as used in the cache key. */
      readonly url: string;
    }
  | {
      readonly ok: false;
      readonly code: UrlRefused["code"];
      /** One of the code's `reasons` (`CODES` of domain/request/ErrorCodes). */
      readonly reason: string;
    };

/**
 * Opens no connection, so that a host that is not public is not refused here. Never throws: `url` may be any
 * value of a body.
 */
export const readSourceUrl = (url: unknown): SourceUrlReading =>
  Result.match(parseSourceUrl(typeof url === "string" ? url : ""), {
    onSuccess: ({ normalized }) => ({ ok: true, url: normalized }),
    onFailure: ({ code, details }) => ({
      ok: false,
      code,
      reason: details.reason
    })
  });
