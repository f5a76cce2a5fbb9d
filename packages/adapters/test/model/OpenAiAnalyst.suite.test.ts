// @module-tag long
import { suite } from "@winnow/testing/suites/AnalystSuite";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { analystOn, requestOf } from "./Analysing.ts";
import { keepWorkers } from "./KeptWorkers.ts";

keepWorkers();

const analyst = (model: string) => Layer.unwrap(Effect.map(analystOn(model), ({ layer }) => layer));

suite("any OpenAI-compatible server", analyst("fake-ok"), {
  request: requestOf(),
  unmatched: analyst("fake-no-match"),
  broken: analyst("fake-always-server-error"),
  silent: analyst("fake-slow"),
  countsTokens: true
});
