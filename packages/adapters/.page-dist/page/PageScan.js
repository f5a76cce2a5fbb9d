/**
 * What the markup of a page says, gathered in one walk over its tree: meta tags, title, headings, media
 * elements, JSON-LD. Facts as written; judging them is for Metadata, Media and PageKind.
 */
import { parseJsonLd } from "./JsonLd.js";
import { NAME_CHARS_MAX } from "./PageLimits.js";
import { rawTextOf, textOf, walk } from "./PageTree.js";
const textWithin = (element, charsMax = 4 * NAME_CHARS_MAX) => textOf(element, charsMax).replace(/\s+/g, " ").trim();
/** The address of an image, also where a script is to load it later. */
export const imageSource = ({ attributes }) => {
    const later = attributes["data-src"] ?? attributes["data-original"] ?? attributes["data-lazy-src"];
    const now = attributes["src"];
    return later ?? (now === undefined || now.startsWith("data:") ? null : now);
};
const readMeta = ({ attributes }, draft) => {
    const key = (attributes["property"] ?? attributes["name"] ?? attributes["itemprop"] ?? "")
        .trim()
        .toLowerCase();
    const content = attributes["content"]?.trim() ?? "";
    if (key === "" || content === "")
        return;
    const contents = draft.meta.get(key);
    if (contents === undefined)
        draft.meta.set(key, [content]);
    else
        contents.push(content);
};
const readLink = ({ attributes }, draft) => {
    if (/(^|\s)canonical(\s|$)/i.test(attributes["rel"] ?? ""))
        draft.canonicalHref ??= attributes["href"] ?? null;
};
const readScript = (element, draft) => {
    const type = element.attributes["type"] ?? "";
    if (/ld\+json/i.test(type))
        draft.jsonLdSources.push(rawTextOf(element));
    else if (element.children.length > 0) {
        const source = rawTextOf(element);
        if (/\bjwplayer\s*\([^)]{0,100}\)\s*\.\s*setup\s*\(/.test(source))
            draft.playerScripts.push(source);
    }
};
const readVideo = (element, draft) => {
    const { attributes } = element;
    const sources = [attributes["src"]];
    const tracks = [];
    walk(element, ({ attributes: inner, name }) => {
        if (name === "source")
            sources.push(inner["src"]);
        const isText = /^(subtitles|captions)?$/i.test(inner["kind"]?.trim() ?? "");
        if (name === "track" && isText && inner["src"])
            tracks.push({ language: inner["srclang"] ?? null, src: inner["src"] });
    });
    draft.videos.push({
        sources: sources.filter((source) => source !== undefined && source.trim() !== ""),
        poster: attributes["poster"] ?? null,
        tracks,
        decorative: "autoplay" in attributes && "muted" in attributes && "loop" in attributes && !("controls" in attributes)
    });
};
const readFigure = (element, draft) => {
    walk(element, (inner) => {
        const source = inner.name === "img" ? imageSource(inner) : null;
        if (source !== null)
            draft.figureImages.push(source);
    });
};
const READERS = {
    html: ({ attributes }, draft) => void (draft.language ??= attributes["lang"] ?? attributes["xml:lang"] ?? null),
    base: ({ attributes }, draft) => void (draft.baseHref ??= attributes["href"] ?? null),
    title: (element, draft) => void (draft.title ??= textWithin(element) || null),
    h1: (element, draft) => void (draft.heading ??= element.hidden ? null : textWithin(element) || null),
    meta: readMeta,
    link: readLink,
    script: readScript,
    video: readVideo,
    figure: readFigure,
    iframe: ({ attributes }, draft) => {
        const url = attributes["src"] ?? attributes["data-src"];
        if (url !== undefined)
            draft.frameUrls.push(url);
    },
    input: ({ attributes }, draft) => {
        if (attributes["type"]?.toLowerCase() === "password")
            draft.passwordFieldCount += 1;
    }
};
const BYLINE_CLASS = /(^|\s)(byline|author|author-name|author__name|byline-name|post-author|entry-author|p-author)(\s|$)/i;
const DATE_CLASS = /date|published|timestamp|posted-on/i;
const MARK_CHARS_MAX = 120;
/** Marks that any element may carry. */
const readMarks = (element, draft) => {
    const { attributes, name } = element;
    const itemprop = attributes["itemprop"] ?? "";
    const className = attributes["class"] ?? "";
    if (name !== "meta" &&
        (attributes["rel"] === "author" || itemprop === "author" || BYLINE_CLASS.test(className))) {
        const text = textWithin(element, 4 * MARK_CHARS_MAX);
        if (text !== "" && text.length <= MARK_CHARS_MAX)
            draft.bylines.push(text);
    }
    if (name === "time" && attributes["datetime"])
        draft.times.push(attributes["datetime"]);
    else if (name === "time" || itemprop === "datePublished" || DATE_CLASS.test(className)) {
        const text = textWithin(element, 4 * MARK_CHARS_MAX);
        if (text !== "" && text.length <= MARK_CHARS_MAX)
            draft.times.push(text);
    }
};
export const scanPage = (root) => {
    const draft = {
        meta: new Map(),
        jsonLdSources: [],
        title: null,
        heading: null,
        language: null,
        baseHref: null,
        canonicalHref: null,
        bylines: [],
        times: [],
        videos: [],
        frameUrls: [],
        figureImages: [],
        passwordFieldCount: 0,
        playerScripts: []
    };
    walk(root, (element) => {
        // In an SVG, `title` and others mean something else.
        if (element.name === "svg")
            return false;
        if (Object.hasOwn(READERS, element.name))
            READERS[element.name]?.(element, draft);
        readMarks(element, draft);
        return true;
    });
    return { ...draft, jsonLd: parseJsonLd(draft.jsonLdSources) };
};
