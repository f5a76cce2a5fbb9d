/**
 * Main text of a page: Readability, freed of the lines that the noise filter rejects; Defuddle where it
 * finds much more (forums, products, documentation). Measured on three public benchmarks, this is better
 * than each extractor alone; see bench/page-text.ts.
 */
import { blockText } from "./BlockText.js";
import { defuddle, extractableHtml, readability } from "./DomExtractors.js";
import { filterNoise } from "./NoiseFilter.js";
import { DOM_DEPTH_MAX, DOM_ELEMENTS_MAX, DOM_TEXT_CHARS_MAX } from "./PageLimits.js";
import { walk } from "./PageTree.js";
import { folded } from "./PlainText.js";
/** Readability's lines are checked only against a filtered text of some size. */
const REFERENCE_CHARS_MIN = 250;
/** If less than this share of Readability's text stands in the filtered one, the filter went wrong. */
const AGREEMENT_SHARE_MIN = 0.6;
/** Defuddle is taken when it finds this many times Readability's text. */
const DEFUDDLE_GAIN = 1.5;
/** Below this Readability often missed the point of the page. */
const SHORT_TEXT_CHARS = 800;
/** The filter finding this many times Readability's text says the same. */
const FILTER_GAIN = 1.2;
const bodyOf = (root) => {
    let body = null;
    walk(root, (element) => {
        if (element.name === "body")
            body ??= element;
        return body === null;
    });
    return body ?? root;
};
/** Lines of `text` that `reference` has too; all of them when the two hardly agree. */
export const agreedLines = (text, reference) => {
    const known = ` ${folded(reference)} `;
    if (known.length < REFERENCE_CHARS_MIN)
        return text;
    const agreed = text
        .split("\n")
        .filter((line) => known.includes(folded(line)))
        .join("\n");
    return agreed.length > AGREEMENT_SHARE_MIN * text.length ? agreed : text;
};
/** An extractor that throws on a strange document has found nothing. */
const attempt = async (extract) => {
    try {
        return await extract();
    }
    catch {
        return null;
    }
};
export const isWithinDomLimits = ({ depth, elementCount, textChars }) => depth <= DOM_DEPTH_MAX && elementCount <= DOM_ELEMENTS_MAX && textChars <= DOM_TEXT_CHARS_MAX;
/** By one pass, for any tree. */
export const quickText = ({ root }) => {
    const body = bodyOf(root);
    const all = blockText(body);
    return { text: filterNoise(body) || all, all };
};
/** Defuddle costs more than all the rest: only where Readability found little and there is much more. */
const isWorthDefuddle = (text, quick) => (text.length < SHORT_TEXT_CHARS || quick.text.length > FILTER_GAIN * text.length) &&
    quick.all.length > DEFUDDLE_GAIN * text.length;
/** For trees within the DOM limits. Most pages take tens of milliseconds; a hostile one may take minutes. */
export const articleText = async ({ root }, url, quick) => {
    const html = extractableHtml(root);
    const read = await attempt(() => readability(html));
    const text = read?.text ?? "";
    const longer = isWorthDefuddle(text, quick) ? ((await attempt(() => defuddle(html, url))) ?? "") : "";
    const best = longer.length > DEFUDDLE_GAIN * text.length ? longer : agreedLines(text, quick.text);
    return {
        text: best || quick.text,
        byline: read?.byline ?? null,
        publishedTime: read?.publishedTime ?? null
    };
};
