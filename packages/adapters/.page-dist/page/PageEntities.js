/** What the JSON-LD of a page says the page is about. */
import { hasType } from "./JsonLd.js";
const setOf = (words) => new Set(words.split(" "));
const VIDEOS = setOf("VideoObject");
const GALLERIES = setOf("ImageGallery MediaGallery");
const POSTS = setOf("SocialMediaPosting");
const ARTICLES = setOf("Article NewsArticle BlogPosting LiveBlogPosting Report ScholarlyArticle TechArticle OpinionNewsArticle " +
    "AnalysisNewsArticle BackgroundNewsArticle ReportageNewsArticle ReviewNewsArticle AdvertiserContentArticle " +
    "SatiricalArticle MedicalScholarlyArticle APIReference DiscussionForumPosting QAPage Question Recipe Review " +
    "HowTo Course Event JobPosting Book Product");
const PAGES = setOf("WebPage AboutPage ItemPage CollectionPage ProfilePage FAQPage MedicalWebPage CreativeWork");
export const pageEntities = ({ entities }) => {
    const first = (types) => entities.find((entity) => hasType(entity, types)) ?? null;
    return {
        video: first(VIDEOS),
        gallery: first(GALLERIES),
        post: first(POSTS),
        article: first(ARTICLES),
        page: first(PAGES)
    };
};
