/**
 * Sends spans to an OpenTelemetry collector over OTLP/HTTP (JSON) when an endpoint is set.
 *
 * The connection is configured by the operator and bypasses the egress guard. A failing or slow collector only
 * loses spans: they are sent in the background, dropped for a minute after a failure, and waited for at most 3 s
 * when the process stops. Tests: roles.test.ts, secrets.test.ts.
 */
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as FetchHttpClient from "effect/http/FetchHttpClient";
import * as HttpMiddleware from "effect/http/HttpMiddleware";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as OtlpSerialization from "effect/observability/OtlpSerialization";
import * as OtlpTracer from "effect/observability/OtlpTracer";
import * as Tracer from "effect/Tracer";
import { VERSION } from "./version.ts";

/** The signal's path of the OTLP/HTTP specification. */
const TRACES_PATH = "/v1/traces";

/**
 * URLs contain data that must not be exported: one-time tokens, cursors, and callers' input. The route's template
 * (`http.route`) suffices, and extraction ids are separate attributes.
 */
const WITHHELD = new Set(["url.full", "url.path", "url.query", "user_agent.original"]);

/** Frequent requests that would dominate the traces. */
const UNTRACED = /^\/(?:healthz|readyz|metrics)(?:[/?]|$)/u;

/** A failed request is recorded by its status, because the error would contain the URL. */
const withoutAddress = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
    ? exit
    : Exit.fail(new Error("The request failed: internal error."));

const guarded = (span: Tracer.Span): Tracer.Span => {
  const attribute = span.attribute.bind(span);
  const end = span.end.bind(span);
  return Object.assign(span, {
    attribute: (key: string, value: unknown) => {
      if (!WITHHELD.has(key)) attribute(key, value);
    },
    end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) =>
      end(endTime, span.kind === "server" ? withoutAddress(exit) : exit)
  });
};

/** The same tracer without URLs in its spans. */
const withholding = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({ ...tracer, span: (options) => guarded(tracer.span(options)) });

/** The collector's endpoint and headers. */
export interface Collector {
  /** Base URL, without a trailing slash. */
  readonly endpoint: string;
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>> | null;
}

const collected = ({ endpoint, headers }: Collector) =>
  Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, withholding)).pipe(
    Layer.provide(
      OtlpTracer.layer({
        url: `${endpoint}${TRACES_PATH}`,
        ...(headers === null ? {} : { headers: Redacted.value(headers) }),
        resource: { serviceName: "winnow", serviceVersion: VERSION }
      })
    ),
    Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer])
  );

export const layer = (collector: Collector): Layer.Layer<never> =>
  Layer.merge(
    collected(collector),
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => UNTRACED.test(url))
  );
