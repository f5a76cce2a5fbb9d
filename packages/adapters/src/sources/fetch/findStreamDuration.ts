/**
 * The duration of a video whose inspection could not determine it, for runs that download no media: reads the
 * stream's header or manifest again, within an inspection's byte limit.
 */
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import * as Effect from "effect/Effect";
import { type FetchContext, isRequested } from "./FetchContext.ts";
import type { VideoSource } from "../inspect/Inspection.ts";
import { inspectStream } from "../inspect/StreamInspection.ts";

/** Seconds; null on any failure, since only the price depends on it. */
export const findStreamDuration = Effect.fn("MediaDownloader.findStreamDuration")(
  function* (context: FetchContext, facts: SourceFacts, { info }: VideoSource) {
    const isMeasured = isRequested(context, "video") || isRequested(context, "audio");
    if (isMeasured || (facts.durationSeconds ?? 0) > 0) return null;
    const { egress, limits, place } = context;
    // A separate proxy, so that the header is limited to an inspection's bytes, not a download's.
    const proxy = yield* egress.openProxy({ budgetBytes: limits.inspectBudgetBytes });
    const inspecting = inspectStream(info, null, context, { ...place, proxyUrl: proxy.url });
    return yield* Effect.map(inspecting, ({ durationSeconds }) => durationSeconds);
  },
  Effect.scoped,
  Effect.orElseSucceed(() => null)
);
