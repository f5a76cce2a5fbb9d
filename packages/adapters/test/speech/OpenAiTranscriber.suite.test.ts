// @module-tag long
import { join } from "node:path";
import { suite } from "@winnow/testing/suites/TranscriberSuite";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { beepsBetween, makeBeeps } from "../model/beeps.ts";
import { ffmpeg, fileOf, temporaryFolder } from "../model/inputs/media.ts";
import { type Faults, fakeTranscriptionServer, wordsOf } from "./FakeTranscriptionServer.ts";
import { transcriberOf } from "./transcribers.ts";

const folder = temporaryFolder();
await ffmpeg(folder, ..."-f lavfi -i color=black:size=64x64:rate=10:duration=2 still.mp4".split(" "));

const beeps = beepsBetween(1, 19);
const on = (faults: Faults) =>
  Layer.unwrap(
    Effect.map(fakeTranscriptionServer(faults), ({ baseUrl }) => transcriberOf(baseUrl, join(folder, "work")))
  );

suite("any OpenAI-compatible server", on({}), {
  broken: on({ failing: { piece: 0, times: Number.POSITIVE_INFINITY } }),
  recordings: {
    spoken: {
      file: makeBeeps(folder, "spoken.wav", 20, beeps),
      durationSeconds: 20,
      utterances: wordsOf(beeps)
    },
    silent: makeBeeps(folder, "silent.wav", 5, []),
    soundless: { ...fileOf(folder, "still.mp4"), name: "video.mp4" }
  }
});
