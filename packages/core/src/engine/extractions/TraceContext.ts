/**
 * The trace context of a run as a W3C `traceparent` (www.w3.org/TR/trace-context, section 3.2). Not propagated if
 * tracing is off. Tests: the server's roles.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Tracer from "effect/Tracer";
import type { RunRequest } from "../../domain/request/RunRequest.ts";

const SAMPLED = 1;
/** Version, trace, parent and flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/u;

const textOf = ({ traceId, spanId, sampled }: Tracer.AnySpan): string =>
  `00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`;

/** Of the current span; null if there is none, or nothing is traced. */
const currentTraceparent: Effect.Effect<string | null> = Effect.gen(function* () {
  if ((yield* Tracer.Tracer) === Tracer.nativeTracer) return null;
  const span = yield* Effect.option(Effect.currentParentSpan);
  return Option.isNone(span) ? null : textOf(span.value);
});

/** The request with the trace context it was made in. */
export const withTraceparent = (request: RunRequest): Effect.Effect<RunRequest> =>
  Effect.map(currentTraceparent, (traceparent) => ({ ...request, traceparent }));

/** The parent span, as options of the run's span; none for an invalid traceparent. */
export const parentOf = (traceparent: string | null): { readonly parent?: Tracer.ExternalSpan } => {
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
