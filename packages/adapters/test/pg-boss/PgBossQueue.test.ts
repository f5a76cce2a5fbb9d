import { suite } from "@winnow/testing/suites/JobQueueSuite";
import { queueLayer } from "../postgres/TestPostgres.ts";

suite("pg-boss", queueLayer);
