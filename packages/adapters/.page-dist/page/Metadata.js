/** What a page says about itself, each field from the first place that gives it. */
import { resolver } from "./Address.js";
import { hasType, nodesOf, stringsOf, typesOf, valuesOf } from "./JsonLd.js";
import { languageTag } from "./Language.js";
import { pageUploader } from "./PageAuthor.js";
import { dateInPath, pageDate } from "./PageDate.js";
import { DESCRIPTION_CHARS_MAX } from "./PageLimits.js";
import { count, durationSeconds } from "./PageNumber.js";
import { pageTitle } from "./PageTitle.js";
import { cut, decoded, tidyLines, visible } from "./PlainText.js";
const first = (values) => {
    for (const value of values)
        if (value !== null)
            return value;
    return null;
};
const metaOf = (scan, keys) => keys.flatMap((key) => scan.meta.get(key)?.slice(0, 1) ?? []);
const textsOf = ({ entities, scan }, key) => entities.flatMap((entity) => stringsOf(scan.jsonLd, entity, key));
const DATE_KEYS = [
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dc.date.issued",
    "dcterms.date",
    "dcterms.created",
    "parsely-pub-date",
    "sailthru.date",
    "citation_publication_date",
    "pubdate",
    "publishdate",
    "video:release_date",
    "og:video:release_date",
    "uploaddate"
];
const uploadDate = (input) => first([
    ...["uploadDate", "datePublished"].flatMap((key) => textsOf(input, key)),
    ...metaOf(input.scan, DATE_KEYS),
    ...textsOf(input, "dateCreated"),
    ...input.scan.times,
    input.publishedTime
].map(pageDate)) ?? dateInPath(input.url);
const description = (input) => {
    const written = [
        ...metaOf(input.scan, ["og:description", "description", "twitter:description"]),
        ...textsOf(input, "description")
    ];
    return first(written.map((text) => cut(tidyLines(visible(decoded(text))), DESCRIPTION_CHARS_MAX) || null));
};
const thumbnail = (input, resolve) => {
    const { entities, scan } = input;
    const images = ["thumbnailUrl", "thumbnail", "image"].flatMap((key) => entities.flatMap((entity) => stringsOf(scan.jsonLd, entity, key, ["url", "contentUrl", "@id"])));
    const shared = metaOf(scan, [
        "og:image:secure_url",
        "og:image",
        "og:image:url",
        "twitter:image",
        "twitter:image:src"
    ]);
    return first([...shared, ...images, ...scan.videos.map(({ poster }) => poster)].map(resolve));
};
/** Of an `interactionStatistic` list; sites give the action as a name, an address or an object. */
const interactions = ({ entities, scan }, actions) => {
    const counters = entities.flatMap((entity) => nodesOf(scan.jsonLd, entity, "interactionStatistic"));
    const matching = counters.filter((counter) => valuesOf(scan.jsonLd, counter, "interactionType").some((type) => typeof type === "string"
        ? actions.has(type.slice(Math.max(type.lastIndexOf("/"), type.lastIndexOf(":")) + 1))
        : typeof type === "object" && type !== null && hasType(type, actions)));
    return first(matching.map((counter) => count(valuesOf(scan.jsonLd, counter, "userInteractionCount")[0])));
};
const VIEW_ACTIONS = new Set(["WatchAction", "ViewAction", "UserPageVisits"]);
const LIKE_ACTIONS = new Set(["LikeAction", "UserLikes"]);
const COMMENT_ACTIONS = new Set(["CommentAction", "UserComments"]);
const language = (input) => first([
    input.scan.language,
    ...textsOf(input, "inLanguage"),
    ...metaOf(input.scan, ["og:locale", "content-language", "language", "dc.language"])
].map(languageTag));
export const metadataOf = (input) => {
    const { byline, entities, scan, url } = input;
    const resolve = resolver(url, scan.baseHref);
    const ofVideo = entities.filter((entity) => typesOf(entity).includes("VideoObject"));
    const durations = ofVideo.flatMap((entity) => stringsOf(scan.jsonLd, entity, "duration"));
    const commentCounts = entities.map((entity) => count(valuesOf(scan.jsonLd, entity, "commentCount")[0]));
    return {
        title: pageTitle(scan, entities),
        uploader: pageUploader(scan, entities, byline),
        uploadDate: uploadDate(input),
        description: description(input),
        thumbnail: thumbnail(input, resolve),
        durationSeconds: first([...durations, ...metaOf(scan, ["og:video:duration", "video:duration", "duration"])].map(durationSeconds)),
        viewCount: interactions(input, VIEW_ACTIONS),
        likeCount: interactions(input, LIKE_ACTIONS),
        commentCount: interactions(input, COMMENT_ACTIONS) ?? first(commentCounts),
        language: language(input),
        canonicalUrl: first([scan.canonicalHref, ...metaOf(scan, ["og:url"])].map(resolve))
    };
};
