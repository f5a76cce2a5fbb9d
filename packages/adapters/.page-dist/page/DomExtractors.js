/**
 * Main text by the two libraries that need a DOM. They see the page without scripts, styles and hidden
 * elements. Both are for trees within the DOM limits only; on others they take minutes.
 */
import { Readability } from "@mozilla/readability";
import { escapeAttribute, escapeText } from "entities";
import { parseHTML } from "linkedom";
import { blockText } from "./BlockText.js";
import { parsePage, rawTextOf } from "./PageTree.js";
const VOID_ELEMENTS = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
/** Of no use to an extractor, and half of the bytes of a page. */
const LEFT_OUT = new Set("script style template svg iframe object embed link canvas source track".split(" "));
/** Addresses and data longer than this are images and state, not names. */
const ATTRIBUTE_CHARS_MAX = 500;
const NAME = /^[a-z][\w:-]*$/;
const LEFT_OUT_ATTRIBUTES = /^(on|style$|srcset$|sizes$)/;
const attributesOf = ({ attributes }) => Object.entries(attributes)
    .filter(([key, value]) => NAME.test(key) && !LEFT_OUT_ATTRIBUTES.test(key) && value.length <= ATTRIBUTE_CHARS_MAX)
    .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
    .join("");
const isJsonLd = ({ attributes, name }) => name === "script" && /ld\+json/i.test(attributes["type"] ?? "");
/** HTML of the tree as the extractors are to see it. */
export const extractableHtml = (root) => {
    const parts = ["<!doctype html>"];
    const write = (element) => {
        for (const child of element.children) {
            if (typeof child === "string")
                parts.push(escapeText(child));
            // Defuddle finds the text of some forums only there.
            else if (isJsonLd(child))
                parts.push(`<script type="application/ld+json">${rawTextOf(child).trim()}</script>`);
            else if (!LEFT_OUT.has(child.name) && !child.hidden && NAME.test(child.name)) {
                // A `noscript` that is not hidden is the page; both extractors would drop it by its name.
                const name = child.name === "noscript" ? "div" : child.name;
                parts.push(`<${name}${attributesOf(child)}>`);
                write(child);
                if (!VOID_ELEMENTS.has(name))
                    parts.push(`</${name}>`);
            }
        }
    };
    write(root);
    return parts.join("");
};
const textOfHtml = (html) => blockText(parsePage(html ?? "").root);
/** Null when there is no document to read. */
export const readability = (html) => {
    const { document } = parseHTML(html);
    if (document.documentElement === null)
        return null;
    const article = new Readability(document, { disableJSONLD: true }).parse();
    return {
        text: textOfHtml(article?.content),
        byline: article?.byline ?? null,
        publishedTime: article?.publishedTime ?? null
    };
};
/** Loaded at its first use: most pages never need it. */
export const defuddle = async (html, url) => {
    const { DefuddleClass } = await import("defuddle/node");
    const { document } = parseHTML(html);
    // What linkedom lacks and Defuddle asks for.
    Object.assign(document, { styleSheets: [], URL: url });
    const { content } = new DefuddleClass(document, { url, useAsync: false, fetch: refuseFetch }).parse();
    return textOfHtml(content);
};
/** Extraction never goes to the network. */
const refuseFetch = () => Promise.reject(new Error("Pages are read offline."));
