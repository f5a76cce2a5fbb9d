/**
 * The protocol between a server and its worker processes: a JSON header and the bytes, over a pipe. Node's own
 * channel would copy every image into a message first, and keep that memory for a long time. Tests:
 * ServerProcess.test.ts.
 */
import type { Readable, Writable } from "node:stream";

/** Lengths of header and bytes, each as an unsigned 32-bit big-endian number. */
const LENGTHS_BYTES = 8;

/** Longer than the address and the type of any page. */
const HEADER_BYTES_MAX = 65_536;

/** Exit code of a worker after a RangeError: a text, list or buffer would have been too long, or calls too deep. */
export const TOO_LARGE_EXIT_CODE = 75;

export interface Frame {
  readonly header: object;
  readonly bytes: Uint8Array;
}

export const NO_BYTES = new Uint8Array();

/** A frame without a header, whose bytes are JSON. */
export const jsonFrame = (value: object): Frame => ({
  header: {},
  bytes: Buffer.from(JSON.stringify(value))
});

export const textOf = ({ bytes }: Frame): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

/** Of a {@link jsonFrame}. Throws SyntaxError. */
export const jsonOf = (frame: Frame): unknown => JSON.parse(textOf(frame));

export const writeFrame = (to: Writable, { bytes, header }: Frame): void => {
  const head = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32BE(head.length, 0);
  lengths.writeUInt32BE(bytes.length, 4);
  to.write(Buffer.concat([lengths, head]));
  if (bytes.length > 0) to.write(bytes);
};

/**
 * Fills one buffer after another, each allocated at its full size. `done` gets each full buffer and returns the size
 * of the next one.
 */
const filler = (done: (filled: Buffer) => number) => {
  let pending = Buffer.allocUnsafeSlow(LENGTHS_BYTES);
  let filledBytes = 0;
  return (chunk: Buffer): void => {
    let at = 0;
    while (at < chunk.length) {
      const copied = chunk.copy(pending, filledBytes, at);
      at += copied;
      filledBytes += copied;
      while (filledBytes === pending.length) {
        pending = Buffer.allocUnsafeSlow(done(pending));
        filledBytes = 0;
      }
    }
  };
};

/** Calls `onFrame` with each frame; a frame above the maximum ends the stream with an error. */
export const readFrames = (from: Readable, bytesMax: number, onFrame: (frame: Frame) => void): void => {
  let part: "lengths" | "header" | "bytes" = "lengths";
  let bytesLength = 0;
  let header: object = {};
  const fill = filler((filled) => {
    if (part === "lengths") {
      const headerLength = filled.readUInt32BE(0);
      bytesLength = filled.readUInt32BE(4);
      if (headerLength > HEADER_BYTES_MAX || bytesLength > bytesMax) throw new RangeError("frame too large");
      part = "header";
      return headerLength;
    }
    if (part === "header") {
      header = JSON.parse(filled.toString()) as object;
      part = "bytes";
      return bytesLength;
    }
    part = "lengths";
    onFrame({ header, bytes: filled });
    return LENGTHS_BYTES;
  });
  from.on("data", (chunk: Buffer) => {
    try {
      fill(chunk);
    } catch (error) {
      from.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
};
