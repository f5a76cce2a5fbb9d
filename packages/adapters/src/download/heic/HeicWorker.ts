/** Entry of a worker thread: one HEIC picture in, its pixels out. Knows no Effect, so that it starts fast. */
import { Console } from "node:console";
import { Writable } from "node:stream";
import { parentPort } from "node:worker_threads";
import decoder from "heic-decode";

export interface HeicTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pixelsMax: number;
}

/** Four bytes a pixel: red, green, blue, opacity. */
export interface HeicPixels {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

interface Encoded {
  readonly width: number;
  readonly height: number;
  readonly decode: () => Promise<{
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
  }>;
}

// libheif reports broken files on the console, where they are nobody's business.
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));

/** The first picture, upright as its file says; null when it has more pixels than allowed. */
const decode = async ({ bytes, pixelsMax }: HeicTask): Promise<HeicPixels | null> => {
  // The published types know nothing of the sizes, which are there before anything is decoded.
  const pictures = (await decoder.all({ buffer: bytes })) as unknown as ReadonlyArray<Encoded>;
  const [first] = pictures;
  if (first === undefined || first.width * first.height > pixelsMax) return null;
  const { data, width, height } = await first.decode();
  return { data: new Uint8Array(data.buffer as ArrayBuffer), width, height };
};

parentPort?.on("message", (task: HeicTask) => {
  // A rejection becomes an error of the thread, which its owner sees.
  void decode(task).then((pixels) =>
    parentPort?.postMessage({ pixels }, pixels === null ? [] : [pixels.data.buffer])
  );
});
