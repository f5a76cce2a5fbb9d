/** Health checks and metrics: served by every process, whatever its role. */
import * as Schema from "effect/Schema";
import * as HttpApi from "effect/http-api/HttpApi";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { NotReady } from "../../http/ApiErrors.ts";
import { described, field, titled } from "../../http/openapi/described.ts";

const Health = described("Health", "The check passed.", {
  status: field(Schema.Literal("ok"), "Always `ok`.", "ok")
});

const MetricsText = Schema.String.annotate({
  description: "Prometheus text exposition format 0.0.4.",
  examples: [
    "# HELP winnow_queue_jobs Jobs of the queue, over all processes\n# TYPE winnow_queue_jobs gauge\n" +
      'winnow_queue_jobs{state="waiting"} 0\n'
  ]
}).pipe(HttpApiSchema.asText({ contentType: "text/plain" }));

export class HealthApi extends HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("healthz", "/healthz", { success: Health }).annotateMerge(
      titled("Liveness check", "200 as long as the process responds.")
    ),
    HttpApiEndpoint.get("readyz", "/readyz", { success: Health, error: NotReady }).annotateMerge(
      titled(
        "Readiness check",
        "200 when the database responds and, in a process that executes runs, the worker is active.",
        { call: "admin.health", retry: false }
      )
    ),
    HttpApiEndpoint.get("metrics", "/metrics", { success: MetricsText }).annotateMerge(
      titled(
        "Get metrics",
        "For Prometheus. Counters cover this process; runs and queue cover the whole database.",
        { call: "admin.metrics" }
      )
    )
  )
  .annotateMerge(
    OpenApi.annotations({ description: "For the operator. Public: they need no key and reveal no secrets." })
  ) {}

/**
 * All endpoints of a process with `WINNOW_ROLE=worker`. It has the same name as Api, so that the handlers fit
 * both.
 */
export class WorkerApi extends HttpApi.make("winnow").add(HealthApi) {}
