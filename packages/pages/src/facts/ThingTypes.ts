/** Which entity types and fields are read, and how a field is compared with the page's other statements. */
import type { StructuredThing } from "@winnow/core/domain/source/StructuredData";
import {
  date,
  flag,
  images,
  isRemote,
  keywords,
  longText,
  nutrition,
  offers,
  oneParty,
  parties,
  places,
  rating,
  salary,
  seconds,
  steps,
  term,
  text,
  texts,
  type ThingReader,
  url,
  whole
} from "./ThingReaders.ts";

/**
 * `exact`: different values contradict each other; `parts`: likewise for each part of an object, or of the only
 * object of a list; `free`: wording and lists, of which the first is used.
 */
export type Comparison = "exact" | "parts" | "free";

export type ThingField = readonly [name: string, read: ThingReader, comparison: Comparison];

export interface ThingType {
  readonly type: StructuredThing["type"];
  /** Short names in the vocabulary, including subtypes. */
  readonly names: ReadonlySet<string>;
  readonly fields: ReadonlyArray<ThingField>;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const DESCRIBED: ReadonlyArray<ThingField> = [
  ["name", text("name"), "free"],
  ["description", longText("description"), "free"],
  ["url", url("url"), "free"],
  ["images", images, "free"]
];

export const THING_TYPES: ReadonlyArray<ThingType> = [
  {
    type: "Product",
    names: setOf("Product ProductGroup ProductModel IndividualProduct SomeProducts Vehicle Car"),
    fields: [
      ...DESCRIBED,
      ["sku", text("sku"), "exact"],
      ["gtin", text("gtin", "gtin14", "gtin13", "gtin12", "gtin8", "isbn"), "exact"],
      ["mpn", text("mpn"), "exact"],
      ["brand", text("brand", "manufacturer"), "exact"],
      ["category", text("category"), "free"],
      ["color", text("color"), "free"],
      ["material", text("material"), "free"],
      ["offers", offers, "parts"],
      ["rating", rating, "parts"]
    ]
  },
  {
    type: "Recipe",
    names: setOf("Recipe"),
    fields: [
      ...DESCRIBED,
      ["authors", parties("author"), "free"],
      ["publishedAt", date("datePublished"), "exact"],
      ["yield", text("recipeYield", "yield"), "exact"],
      ["prepSeconds", seconds("prepTime"), "exact"],
      ["cookSeconds", seconds("cookTime", "performTime"), "exact"],
      ["totalSeconds", seconds("totalTime"), "exact"],
      ["ingredients", texts("recipeIngredient", "ingredients"), "free"],
      ["instructions", steps, "free"],
      ["categories", texts("recipeCategory"), "free"],
      ["cuisines", texts("recipeCuisine"), "free"],
      ["keywords", keywords, "free"],
      ["nutrition", nutrition, "parts"],
      ["rating", rating, "parts"]
    ]
  },
  {
    type: "Event",
    names: setOf(
      "Event BusinessEvent ChildrensEvent ComedyEvent ConferenceEvent CourseInstance DanceEvent DeliveryEvent " +
        "EducationEvent ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent PerformingArtsEvent " +
        "PublicationEvent SaleEvent ScreeningEvent SocialEvent SportsEvent TheaterEvent VisualArtsEvent"
    ),
    fields: [
      ...DESCRIBED,
      ["startsAt", date("startDate"), "exact"],
      ["endsAt", date("endDate"), "exact"],
      ["doorsAt", date("doorTime"), "exact"],
      ["status", term("eventStatus"), "exact"],
      ["attendanceMode", term("eventAttendanceMode"), "exact"],
      ["locations", places("location"), "free"],
      ["organizers", parties("organizer"), "free"],
      ["performers", parties("performer", "performers"), "free"],
      ["offers", offers, "parts"]
    ]
  },
  {
    type: "JobPosting",
    names: setOf("JobPosting"),
    fields: [
      ["title", text("title", "name"), "free"],
      ["description", longText("description"), "free"],
      ["url", url("url"), "free"],
      ["identifier", text("identifier"), "exact"],
      ["publishedAt", date("datePosted"), "exact"],
      ["validUntil", date("validThrough"), "exact"],
      ["employmentTypes", texts("employmentType"), "free"],
      ["organization", oneParty("hiringOrganization"), "parts"],
      ["locations", places("jobLocation"), "free"],
      ["isRemote", isRemote, "exact"],
      ["applicantLocations", texts("applicantLocationRequirements"), "free"],
      ["salary", salary, "parts"]
    ]
  },
  {
    type: "VideoObject",
    names: setOf("VideoObject Clip"),
    fields: [
      ...DESCRIBED,
      ["publishedAt", date("uploadDate", "datePublished"), "exact"],
      ["durationSeconds", seconds("duration"), "exact"],
      ["contentUrl", url("contentUrl"), "free"],
      ["embedUrl", url("embedUrl"), "free"]
    ]
  },
  {
    type: "Article",
    names: setOf(
      "Article NewsArticle BlogPosting LiveBlogPosting Report ScholarlyArticle TechArticle OpinionNewsArticle " +
        "AnalysisNewsArticle BackgroundNewsArticle ReportageNewsArticle ReviewNewsArticle AskPublicNewsArticle " +
        "AdvertiserContentArticle SatiricalArticle MedicalScholarlyArticle SocialMediaPosting"
    ),
    fields: [
      ["headline", text("headline", "name"), "free"],
      ["description", longText("description"), "free"],
      ["url", url("url", "mainEntityOfPage"), "free"],
      ["images", images, "free"],
      ["authors", parties("author"), "free"],
      ["publisher", oneParty("publisher"), "parts"],
      ["publishedAt", date("datePublished"), "exact"],
      ["modifiedAt", date("dateModified"), "exact"],
      ["sections", texts("articleSection"), "free"],
      ["keywords", keywords, "free"],
      ["wordCount", whole("wordCount"), "exact"],
      ["isFree", flag("isAccessibleForFree"), "exact"]
    ]
  }
];
