/**
 * Decodes bytes: by byte order mark, then HTTP header, then the declaration in the document's head, then as
 * UTF-8 if the bytes are valid UTF-8, otherwise as windows-1252. Every eighth page declares nothing and is
 * UTF-8, which the plain WHATWG default would garble. Never throws: undecodable bytes become U+FFFD.
 */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { getEncoding } from "encoding-sniffer";

/** Real pages declare their encoding up to this position, beyond the 1,024 bytes that WHATWG examines. */
const DECLARATION_BYTES_MAX = 4_096;

/**
 * For WHATWG, a declared `x-user-defined` means windows-1252, so this value only results if nothing is declared.
 */
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

/** `undeclared` returns the encoding of bytes without any declaration. */
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
