/** The entities that a page is about, by type, according to its structured data. */
import { hasType, type JsonLdGraph, type JsonLdNode } from "../tree/JsonLd.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const VIDEOS = [setOf("VideoObject")];
const GALLERIES = [setOf("ImageGallery MediaGallery")];
const POSTS = [setOf("SocialMediaPosting")];
/** In order: an article may state products, reviews and questions that are sections of it, even before itself. */
const ARTICLES = [
  setOf(
    "Article NewsArticle BlogPosting LiveBlogPosting Report ScholarlyArticle TechArticle OpinionNewsArticle " +
      "AnalysisNewsArticle BackgroundNewsArticle ReportageNewsArticle ReviewNewsArticle AdvertiserContentArticle " +
      "SatiricalArticle MedicalScholarlyArticle"
  ),
  setOf(
    "APIReference DiscussionForumPosting QAPage Recipe HowTo Course Event JobPosting Book Product Review Question"
  )
];
const PAGES = [
  setOf("WebPage AboutPage ItemPage CollectionPage ProfilePage MedicalWebPage CreativeWork"),
  setOf("FAQPage")
];
const QUESTIONS = setOf("Question");
const QUESTION_LISTS = setOf("FAQPage");

export const hasQuestionList = (entities: ReadonlyArray<JsonLdNode>): boolean =>
  entities.some((entity) => hasType(entity, QUESTION_LISTS));

export interface PageEntities {
  readonly video: JsonLdNode | null;
  readonly gallery: JsonLdNode | null;
  readonly post: JsonLdNode | null;
  readonly article: JsonLdNode | null;
  readonly page: JsonLdNode | null;
}

type Choose = (ofKind: ReadonlyArray<JsonLdNode>) => JsonLdNode | undefined;

/** Without the questions of a list, which are sections of a page. */
const entitiesBy = (all: ReadonlyArray<JsonLdNode>, choose: Choose): PageEntities => {
  const entities = hasQuestionList(all) ? all.filter((entity) => !hasType(entity, QUESTIONS)) : all;
  const first = (kinds: ReadonlyArray<ReadonlySet<string>>): JsonLdNode | null => {
    const each = kinds.map((types) => entities.filter((entity) => hasType(entity, types)));
    return choose(each.find((ofKind) => ofKind.length > 0) ?? []) ?? null;
  };
  return {
    video: first(VIDEOS),
    gallery: first(GALLERIES),
    post: first(POSTS),
    article: first(ARTICLES),
    page: first(PAGES)
  };
};

export const pageEntities = ({ entities }: JsonLdGraph): PageEntities =>
  entitiesBy(entities, ([entity]) => entity);

/**
 * From microdata, which marks cards of other pages like the page itself: an entity counts only if there is no
 * other of its kind.
 */
export const markedEntities = ({ entities }: JsonLdGraph): PageEntities =>
  entitiesBy(entities, ([only, another]) => (another === undefined ? only : undefined));
