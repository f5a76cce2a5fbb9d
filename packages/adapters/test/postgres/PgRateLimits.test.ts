import { suite } from "@winnow/core/testing/RateLimitsSuite";
import * as Layer from "effect/Layer";
import * as PgRateLimits from "../../src/postgres/PgRateLimits.ts";
import { connectionLayer } from "./TestPostgres.ts";

suite("PostgreSQL", Layer.provide(PgRateLimits.layer, connectionLayer));
