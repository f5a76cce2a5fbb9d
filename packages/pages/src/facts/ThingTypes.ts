/** Which entity types are read, and how each of their fields. Tests: StructuredData.test.ts. */
import type { StructuredThing } from "@winnow/core/domain/source/StructuredData";
import { typeSet } from "../parse/JsonLd.ts";
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

export interface ThingType {
  readonly type: StructuredThing["type"];
  /** Short names in the vocabulary, including subtypes. */
  readonly names: ReadonlySet<string>;
  readonly fields: Readonly<Record<string, ThingReader>>;
}

/** Without posts, which are read as articles too. */
export const ARTICLE_TYPES =
  "Article NewsArticle BlogPosting LiveBlogPosting Report ScholarlyArticle TechArticle OpinionNewsArticle " +
  "AnalysisNewsArticle BackgroundNewsArticle ReportageNewsArticle ReviewNewsArticle AskPublicNewsArticle " +
  "AdvertiserContentArticle SatiricalArticle MedicalScholarlyArticle";

const DESCRIBED: ThingType["fields"] = {
  name: text("name"),
  description: longText("description"),
  url: url("url"),
  images
};

export const THING_TYPES: ReadonlyArray<ThingType> = [
  {
    type: "Product",
    names: typeSet("Product ProductGroup ProductModel IndividualProduct SomeProducts Vehicle Car"),
    fields: {
      ...DESCRIBED,
      sku: text("sku"),
      gtin: text("gtin", "gtin14", "gtin13", "gtin12", "gtin8", "isbn"),
      mpn: text("mpn"),
      brand: text("brand", "manufacturer"),
      category: text("category"),
      color: text("color"),
      material: text("material"),
      offers,
      rating
    }
  },
  {
    type: "Recipe",
    names: typeSet("Recipe"),
    fields: {
      ...DESCRIBED,
      authors: parties("author"),
      publishedAt: date("datePublished"),
      yield: text("recipeYield", "yield"),
      prepSeconds: seconds("prepTime"),
      cookSeconds: seconds("cookTime", "performTime"),
      totalSeconds: seconds("totalTime"),
      ingredients: texts("recipeIngredient", "ingredients"),
      instructions: steps,
      categories: texts("recipeCategory"),
      cuisines: texts("recipeCuisine"),
      keywords,
      nutrition,
      rating
    }
  },
  {
    type: "Event",
    names: typeSet(
      "Event BusinessEvent ChildrensEvent ComedyEvent ConferenceEvent CourseInstance DanceEvent DeliveryEvent " +
        "EducationEvent ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent PerformingArtsEvent " +
        "PublicationEvent SaleEvent ScreeningEvent SocialEvent SportsEvent TheaterEvent VisualArtsEvent"
    ),
    fields: {
      ...DESCRIBED,
      startsAt: date("startDate"),
      endsAt: date("endDate"),
      doorsAt: date("doorTime"),
      status: term("eventStatus"),
      attendanceMode: term("eventAttendanceMode"),
      locations: places("location"),
      organizers: parties("organizer"),
      performers: parties("performer", "performers"),
      offers
    }
  },
  {
    type: "JobPosting",
    names: typeSet("JobPosting"),
    fields: {
      title: text("title", "name"),
      description: longText("description"),
      url: url("url"),
      identifier: text("identifier"),
      publishedAt: date("datePosted"),
      validUntil: date("validThrough"),
      employmentTypes: texts("employmentType"),
      organization: oneParty("hiringOrganization"),
      locations: places("jobLocation"),
      isRemote,
      applicantLocations: texts("applicantLocationRequirements"),
      salary
    }
  },
  {
    type: "VideoObject",
    names: typeSet("VideoObject Clip"),
    fields: {
      ...DESCRIBED,
      publishedAt: date("uploadDate", "datePublished"),
      durationSeconds: seconds("duration"),
      contentUrl: url("contentUrl"),
      embedUrl: url("embedUrl")
    }
  },
  {
    type: "Article",
    names: typeSet(`${ARTICLE_TYPES} SocialMediaPosting`),
    fields: {
      headline: text("headline", "name"),
      description: longText("description"),
      url: url("url", "mainEntityOfPage"),
      images,
      authors: parties("author"),
      publisher: oneParty("publisher"),
      publishedAt: date("datePublished"),
      modifiedAt: date("dateModified"),
      sections: texts("articleSection"),
      keywords,
      wordCount: whole("wordCount"),
      isFree: flag("isAccessibleForFree")
    }
  }
];
