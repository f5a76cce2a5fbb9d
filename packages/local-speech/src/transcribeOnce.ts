/** Tries the model: what is said in one recording, for `winnow models test`. Tests: the CLI's modelCommands.test.ts. */
import { AUDIO_FILE, contentTypeOf } from "@winnow/core/domain/result/ArtifactName";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { Transcriber } from "@winnow/core/ports/Transcriber";
import * as Effect from "effect/Effect";
import { SAMPLE_HERTZ } from "./RecogniserMessages.ts";

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const SECOND_BYTES = SAMPLE_BYTES * SAMPLE_HERTZ;

/** A second of nothing, as a WAV file (PCM, one channel): enough to load a model and to send it something. */
const silence = (): Uint8Array => {
  const bytes = Buffer.alloc(HEADER_BYTES + SECOND_BYTES);
  bytes.write("RIFF");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(SAMPLE_HERTZ, 24);
  bytes.writeUInt32LE(SECOND_BYTES, 28);
  bytes.writeUInt16LE(SAMPLE_BYTES, 32);
  bytes.writeUInt16LE(8 * SAMPLE_BYTES, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(SECOND_BYTES, 40);
  return bytes;
};

/** By default of a second of silence. */
export const transcribeOnce = (source: FetchedFile["source"] = { _tag: "Bytes", bytes: silence() }) =>
  Transcriber.use(({ transcribe }) =>
    transcribe(
      { name: AUDIO_FILE, contentType: contentTypeOf(AUDIO_FILE), sizeBytes: 0, source },
      { language: null }
    )
  ).pipe(Effect.provideService(CurrentRun, runFor("")));
