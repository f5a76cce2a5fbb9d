/** What the JSON-LD of a page says the page is about. */
import { hasType, type JsonLdGraph, type JsonLdNode } from "./JsonLd.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const VIDEOS = setOf("VideoObject");
const GALLERIES = setOf("ImageGallery MediaGallery");
const POSTS = setOf("SocialMediaPosting");
const ARTICLES = setOf(
  "Article NewsArticle BlogPosting LiveBlogPosting Report ScholarlyArticle TechArticle OpinionNewsArticle " +
    "AnalysisNewsArticle BackgroundNewsArticle ReportageNewsArticle ReviewNewsArticle AdvertiserContentArticle " +
    "SatiricalArticle MedicalScholarlyArticle APIReference DiscussionForumPosting QAPage Question Recipe Review " +
    "HowTo Course Event JobPosting Book Product"
);
const PAGES = setOf(
  "WebPage AboutPage ItemPage CollectionPage ProfilePage FAQPage MedicalWebPage CreativeWork"
);

export interface PageEntities {
  readonly video: JsonLdNode | null;
  readonly gallery: JsonLdNode | null;
  readonly post: JsonLdNode | null;
  readonly article: JsonLdNode | null;
  readonly page: JsonLdNode | null;
}

type Find = (types: ReadonlySet<string>) => JsonLdNode | null;

const entitiesBy = (find: Find): PageEntities => ({
  video: find(VIDEOS),
  gallery: find(GALLERIES),
  post: find(POSTS),
  article: find(ARTICLES),
  page: find(PAGES)
});

export const pageEntities = ({ entities }: JsonLdGraph): PageEntities =>
  entitiesBy((types) => entities.find((entity) => hasType(entity, types)) ?? null);

/** Of microdata: cards of other pages are marked like the page itself, so that only what stands alone counts. */
export const markedEntities = ({ entities }: JsonLdGraph): PageEntities =>
  entitiesBy((types) => {
    const [only, another] = entities.filter((entity) => hasType(entity, types));
    return another === undefined ? (only ?? null) : null;
  });
