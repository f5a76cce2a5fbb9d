/**
 * Bytes of a page to its reading: the whole work of a worker. Pure, offline, and total: what cannot be read
 * is an answer, too.
 */
import { resolver } from "./Address.js";
import { articleText, isWithinDomLimits, quickText } from "./ArticleText.js";
import { decodePage } from "./Charset.js";
import { contentTypeOf } from "./ContentType.js";
import { pageImages, subtitles, videoUrls } from "./Media.js";
import { metadataOf } from "./Metadata.js";
import { pageEntities } from "./PageEntities.js";
import { isLoginWall, pageKind } from "./PageKind.js";
import { ARTICLE_TEXT_CHARS_MIN, TREE_TEXT_CHARS_MAX } from "./PageLimits.js";
import { scanPage } from "./PageScan.js";
import { parsePage } from "./PageTree.js";
import { tidyLines, visible } from "./PlainText.js";
const entitiesFor = (kind, { article, gallery, page, post, video }) => {
    const order = {
        video: [video, post, article, page],
        photos: [gallery, post, article, page],
        webpage: [article, post, page]
    };
    return order[kind].filter((entity) => entity !== null);
};
const imagesFor = (kind, { figures, gallery, shared }) => {
    const candidates = kind === "photos" ? [gallery, shared.length > 1 ? shared : [], figures, shared] : [figures, shared];
    return candidates.find((images) => images.length > 0) ?? [];
};
const readingOf = ({ entities, resolve, scan, url }, article) => {
    const text = tidyLines(visible(article.text));
    const videos = videoUrls(scan, entities, resolve);
    const images = pageImages(scan, entities, resolve);
    const input = { scan, entities, images, videoUrls: videos, text };
    const kind = pageKind(input);
    const { byline, publishedTime } = article;
    return {
        kind,
        text,
        ...metadataOf({ scan, entities: entitiesFor(kind, entities), url, byline, publishedTime }),
        images: imagesFor(kind, images),
        videoUrls: videos,
        subtitles: subtitles(scan, resolve),
        loginWall: isLoginWall(input)
    };
};
const isEmpty = ({ images, kind, text, title, videoUrls: videos }) => text === "" && title === null && kind === "webpage" && images.length === 0 && videos.length === 0;
const outcomeOf = (reading) => isEmpty(reading) ? { refused: "empty" } : { reading };
const readHtml = async (html, url, onDraft) => {
    const tree = parsePage(html);
    if (tree.truncated)
        return { refused: "too_large" };
    const scan = scanPage(tree.root);
    const facts = { scan, entities: pageEntities(scan.jsonLd), resolve: resolver(url, scan.baseHref), url };
    const quick = quickText(tree);
    const draft = readingOf(facts, { text: quick.text, byline: null, publishedTime: null });
    // Where media are the point, no extractor can find an article in a few lines.
    const isMediaPost = draft.kind !== "webpage" && quick.all.length < ARTICLE_TEXT_CHARS_MIN;
    if (isMediaPost || !isWithinDomLimits(tree))
        return outcomeOf(draft);
    onDraft(outcomeOf(draft));
    return outcomeOf(readingOf(facts, await articleText(tree, url, quick)));
};
const readPlainText = (text) => ({
    kind: "webpage",
    text: visible(text).trim(),
    title: null,
    uploader: null,
    uploadDate: null,
    description: null,
    thumbnail: null,
    images: [],
    durationSeconds: null,
    viewCount: null,
    likeCount: null,
    commentCount: null,
    language: null,
    canonicalUrl: null,
    videoUrls: [],
    subtitles: [],
    loginWall: false
});
/**
 * `onDraft` gets what one pass over the page gives, before the slower extractors have their turn; they may
 * never come back.
 */
export const readBytes = async (bytes, source, onDraft = () => { }) => {
    const type = contentTypeOf(bytes, source.contentType);
    if (type === "other")
        return { refused: "unsupported_type" };
    const text = decodePage(bytes, source.contentType);
    if (type === "html")
        return readHtml(text, source.url, onDraft);
    return text.length > TREE_TEXT_CHARS_MAX ? { refused: "too_large" } : outcomeOf(readPlainText(text));
};
