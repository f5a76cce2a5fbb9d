/**
 * Undoes one Content-Encoding as a stream, so that whoever counts the decoded bytes can stop early.
 *
 * The limits of undici count encoded bytes, and two megabytes of gzip can hold two gigabytes.
 */
import { pipeline, type Transform } from "node:stream";
import * as zlib from "node:zlib";

/** What we ask for. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/** A body that cannot be decoded: stacked, unknown or damaged. */
export class UndecodableBody extends Error {}

/** Servers end their streams carelessly; like browsers, take what came. */
const LENIENT_END = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI_END = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

/** RFC 9659: the window of a zstd content coding is 8 MiB at most. */
const ZSTD_LIMITS = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

/** "deflate" is zlib by RFC 9110, yet many servers send it raw: a zlib header has 8 in its low four bits. */
const inflateEither = (first: Uint8Array): Transform =>
  ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(LENIENT_END) : zlib.createInflateRaw(LENIENT_END);

const DECODERS: ReadonlyMap<string, (first: Uint8Array) => Transform> = new Map([
  ["gzip", () => zlib.createGunzip(LENIENT_END)],
  ["x-gzip", () => zlib.createGunzip(LENIENT_END)],
  ["deflate", inflateEither],
  ["br", () => zlib.createBrotliDecompress(LENIENT_BROTLI_END)],
  ["zstd", () => zlib.createZstdDecompress(ZSTD_LIMITS)]
]);

async function* decodeWith(
  makeDecoder: (first: Uint8Array) => Transform,
  body: AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  const encoded = body[Symbol.asyncIterator]();
  const first = await encoded.next();
  if (first.done === true) return;
  const decoder = makeDecoder(first.value);
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => encoded };
  };
  // An error of either side destroys the decoder with it, so that reading the decoder throws it.
  pipeline(whole, decoder, () => {});
  yield* decoder;
}

/** `contentEncoding` is the header's value. Throws `UndecodableBody` for stacked or unknown encodings. */
export const decodeBody = (
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined
): AsyncIterable<Uint8Array> => {
  const codings = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  const [coding] = codings;
  if (coding === undefined) return body;
  const makeDecoder = DECODERS.get(coding);
  if (codings.length > 1 || makeDecoder === undefined) {
    throw new UndecodableBody("The response has an unsupported content encoding");
  }
  return decodeWith(makeDecoder, body);
};
