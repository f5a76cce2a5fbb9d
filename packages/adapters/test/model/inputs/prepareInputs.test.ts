// @module-tag long
import { inRun } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as FfmpegMediaReader from "../../../src/model/media/FfmpegMediaReader.ts";
import * as LlmClient from "../../../src/model/provider/LlmClient.ts";
import * as OpenAiClient from "../../../src/model/provider/OpenAiClient.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, beforeAll, describe, it } from "@effect/vitest";
import type { InputText } from "@winnow/core/domain/text/InputText";
import type { Modality } from "@winnow/core/domain/source/Modality";
import type { Material } from "@winnow/core/ports/Analyst";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { isWorthAsking, prepareInputs } from "../../../src/model/prepareInputs.ts";
import { FRAMES_MAX } from "../../../src/model/media/pictures.ts";
import { fakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import { runFolders } from "../../sources/harness.ts";
import { FACTS } from "../Analysing.ts";
import { makePicture, makeTone, makeVideo, temporaryFolder } from "./media.ts";

const folder = temporaryFolder();
const workDir = join(folder, "work");

let video: FetchedFile;
let audio: FetchedFile;
let longAudio: FetchedFile;
let thumbnail: FetchedFile;
let slides: ReadonlyArray<FetchedFile>;

beforeAll(async () => {
  const options = "-c:v libx264 -preset ultrafast -g 10 -pix_fmt yuv420p -c:a aac";
  video = await makeVideo(folder, "video.mp4", { sceneSeconds: 1, options, size: "320x180" });
  audio = { ...(await makeTone(folder, "short.wav", 5)), name: "audio.m4a" };
  longAudio = { ...(await makeTone(folder, "long.wav", 260)), name: "audio.m4a" };
  thumbnail = await makePicture(folder, "thumbnail.jpg", "640x360");
  slides = [
    await makePicture(folder, "image.01.jpg", "1600x1200"),
    await makePicture(folder, "image.02.jpg", "300x300")
  ];
});

const subtitles: InputText = {
  source: "transcript",
  segments: [{ text: "Said in the subtitles.", startSeconds: 0, endSeconds: 2, author: null }]
};

const materialOf = (
  inputs: ReadonlyArray<Modality>,
  media: ReadonlyArray<FetchedFile>,
  texts: ReadonlyArray<InputText> = []
): Material => ({
  spokenLanguage: null,
  facts: { ...FACTS, kind: "video" },
  prompt: null,
  inputs,
  media,
  texts
});

type PreparingServices = Effect.Services<ReturnType<typeof prepareInputs>>;

/** A model server, and the inputs prepared for it. */
const prepared = Effect.fnUntraced(function* (
  model: string,
  use: Effect.Effect<unknown, unknown, PreparingServices> | null,
  ...materials: ReadonlyArray<Material>
) {
  const server = yield* fakeOpenAi({ spokenText: "First words. Then others." });
  const client = OpenAiClient.layer({
    apiKey: null,
    baseUrl: server.baseUrl,
    model,
    transcriptionModel: model
  });
  const services = inRun(Layer.merge(client, Layer.orDie(FfmpegMediaReader.layer({ workDir }))));
  const inputs = yield* Effect.provide(
    Effect.gen(function* () {
      if (use !== null) yield* Effect.ignore(use);
      return yield* Effect.forEach(materials, (material) => prepareInputs(material));
    }),
    services
  );
  const transcriptions = server.requests.filter(({ path }) => path === "/v1/audio/transcriptions");
  return { inputs, transcriptions };
});

/** A request that the server rejects, so that the client learns what it does not support. */
const asked = (type: "image" | "audio") =>
  Effect.flatMap(LlmClient.LlmClient, (client) =>
    client.complete({
      messages: [
        {
          role: "user",
          content: [
            type === "image"
              ? { type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } }
              : { type: "input_audio", input_audio: { format: "mp3", data: "AAAA" } }
          ]
        }
      ],
      schema: null,
      isStrict: true,
      maxOutputTokens: 100
    })
  );

describe("sound", () => {
  it.live("is transcribed, with the times of the media, and can be quoted", () =>
    Effect.gen(function* () {
      const { inputs, transcriptions } = yield* prepared(
        "fake-ok",
        null,
        materialOf(["audio"], [longAudio], [subtitles])
      );
      const [{ texts, transcribed, media, unavailable, warnings } = assert.fail()] = inputs;
      assert.deepStrictEqual(transcribed[0]?.segments, [
        { text: "First words.", startSeconds: 0, endSeconds: 2, author: null },
        { text: "Then others.", startSeconds: 2, endSeconds: 4, author: null },
        { text: "First words.", startSeconds: 120, endSeconds: 122, author: null },
        { text: "Then others.", startSeconds: 122, endSeconds: 124, author: null }
      ]);
      assert.deepStrictEqual(texts, [
        { ...subtitles, label: "transcript" },
        ...transcribed.map((text) => ({
          ...text,
          label: "transcript of the audio, generated by a speech model"
        }))
      ]);
      assert.deepStrictEqual({ media, unavailable }, { media: [], unavailable: [] });
      // Eight words in four minutes of sound.
      assert.match(warnings.join(), /^The speech model was unsure: [^.]+\.$/u);
      assert.lengthOf(transcriptions, 2);
      assert.deepStrictEqual(runFolders(workDir), []);
    }).pipe(Effect.scoped)
  );

  it.live("of a stretch has the times of the whole video, and so have its frames", () =>
    Effect.gen(function* () {
      const range = { startSec: 65.5, endSec: 70.5 };
      const { inputs } = yield* prepared(
        "fake-ok",
        null,
        { ...materialOf(["audio"], [audio]), range },
        { ...materialOf(["video"], [video], [subtitles]), range }
      );
      const [heard = assert.fail(), seen = assert.fail()] = inputs;
      assert.deepStrictEqual(
        heard.transcribed[0]?.segments.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
        [
          [65.5, 67.5],
          [67.5, 69.5]
        ]
      );
      const [frame = assert.fail()] = seen.media;
      assert.deepInclude(frame, { startSeconds: 65.5 });
      assert.strictEqual(frame.part.label, "frame of the video at 01:05");
    }).pipe(Effect.scoped)
  );

  it.live("has the time of its chunk if the server does not report times", () =>
    Effect.gen(function* () {
      const { inputs } = yield* prepared(
        "fake-refuse-transcription-times",
        null,
        materialOf(["audio"], [longAudio])
      );
      assert.deepStrictEqual(
        inputs[0]?.transcribed[0]?.segments.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
        [
          [0, 120],
          [120, 180],
          [180, 240],
          [240, 260]
        ]
      );
    }).pipe(Effect.scoped)
  );

  it.live("is sent directly if there is no transcription model, which is not tried again", () =>
    Effect.gen(function* () {
      const { inputs, transcriptions } = yield* prepared(
        "fake-refuse-transcription",
        null,
        materialOf(["audio"], [audio]),
        materialOf(["audio"], [audio])
      );
      for (const { media, transcribed, unavailable } of inputs) {
        const [item, ...others] = media;
        const part = item?.part ?? assert.fail();
        assert.strictEqual(part._tag, "Audio");
        assert.strictEqual(part.label, "sound from 00:00 to 00:05");
        const bytes = Buffer.from(part.base64, "base64");
        assert.closeTo(bytes.length, 20_000, 2_000);
        assert.deepStrictEqual(
          { others, transcribed, unavailable },
          { others: [], transcribed: [], unavailable: [] }
        );
      }
      assert.isAtMost(transcriptions.length, 2);
      assert.isTrue(isWorthAsking({ facts: FACTS }, inputs[0] ?? assert.fail()));
    }).pipe(Effect.scoped)
  );

  it.live("counts as unavailable if the model cannot accept it in any form", () =>
    Effect.gen(function* () {
      const { inputs } = yield* prepared("fake-unauthorized", null, materialOf(["audio"], []));
      assert.deepStrictEqual(inputs[0]?.unavailable, ["audio"]);
      assert.isFalse(isWorthAsking({ facts: FACTS }, inputs[0] ?? assert.fail()));
    }).pipe(Effect.scoped)
  );

  it.live("fails the run when the provider does: a busy hour is not a silence", () =>
    Effect.gen(function* () {
      for (const [model, reason] of [
        ["fake-transcription-fails", "speech_unavailable"],
        ["fake-unauthorized", "speech_misconfigured"]
      ] as const) {
        const exit = yield* Effect.flip(prepared(model, null, materialOf(["audio"], [audio])));
        assert.strictEqual(exit.reason, reason);
      }
    }).pipe(Effect.scoped)
  );

  it.live("has no words if the server transcribed none, whatever text it returned", () =>
    Effect.gen(function* () {
      const { inputs } = yield* prepared("fake-hears-silence", null, materialOf(["audio"], [audio]));
      assert.deepStrictEqual(
        [inputs[0]?.transcribed, inputs[0]?.media, inputs[0]?.unavailable],
        [[], [], []]
      );
      assert.isFalse(isWorthAsking({ facts: FACTS }, inputs[0] ?? assert.fail()));
    }).pipe(Effect.scoped)
  );

  it.live("is transcribed once for all rungs of a run, and anew in another run", () =>
    Effect.gen(function* () {
      const again = materialOf(["audio"], [{ ...audio }]);
      const { transcriptions, inputs } = yield* prepared(
        "fake-ok",
        Effect.provideService(prepareInputs(again), CurrentRun, runFor("acc_other")),
        materialOf(["audio"], [audio]),
        materialOf(["audio", "video"], [{ ...audio }, video])
      );
      assert.lengthOf(transcriptions, 2);
      assert.deepStrictEqual(inputs[1]?.transcribed, inputs[0]?.transcribed);
    }).pipe(Effect.scoped)
  );
});

describe("pictures", () => {
  it.live("of a video are frames with their times, and the thumbnail", () =>
    Effect.gen(function* () {
      const { inputs } = yield* prepared(
        "fake-ok",
        null,
        materialOf(["video"], [video, thumbnail], [subtitles])
      );
      const [{ media, texts, unavailable } = assert.fail()] = inputs;
      const labels = media.map(({ part }) => part.label);
      assert.strictEqual(labels[0], "thumbnail of the video");
      assert.isAtMost(labels.length, FRAMES_MAX + 1);
      assert.includeMembers(labels, ["frame of the video at 00:00", "frame of the video at 00:05"]);
      assert.deepStrictEqual(texts, [{ ...subtitles, label: "transcript" }]);
      assert.deepStrictEqual(unavailable, []);
    }).pipe(Effect.scoped)
  );

  it.live("of a video without a transcript come with its audio", () =>
    Effect.gen(function* () {
      const bytes = {
        ...video,
        source: { _tag: "Bytes" as const, bytes: readFileSync(join(folder, "video.mp4")) }
      };
      const { inputs } = yield* prepared("fake-ok", null, materialOf(["video"], [bytes]));
      assert.strictEqual(inputs[0]?.transcribed[0]?.segments[0]?.text, "First words.");
    }).pipe(Effect.scoped)
  );

  it.live("are not created after a model rejected them, and the video counts as unavailable", () =>
    Effect.gen(function* () {
      const { inputs, transcriptions } = yield* prepared(
        "fake-refuse-images",
        asked("image"),
        materialOf(["audio", "video"], [{ ...audio }, video, thumbnail]),
        materialOf(["video"], [video])
      );
      assert.deepStrictEqual(inputs[0]?.unavailable, ["video"]);
      assert.deepStrictEqual(inputs[0]?.media, []);
      assert.lengthOf(inputs[0]?.transcribed ?? [], 1);
      assert.deepStrictEqual(inputs[1]?.transcribed, []);
      assert.lengthOf(transcriptions, 1);
    }).pipe(Effect.scoped)
  );

  it.live("of a photo post are its slides, scaled down; those not read are counted", () =>
    Effect.gen(function* () {
      const broken: FetchedFile = { ...audio, name: "image.03.jpg" };
      const post: Material = {
        ...materialOf([], [...slides, broken, thumbnail]),
        facts: { ...FACTS, kind: "photos", imageCount: 3 }
      };
      const { inputs } = yield* prepared("fake-ok", null, post);
      assert.deepStrictEqual(
        inputs[0]?.media.map(({ part }) => part.label),
        ["slide 1 of 3", "slide 2 of 3"]
      );
      assert.strictEqual(inputs[0]?.unreadSlides, 1);
      const blind = yield* prepared("fake-refuse-images", asked("image"), post);
      assert.deepStrictEqual(blind.inputs[0]?.media, []);
      assert.strictEqual(blind.inputs[0]?.unreadSlides, 3);
    }).pipe(Effect.scoped)
  );

  it.live("of a webpage are ignored, whatever was fetched", () =>
    Effect.gen(function* () {
      const page: Material = { ...materialOf(["transcript"], [thumbnail]), facts: FACTS };
      const { inputs } = yield* prepared("fake-ok", null, page);
      assert.deepStrictEqual(inputs[0]?.media, []);
      assert.isFalse(isWorthAsking({ facts: FACTS }, inputs[0] ?? assert.fail()));
    }).pipe(Effect.scoped)
  );
});
