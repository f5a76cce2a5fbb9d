/** What the server and the process that drives the browser tell each other: one JSON object a line. */
import type { PageNotRendered, RenderedPage } from "../page/PageRenderer.ts";

/** First line to the process. */
export interface HostSetup {
  /** Absolute path of the browser, and what it is started through, outermost first. */
  readonly command: ReadonlyArray<string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly flags: ReadonlyArray<string>;
}

export interface RenderTask {
  readonly id: number;
  readonly url: string;
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
  /** A rendering was cancelled, and its page is closed. */
  | { readonly cancelled: number }
  | RenderAnswer;
