import { suite } from "@winnow/core/testing/JobQueueSuite";
import { queueLayer } from "../postgres/TestPostgres.ts";

suite("pg-boss", queueLayer);
