/** Videos without captions and what a speech model hears in them, for tests of speech. */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import type { Failed } from "../../../src/domain/source/Failed.ts";
import { resultView } from "../../../src/domain/result/ResultView.ts";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import { type TranscribedSpeech, Transcriber } from "../../../src/ports/Transcriber.ts";
import type { FakeSource } from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { VIDEO, world, type WorldOptions } from "../World.ts";

export const SECONDS = 200;

export const WORDS: TranscribedSpeech = {
  language: "de",
  segments: [
    { startSeconds: 1, endSeconds: 2.5, text: "Guten Tag." },
    { startSeconds: 3, endSeconds: 4, text: "Es kostet 12 Euro." }
  ]
};

export const video = (more: Partial<FakeSource> = {}, facts = {}) => ({
  sources: {
    [VIDEO]: { facts: sampleFacts({ durationSeconds: SECONDS, hasSubtitles: false, ...facts }), ...more }
  }
});

export const ear = (answer: Effect.Effect<TranscribedSpeech | null, Failed>) =>
  Layer.succeed(Transcriber, { model: "ear", transcribe: () => answer });

export const hearing = (
  answer: Effect.Effect<TranscribedSpeech | null, Failed> = Effect.succeed(WORDS),
  options: WorldOptions = video()
) => Layer.provideMerge(world(options), ear(answer));

/** Base fee, transcript, download of the audio, and the audio rate. */
export const PRICE = 50 + 10 + 0.2 * SECONDS + SECONDS;

export const asked = { url: VIDEO, parts: ["transcript"], speech: true };

export const completeView = (extraction: Extraction) => {
  const view = resultView(extraction, "https://winnow.example");
  return view.status === "complete" ? view : assert.fail(JSON.stringify(view));
};

export const text = Effect.fnUntraced(function* ({ result }: Extraction, name: string) {
  const store = yield* ArtifactStore;
  const { artifacts, artifactOwner } = result ?? assert.fail();
  const { sizeBytes } = artifacts.find((each) => each.name === name) ?? assert.fail(`no ${name}`);
  return yield* store
    .read({ ...artifactOwner, name }, { start: 0, end: sizeBytes - 1 })
    .pipe(Stream.decodeText(), Stream.mkString);
});

export const kept = ({ creditsDebited, creditsRefunded }: Extraction) => creditsDebited - creditsRefunded;
