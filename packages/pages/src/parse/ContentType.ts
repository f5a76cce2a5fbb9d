/** The kinds of documents this package distinguishes. Tests: ReadBytes.test.ts. */
import { decodePage, undeclaredEncoding } from "./TextEncoding.ts";

type DocumentType = "html" | "text" | "pdf" | "office" | "encrypted" | "other";

/** The first bytes, enough to detect the kind. */
const SNIFFED_BYTES = 1_024;

/** "<!doctype html>", "<p>". */
const HTML_START =
  /^\s*(?:<!--|<\?xml|<!doctype html|<(?:html|head|body|title|meta|link|script|style|h1|div|p|table|article|main|a|br)[\s/>])/i;

const PDF_MARK = "%PDF-";

/** Media types used for PDF; servers use the last one for unknown files. */
const PDF_TYPE = /^application\/(?:x-)?pdf$|^application\/octet-stream$/;

const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SNIFFED_BYTES)).includes(PDF_MARK);

const ZIP_MARK = Buffer.from("PK\u0003\u0004");
/** Signature of a compound file, the format of encrypted office documents. */
const COMPOUND_MARK = Buffer.from("d0cf11e0a1b11ae1", "hex");
const ENCRYPTED_MARK = Buffer.from("EncryptedPackage", "utf16le");

const officeType = (bytes: Uint8Array): "office" | "encrypted" | null => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.subarray(0, ZIP_MARK.length).equals(ZIP_MARK)) return "office";
  const isCompound = file.subarray(0, COMPOUND_MARK.length).equals(COMPOUND_MARK);
  return isCompound && file.includes(ENCRYPTED_MARK) ? "encrypted" : null;
};

/** Text for programs only, whatever its declared type. */
const MARKED_TEXT = /^\s*\{\\rtf\d/;

/** Text written for people. */
const TEXT_TYPE = /^text\/(?:plain|(?:x-)?(?:markdown|rst|org|asciidoc))$/;

const startOf = (bytes: Uint8Array): string => decodePage(bytes.subarray(0, SNIFFED_BYTES), null);

const sniffed = (bytes: Uint8Array): DocumentType => {
  if (isPdf(bytes)) return "pdf";
  const office = officeType(bytes);
  if (office !== null) return office;
  const start = startOf(bytes);
  if (MARKED_TEXT.test(start)) return "other";
  if (HTML_START.test(start)) return "html";
  return start.includes("\0") || start.includes("\ufffd\ufffd") ? "other" : "text";
};

/** Empty without a header. */
export const mediaTypeOf = (header: string | null): string =>
  header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** A program that sends a file may write blank lines before it. */
const PDF_START = /^\s*%PDF-\d/;

/**
 * Servers declare files of unknown types as text (WHATWG MIME Sniffing, 7.2), and programs theirs as pages; no text and
 * no page begins with these signatures.
 */
const binaryType = (bytes: Uint8Array): DocumentType | null =>
  PDF_START.test(startOf(bytes)) ? "pdf" : officeType(bytes);

const XHTML_TYPE = "application/xhtml+xml";
/** Media types of any XML; browsers show such a page by its namespace. */
const XML_TYPE = /^(?:application|text)\/xml$/;
/** `<html xmlns="http://www.w3.org/1999/xhtml">`, or with a prefix: `<h:html xmlns:h=…`. */
const XHTML_NAMESPACE =
  /^\s*<(?:\?xml|!doctype|!--|(?:[\w-]{1,40}:)?html)[^]*\bxmlns(?::([\w-]{1,40}))?\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml["']/i;

/** Whether a page is to be parsed by the rules of XML: by its media type, never by what it says of itself. */
export const isXhtml = (bytes: Uint8Array, header: string | null): boolean => {
  const mediaType = mediaTypeOf(header);
  return mediaType === XHTML_TYPE || (XML_TYPE.test(mediaType) && XHTML_NAMESPACE.test(startOf(bytes)));
};

/** The page with its elements named as in HTML, whatever prefix the root gives their namespace. */
export const withoutPrefix = (html: string): string => {
  const prefix = XHTML_NAMESPACE.exec(html.slice(0, SNIFFED_BYTES))?.[1];
  return prefix === undefined ? html : html.replaceAll(new RegExp(`(</?)${prefix}:`, "g"), "$1");
};

/** Characters of files for programs (WHATWG MIME Sniffing, 3), but for form feeds and escapes. */
// oxlint-disable-next-line no-control-regex -- what text does not have
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/g;

/** Of the first characters; a text may have stray ones. */
const BINARY_SHARE_MAX = 0.05;

const isBinary = (bytes: Uint8Array, header: string | null): boolean => {
  const first = bytes.subarray(0, SNIFFED_BYTES);
  const start = decodePage(first, header, (plain) => undeclaredEncoding(plain).label);
  return (start.match(BINARY)?.length ?? 0) > BINARY_SHARE_MAX * start.length;
};

/** Signatures decide, then the header; without one, the bytes. */
export const contentTypeOf = (bytes: Uint8Array, header: string | null): DocumentType => {
  const mediaType = mediaTypeOf(header);
  if (mediaType === "") return sniffed(bytes);
  const binary = binaryType(bytes);
  if (binary !== null) return binary;
  if (PDF_TYPE.test(mediaType) && isPdf(bytes)) return "pdf";
  if (isBinary(bytes, header)) return "other";
  if (mediaType === "text/html" || isXhtml(bytes, header)) return "html";
  return TEXT_TYPE.test(mediaType) && !MARKED_TEXT.test(startOf(bytes)) ? "text" : "other";
};
