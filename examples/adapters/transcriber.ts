/** A custom Transcriber: a speech service of one's own, which answers with lines of JSON as it hears. */
import { openAsBlob } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { Failed, type PromiseTranscriber } from "@winnow/server";

/** The first line says how long the recording is, 0 without sound; each other one is a sentence. */
type Line =
  | { readonly seconds: number }
  | { readonly start: number; readonly end: number; readonly text: string };

const failed = () => new Failed({ reason: "speech_unavailable", message: "The speech service failed." });

export const transcriber = (url: string): PromiseTranscriber => ({
  model: "ears-2", // part of the cache key: change it when it hears differently
  transcribe: async ({ source }, { language }, signal, { report }) => {
    const body =
      source._tag === "Bytes" ? new Blob([new Uint8Array(source.bytes)]) : await openAsBlob(source.path);
    const response = await fetch(`${url}?language=${language ?? ""}`, { method: "POST", body, signal });
    if (!response.ok || response.body === null) throw failed();
    let totalSeconds = 0;
    const segments = [];
    for await (const text of createInterface({ input: Readable.fromWeb(response.body) })) {
      const line: Line = JSON.parse(text);
      if ("seconds" in line) totalSeconds = line.seconds;
      else segments.push({ text: line.text, startSeconds: line.start, endSeconds: line.end });
      report({ step: "transcribing", doneSeconds: segments.at(-1)?.endSeconds ?? 0, totalSeconds });
    }
    report({ step: "transcribing", doneSeconds: totalSeconds, totalSeconds });
    return totalSeconds === 0 ? null : { language, segments };
  }
});
