/**
 * A transcription server that recognizes beeps as words: it decodes its input and returns the time of each. It
 * can make the errors that speech models and their servers make.
 */
import { spawn } from "node:child_process";
import * as Effect from "effect/Effect";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";
import { pausesAndBeeps, type Beep } from "../model/beeps.ts";

export interface Faults {
  /** Refuses longer files, with a provider's message. */
  readonly refusesSecondsOver?: number;
  /** Answers 500 to the first `times` requests for this chunk; the first to arrive is number 0. */
  readonly failing?: { readonly piece: number; readonly times: number };
  /** Transcribes every pause of at least three seconds as "Thank you for watching." */
  readonly invents?: boolean;
  /** Finds no words in audible sound. */
  readonly findsNoWords?: boolean;
  /** Has no words for a file in which sound begins earlier than this. */
  readonly leadInSeconds?: number;
  /** Always returns nothing for the chunk that begins within a second of this; chunks arrive in any order. */
  readonly deafAtSeconds?: number;
  /** Transcribes everything as one segment with times for its words. */
  readonly joins?: boolean;
}

interface Segment extends Beep {
  readonly text: string;
}

const SAMPLE_HERTZ = 8_000;

const decoded = (sound: Uint8Array): Promise<Int16Array> =>
  new Promise((resolve, reject) => {
    const options = `-v error -i pipe:0 -f s16le -ac 1 -ar ${SAMPLE_HERTZ} pipe:1`;
    const child = spawn("ffmpeg", options.split(" "), { stdio: ["pipe", "pipe", "inherit"] });
    const chunks: Array<Buffer> = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", () => {
      const bytes = new Uint8Array(Buffer.concat(chunks));
      resolve(new Int16Array(bytes.buffer, 0, Math.floor(bytes.length / 2)));
    });
    child.stdin.on("error", () => {});
    child.stdin.end(sound);
  });

const words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf"];

/** What it hears in beeps, in order. */
export const wordsOf = (beeps: ReadonlyArray<Beep>): ReadonlyArray<Segment> =>
  beeps.map((beep, index) => ({
    ...beep,
    text: ` ${words[index % words.length]} ${Math.floor(index / words.length)}`
  }));

const heard = (samples: Int16Array, faults: Faults): ReadonlyArray<Segment> => {
  const { beeps, pauses } = pausesAndBeeps(samples, SAMPLE_HERTZ);
  const isEarly = (beeps[0]?.startSeconds ?? 0) < (faults.leadInSeconds ?? 0);
  if (faults.findsNoWords === true || isEarly) return [];
  const said = wordsOf(beeps);
  const invented = pauses
    .filter(({ startSeconds, endSeconds }) => faults.invents === true && endSeconds - startSeconds >= 3)
    .map((pause): Segment => ({ ...pause, text: " Thank you for watching." }));
  return [...said, ...invented].toSorted((left, right) => left.startSeconds - right.startSeconds);
};

const asSegments = (segments: ReadonlyArray<Segment>) =>
  segments.map(({ text, startSeconds, endSeconds }, id) => ({
    id,
    text,
    start: startSeconds,
    end: endSeconds,
    avg_logprob: -0.2,
    no_speech_prob: 0.1
  }));

const asWords = (segments: ReadonlyArray<Segment>) =>
  segments.map(({ text, startSeconds, endSeconds }) => ({
    word: text.trim(),
    start: startSeconds,
    end: endSeconds
  }));

/** All as one segment, each a sentence of it. */
const asOne = (segments: ReadonlyArray<Segment>) => ({
  words: asWords(segments),
  segments: asSegments([
    {
      text: segments.map(({ text }) => `${text}.`).join(""),
      startSeconds: segments[0]?.startSeconds ?? 0,
      endSeconds: segments.at(-1)?.endSeconds ?? 0
    }
  ])
});

const bodyOf = (segments: ReadonlyArray<Segment>, seconds: number, { joins }: Faults) => {
  const body = {
    task: "transcribe",
    language: "english",
    duration: seconds,
    text: segments.map(({ text }) => text).join("")
  };
  return { ...body, ...(joins === true ? asOne(segments) : { segments: asSegments(segments) }) };
};

/** Where a chunk begins in its recording, which its name says. */
const startSecondsOf = ({ name }: File): number => Number(/^sound-(.+)\.mp3$/u.exec(name)?.[1]);

export interface FakeTranscriptionServer {
  readonly baseUrl: string;
  /** Duration of each received file, in order, in seconds. */
  readonly heardSeconds: ReadonlyArray<number>;
}

/** Runs until the scope closes. */
export const fakeTranscriptionServer = Effect.fnUntraced(function* (faults: Faults = {}) {
  const heardSeconds: Array<number> = [];
  const names: Array<string> = [];
  const asked = new Map<string, number>();
  const { url } = yield* serve((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    const handle = async () => {
      const chunks: Array<Uint8Array> = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const type = request.headers["content-type"] ?? "";
      const form = await new Response(Buffer.concat(chunks), {
        headers: { "content-type": type }
      }).formData();
      const file = form.get("file") as File;
      if (!names.includes(file.name)) names.push(file.name);
      const times = (asked.get(file.name) ?? 0) + 1;
      asked.set(file.name, times);
      const { failing } = faults;
      if (failing !== undefined && names.indexOf(file.name) === failing.piece && times <= failing.times) {
        return answer(500, { error: { message: "Lost it." } });
      }
      const samples = await decoded(new Uint8Array(await file.arrayBuffer()));
      const seconds = samples.length / SAMPLE_HERTZ;
      const over = faults.refusesSecondsOver ?? Number.POSITIVE_INFINITY;
      if (seconds > over) {
        const message = `audio duration ${seconds} seconds is longer than ${over} seconds which is the maximum for this model`;
        return answer(400, { error: { message, type: "invalid_request_error" } });
      }
      heardSeconds.push(seconds);
      const isDeaf = Math.abs(startSecondsOf(file) - (faults.deafAtSeconds ?? Number.NaN)) <= 1;
      answer(200, bodyOf(isDeaf ? [] : heard(samples, faults), seconds, faults));
    };
    handle().catch(() => response.destroy());
  });
  const server: FakeTranscriptionServer = { baseUrl: `${url}/v1`, heardSeconds };
  return server;
});
