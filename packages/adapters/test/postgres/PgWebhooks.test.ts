import { suite as endpoints } from "@winnow/core/testing/WebhookEndpointsSuite";
import { suite as outbox } from "@winnow/core/testing/WebhookOutboxSuite";
import * as Layer from "effect/Layer";
import * as PgWebhookEndpoints from "../../src/postgres/PgWebhookEndpoints.ts";
import * as PgWebhookOutbox from "../../src/postgres/PgWebhookOutbox.ts";
import { storeLayer } from "./TestPostgres.ts";

const layer = Layer.mergeAll(PgWebhookEndpoints.layer, PgWebhookOutbox.layer).pipe(
  Layer.provideMerge(storeLayer)
);

endpoints("PostgreSQL", layer);
outbox("PostgreSQL", layer);
