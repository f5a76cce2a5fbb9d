// @module-tag long
import { suite } from "@winnow/testing/suites/SchemaLibrarySuite";
import * as Layer from "effect/Layer";
import * as PgSchemaLibrary from "../../../src/database/store/PgSchemaLibrary.ts";
import { storeLayer } from "./TestPostgres.ts";

suite("PostgreSQL", Layer.provideMerge(PgSchemaLibrary.layer, storeLayer));
