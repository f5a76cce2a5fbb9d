/**
 * The trace that a run belongs to, as text that travels with it: a W3C `traceparent`
 * (www.w3.org/TR/trace-context, section 3.2). Nothing travels while no one collects spans.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Tracer from "effect/Tracer";
import type { RunRequest } from "../domain/RunRequest.ts";

const SAMPLED = 1;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/u;

const textOf = ({ traceId, spanId, sampled }: Tracer.AnySpan): string =>
  `00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`;

/** Of the current span; null where there is none or its tracer keeps spans to itself. */
const currentTraceparent: Effect.Effect<string | null> = Effect.gen(function* () {
  if ((yield* Tracer.Tracer) === Tracer.nativeTracer) return null;
  const span = yield* Effect.option(Effect.currentParentSpan);
  return Option.isNone(span) ? null : textOf(span.value);
});

/** The request with the trace that it was made in. */
export const withTraceparent = (request: RunRequest): Effect.Effect<RunRequest> =>
  Effect.map(currentTraceparent, (traceparent) =>
    traceparent === null ? request : { ...request, traceparent }
  );

/** The span that a run was asked for in, as options of its own span; none for text that is not a traceparent. */
export const parentOf = (traceparent: string | undefined): { readonly parent?: Tracer.ExternalSpan } => {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  return traceId === ""
    ? {}
    : {
        parent: Tracer.externalSpan({
          traceId,
          spanId,
          sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED
        })
      };
};
