/**
 * The engine in this process, for one command: memory for money and queue, the real downloader, and an
 * account that can pay for anything.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOP_UP_CREDITS_MAX } from "@winnow/core/domain/TopUp";
import { Accounts } from "@winnow/core/engine/Accounts";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as App from "../App.ts";
import type { Settings } from "../Config.ts";
import { engineSettings } from "../Serve.ts";
import { CliFailed } from "./CliFailed.ts";

const workFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
);

/** Builds the engine for the scope; missing programs and similar problems are reported in plain English. */
export const localEngine = Effect.fnUntraced(function* (settings: Settings) {
  const { localPorts } = yield* Effect.promise(() => import("../main.ts"));
  const folder = yield* workFolder;
  const services = Layer.merge(localPorts(settings, folder), engineSettings(settings));
  return yield* Layer.build(App.engine.pipe(Layer.provideMerge(services))).pipe(
    Effect.mapError((error) => new CliFailed({ message: error.message }))
  );
});

/** An account whose balance never stands in the way. */
export const localAccount = Effect.gen(function* () {
  const accounts = yield* Accounts;
  const { id } = yield* accounts.create("local");
  yield* accounts.topUp(id, TOP_UP_CREDITS_MAX);
  return id;
});

interface Refused {
  readonly _tag: string;
  readonly message?: string;
}

/** What the engine refuses, for people. */
export const inWords = (refusal: Refused): CliFailed =>
  new CliFailed({
    message:
      refusal.message === undefined || refusal.message === "" ? `Refused: ${refusal._tag}.` : refusal.message
  });
