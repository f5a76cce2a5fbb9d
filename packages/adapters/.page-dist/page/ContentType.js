/** What kind of document bytes are, for our purposes. */
import { decodePage } from "./Charset.js";
/** Bytes of the beginning that are enough to tell. */
const SNIFFED_BYTES = 1_024;
const HTML_START = /^\s*(?:<!--|<\?xml|<!doctype html|<(?:html|head|body|title|meta|link|script|style|h1|div|p|table|article|main|a|br)[\s/>])/i;
const sniffed = (bytes) => {
    const start = decodePage(bytes.subarray(0, SNIFFED_BYTES), null);
    if (HTML_START.test(start))
        return "html";
    return start.includes("\0") || start.includes("\ufffd\ufffd") ? "other" : "text";
};
/** The header rules; without one the bytes decide. */
export const contentTypeOf = (bytes, header) => {
    const mediaType = header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (mediaType === "")
        return sniffed(bytes);
    if (mediaType === "text/html" || mediaType === "application/xhtml+xml")
        return "html";
    return mediaType === "text/plain" || mediaType === "text/markdown" ? "text" : "other";
};
