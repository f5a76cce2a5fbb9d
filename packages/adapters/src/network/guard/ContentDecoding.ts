/**
 * Decodes one Content-Encoding as a stream, so that the decoded bytes can be counted and stopped early.
 *
 * undici's limits count encoded bytes, and two megabytes of gzip can contain two gigabytes.
 */
import { pipeline, type Transform } from "node:stream";
import * as zlib from "node:zlib";

/** The encodings we accept. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/** A body that cannot be decoded: several encodings, an unknown one, or damaged. */
export class UndecodableBody extends Error {}

/** Truncated streams are accepted as far as they go, as browsers do. */
const LENIENT_END = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI_END = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

/** RFC 9659: the window of the zstd content coding is at most 8 MiB. */
const ZSTD_LIMITS = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

/**
 * "deflate" means zlib in RFC 9110, but many servers send raw deflate; a zlib header has 8 in its low four bits.
 */
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
  // Errors on either side destroy the decoder, so that its reader gets the error.
  pipeline(whole, decoder, () => {});
  yield* decoder;
}

/** `contentEncoding` is the header's value. Throws `UndecodableBody` for several or unknown encodings. */
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
