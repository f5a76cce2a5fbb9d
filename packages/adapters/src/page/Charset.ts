/**
 * Bytes to text: byte order mark, then HTTP header, then what the document declares in its head, then
 * UTF-8 if the bytes are valid UTF-8, else windows-1252. Every eighth page declares nothing and is UTF-8,
 * which the plain WHATWG default would garble. Never throws: what does not decode becomes U+FFFD.
 */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { getEncoding } from "encoding-sniffer";

/** Pages declare up to this deep in practice, past the 1,024 bytes that WHATWG looks at. */
const DECLARATION_BYTES_MAX = 4_096;

/** WHATWG has a declared `x-user-defined` mean windows-1252, so this comes back only when none is declared. */
const UNDECLARED = "x-user-defined";

const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
};

const headerCharset = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? "")?.[1] ?? null;

const markedCharset = (bytes: Uint8Array): string | null => {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
};

const declaredCharset = (bytes: Uint8Array): string | null => {
  const encoding = getEncoding(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    maxBytes: DECLARATION_BYTES_MAX,
    defaultEncoding: UNDECLARED
  });
  return encoding === UNDECLARED ? null : encoding;
};

const undeclaredCharset = (bytes: Uint8Array): string => (isUtf8(bytes) ? "utf-8" : "windows-1252");

/** `undeclared` names the encoding of bytes that nothing is said of. */
export const decodePage = (
  bytes: Uint8Array,
  contentType: string | null,
  undeclared: (bytes: Uint8Array) => string = undeclaredCharset
): string => {
  for (const find of [markedCharset, () => headerCharset(contentType), declaredCharset]) {
    const label = find(bytes);
    const decoder = label === null ? null : decoderOf(label);
    if (decoder !== null) return decoder.decode(bytes);
  }
  return new TextDecoder(undeclared(bytes)).decode(bytes);
};
