/** Messages between the server and the process that drives the browser: one JSON object per line. */
import type { PageNotRendered, RenderedPage } from "../PageRenderer.ts";

/** First message to the process. */
export interface HostSetup {
  /** Command that starts the browser, with its wrappers outermost first. */
  readonly command: ReadonlyArray<string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly flags: ReadonlyArray<string>;
}

export interface RenderTask {
  readonly id: number;
  readonly url: string;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly proxy: { readonly server: string; readonly username: string; readonly password: string };
}

export type HostRequest = RenderTask | { readonly cancel: number };

export type RenderAnswer =
  | { readonly id: number; readonly page: RenderedPage }
  | { readonly id: number; readonly failed: PageNotRendered["reason"] };

export type HostAnswer =
  | { readonly ready: string; readonly browserPid: number }
  | { readonly notReady: string }
  /** A rendering was cancelled and its page is closed. */
  | { readonly cancelled: number }
  | RenderAnswer;
