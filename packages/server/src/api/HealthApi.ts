/**
 * What an operator watches: every process answers these, whatever its role (contract 8).
 */
import * as Schema from "effect/Schema";
import * as HttpApi from "effect/http-api/HttpApi";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { NotReady } from "./ApiErrors.ts";
import { described } from "./described.ts";

const Health = described(
  { status: Schema.Literal("ok") },
  {
    identifier: "Health",
    description: "All is well.",
    fields: { status: "Always `ok`." },
    examples: [{ status: "ok" }]
  }
);

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
      OpenApi.annotations({ summary: "Is the server up", description: "200 as long as it answers." })
    ),
    HttpApiEndpoint.get("readyz", "/readyz", { success: Health, error: NotReady }).annotateMerge(
      OpenApi.annotations({
        summary: "Can the server do its work",
        description:
          "200 when the database answers and, in a process that carries out runs, the worker is on."
      })
    ),
    HttpApiEndpoint.get("metrics", "/metrics", { success: MetricsText }).annotateMerge(
      OpenApi.annotations({
        summary: "Numbers for the operator",
        description:
          "For Prometheus to scrape. Counters are of this process; runs and queue are of the whole database."
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ description: "For the operator. Public: no key needed, no secret shown." })
  ) {}

/** All that a process with `WINNOW_ROLE=worker` answers; of one name with Api, so that handlers fit both. */
export class WorkerApi extends HttpApi.make("winnow").add(HealthApi) {}
