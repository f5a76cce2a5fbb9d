/** Addresses as a page writes them, made absolute; whatever is not http or https is dropped. */
import { ADDRESS_CHARS_MAX } from "./PageLimits.js";
const parse = (reference, base) => {
    const url = URL.parse(reference, base);
    return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : null;
};
/** A `base` that cannot be used leaves the address of the page. */
export const resolver = (pageUrl, baseHref) => {
    const base = (baseHref === null ? null : parse(baseHref, pageUrl)?.href) ?? pageUrl;
    return (reference) => {
        const trimmed = reference?.trim() ?? "";
        if (trimmed === "" || trimmed.length > ADDRESS_CHARS_MAX)
            return null;
        const url = parse(trimmed, base);
        if (url === null || url.username !== "" || url.password !== "")
            return null;
        return url.href.length > ADDRESS_CHARS_MAX ? null : url.href;
    };
};
/** In order, each once, without those that do not resolve. */
export const resolveAll = (resolve, references, countMax) => {
    const found = new Set();
    for (const reference of references) {
        const url = resolve(reference);
        if (url !== null)
            found.add(url);
        if (found.size >= countMax)
            break;
    }
    return [...found];
};
