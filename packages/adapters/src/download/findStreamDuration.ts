/**
 * The length of a video whose inspection could not tell it and of which a run downloads no media: its stream is
 * asked once more, by header or manifest, within the bytes of an inspection.
 */
import type { SourceFacts } from "@winnow/core/domain/SourceFacts";
import * as Effect from "effect/Effect";
import { type FetchSession, wants } from "./FetchSession.ts";
import type { VideoSource } from "./Inspection.ts";
import { inspectStream } from "./StreamInspection.ts";

/** Seconds; null whatever goes wrong, for nothing but the price hangs on it. */
export const findStreamDuration = Effect.fn("MediaDownloader.findStreamDuration")(
  function* (session: FetchSession, facts: SourceFacts, { info }: VideoSource) {
    const isMeasured = wants(session, "video") || wants(session, "audio");
    if (isMeasured || (facts.durationSeconds ?? 0) > 0) return null;
    const { egress, limits, place } = session;
    // Of its own: what a header costs must not be what a download may.
    const proxy = yield* egress.openProxy({ budgetBytes: limits.inspectBudgetBytes });
    const inspecting = inspectStream(info, null, session, { ...place, proxyUrl: proxy.url });
    return yield* Effect.map(inspecting, ({ durationSeconds }) => durationSeconds);
  },
  Effect.scoped,
  Effect.orElseSucceed(() => null)
);
