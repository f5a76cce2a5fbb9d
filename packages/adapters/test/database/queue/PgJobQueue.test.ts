// @module-tag long
import { suite } from "@winnow/testing/suites/JobQueueSuite";
import { queueLayer } from "../store/TestPostgres.ts";

suite("PostgreSQL", queueLayer);
