import { Failed } from "@winnow/core/domain/source/Failed";
import { textFile } from "@winnow/core/ports/Downloader";
import { suite } from "@winnow/testing/suites/TranscriberSuite";
import { portLayer, type PromiseTranscriber } from "../../src/embed/promisePorts.ts";

const utterances = [
  { text: "What is heavy stays.", startSeconds: 1, endSeconds: 3 },
  { text: "What is light goes.", startSeconds: 4, endSeconds: 6.5 }
];

/** Ends early if nobody wants to hear it any more. */
const breath = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, 20);
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  });

const ear: PromiseTranscriber = {
  model: "ear",
  transcribe: async ({ name }, _options, signal, { report }) => {
    if (name === "video.mp4") return null;
    report({ step: "transcribing", doneSeconds: 0, totalSeconds: 8 });
    await breath(signal);
    report({ step: "transcribing", doneSeconds: 8, totalSeconds: 8 });
    return { language: "en", segments: name === "audio.mp3" ? [] : utterances };
  }
};

const broken: PromiseTranscriber = {
  model: "ear",
  transcribe: () => Promise.reject(new Failed({ reason: "speech_unavailable", message: "It is away." }))
};

suite("an object of promises", portLayer({ transcriber: ear }), {
  broken: portLayer({ transcriber: broken }),
  recordings: {
    spoken: { file: textFile("audio.m4a", "spoken"), durationSeconds: 8, utterances },
    silent: textFile("audio.mp3", "silent"),
    soundless: textFile("video.mp4", "soundless")
  }
});
