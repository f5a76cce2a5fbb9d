// @module-tag long
import { suite } from "@winnow/testing/suites/store/StoreSuite";
import { storeLayer } from "./TestPostgres.ts";

suite("PostgreSQL", storeLayer);
