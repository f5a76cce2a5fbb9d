/** The entities that a page is about, by type, according to its structured data. */
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

/**
 * From microdata, which marks cards of other pages like the page itself: an entity counts only if there is no
 * other of its kind.
 */
export const markedEntities = ({ entities }: JsonLdGraph): PageEntities =>
  entitiesBy((types) => {
    const [only, another] = entities.filter((entity) => hasType(entity, types));
    return another === undefined ? (only ?? null) : null;
  });
