/** Why a download failed, for use without Effect. Tests: classify.test.ts. */
import type { FailureReason } from "@winnow/core/domain/source/Failed";
import { classify, failureFrom, failureOf } from "./failures/classify.ts";

/**
 * What a message of yt-dlp or gallery-dl means. `message` is the exception's text or a whole line of
 * standard error (`ERROR: [youtube] ID: Private video. ...`); with the line, the extractor counts too.
 */
export const reasonOf = (message: string): FailureReason => failureOf(classify(failureFrom(message))).reason;
