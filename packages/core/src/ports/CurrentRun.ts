/**
 * The run for which a port is called: whose turn it takes where accounts share something scarce, who sees its progress,
 * and how many tokens it may use. A call for something else, such as a quote, gets a run that nobody watches.
 * Tests: PortCalls.test.ts.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { StepProgress } from "../domain/run/RunProgress.ts";
import type { InputText } from "../domain/text/InputText.ts";
import { makeTokenMeter, type TokenMeter } from "./TokenMeter.ts";

/** What was said in a file of the run. */
export interface HeardWords {
  readonly text: InputText;
  /** About the words, for the caller. */
  readonly warnings: ReadonlyArray<string>;
}

export interface Run {
  /** Accounts take turns; empty for what the operator or an embedding program does itself. */
  readonly accountId: string;
  /** Shows progress to who watches the run. */
  readonly report: (progress: StepProgress) => Effect.Effect<void>;
  readonly meter: TokenMeter;
  /** By the name of the file: a transcription is paid for once, whatever reads it. */
  readonly heard: Map<string, HeardWords>;
}

/** By default nobody watches it, and its tokens are not limited. */
export const runFor = (accountId: string, over: Partial<Omit<Run, "accountId">> = {}): Run => ({
  accountId,
  report: () => Effect.void,
  meter: makeTokenMeter(Number.POSITIVE_INFINITY),
  heard: new Map(),
  ...over
});

/** Reading it dies where none is provided. */
export class CurrentRun extends Context.Reference<Run>("@winnow/core/ports/CurrentRun", {
  defaultValue: () => {
    throw new Error("A port was called outside of a run: provide CurrentRun");
  }
}) {}
