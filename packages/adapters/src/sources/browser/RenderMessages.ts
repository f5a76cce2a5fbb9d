/** Messages between the server and the process that drives the browser. Tests: ChromiumRenderer.test.ts. */
import * as Schema from "effect/Schema";
import { NotRenderedReason, RenderedPage } from "./PageRenderer.ts";

/** The only argument of the process, in JSON. */
export interface HostSetup {
  /** Command that starts the browser, with its wrappers outermost first. */
  readonly command: ReadonlyArray<string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly flags: ReadonlyArray<string>;
}

/** With the first message, once the browser runs. */
export interface HostReady {
  readonly browserPid: number;
}

/** Header of a request. */
export interface RenderTask {
  readonly url: string;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly proxy: { readonly server: string; readonly username: string; readonly password: string };
}

/** Bytes of an answer, as JSON. */
export const RenderAnswer = Schema.Union([
  Schema.Struct({ page: RenderedPage }),
  Schema.Struct({ failed: NotRenderedReason })
]);

export type RenderAnswer = typeof RenderAnswer.Type;
