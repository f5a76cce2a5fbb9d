/** What a submit makes of a URL before anything is fetched, as one plain function (contract 11). */
import * as Result from "effect/Result";
import { parseSourceUrl } from "./SourceUrl.ts";

/** `code` and `reason` are those of the API's error and its `details.reason`. */
export type SourceUrlReading =
  | {
      readonly ok: true;
      /** Normalised: what the cache key holds. */
      readonly url: string;
    }
  | {
      readonly ok: false;
      readonly code: "invalid_url" | "unsupported_url";
      /**
       * `not_absolute`, `backslash`, `control_character`, `too_long` or `unparseable` of an invalid URL;
       * `scheme`, `credentials`, `channel`, `playlist` or `search` of an unsupported one.
       */
      readonly reason: string;
    };

/** Opens no connection, so that a host that is not public is not refused here. Never throws. */
export const readSourceUrl = (url: string): SourceUrlReading =>
  Result.match(parseSourceUrl(url), {
    onSuccess: ({ normalized }) => ({ ok: true, url: normalized }),
    onFailure: ({ _tag, details }) => ({
      ok: false,
      code: _tag === "InvalidUrl" ? "invalid_url" : "unsupported_url",
      reason: String(details["reason"])
    })
  });
