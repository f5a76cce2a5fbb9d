import { suite } from "@winnow/core/testing/StoreSuite";
import { storeLayer } from "./TestPostgres.ts";

suite("PostgreSQL", storeLayer);
