/** A process that renders a page that never finishes loading, until it is killed. Arguments: URL, work folder. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { findChromium } from "../../../src/sources/browser/ChromiumProgram.ts";
import * as ChromiumRenderer from "../../../src/sources/browser/ChromiumRenderer.ts";
import { PageRenderer } from "../../../src/sources/browser/PageRenderer.ts";

const [url = "", workDir = ""] = process.argv.slice(2);

await Effect.runPromise(
  PageRenderer.use((renderer) => renderer.render(url)).pipe(
    Effect.ignore,
    Effect.provide(
      ChromiumRenderer.layer({ program: findChromium() ?? "", workDir }).pipe(
        Layer.provide(GuardedEgress.layer({ allow: [new URL(url).host] })),
        inRun
      )
    )
  )
);
