/**
 * An OpenTelemetry collector on loopback that stores every span it receives, or rejects every request.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as Effect from "effect/Effect";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** SpanKind of OTLP: 2 is server, 5 is consumer. */
  readonly kind: number;
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Record<string, unknown> }>;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: ReadonlyArray<CollectedSpan>;
  /** Header `authorization` of every request. */
  readonly authorizations: ReadonlyArray<string | undefined>;
  /** Bodies as received. */
  readonly bodies: ReadonlyArray<string>;
  readonly setBroken: (broken: boolean) => void;
}

const spansOf = (body: string): ReadonlyArray<CollectedSpan> =>
  (
    JSON.parse(body) as { resourceSpans: Array<{ scopeSpans: Array<{ spans: Array<CollectedSpan> }> }> }
  ).resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);

const KEEP_ALIVE_MS = 600_000;

const start = async () => {
  const spans: Array<CollectedSpan> = [];
  const bodies: Array<string> = [];
  const authorizations: Array<string | undefined> = [];
  let broken = false;
  // Exporters send every few seconds: none of them may find its connection closed at that moment.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      bodies.push(body);
      authorizations.push(request.headers.authorization);
      if (!broken && request.url === "/v1/traces") spans.push(...spansOf(body));
      response.writeHead(broken ? 400 : 200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const collector: Collector = { url, spans, bodies, authorizations, setBroken: (value) => (broken = value) };
  return { collector, server };
};

/** Runs until the scope closes. */
export const collector = Effect.map(
  Effect.acquireRelease(Effect.promise(start), ({ server }) =>
    Effect.promise(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    })
  ),
  (started) => started.collector
);
