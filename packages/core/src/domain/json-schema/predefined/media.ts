/** Predefined schemas for articles, talks and podcasts: what a change needs, says fields.ts. */
import { list, maybe, object, predefined, text } from "./fields.ts";

export const article = predefined(
  "article",
  1,
  "Extract the article as a library catalogue would list it: who wrote it, when and where, what it claims and on " +
    "what evidence. Keep names, figures and dates exactly as given. Ignore menus, comments and advertisements.",
  {
    headline: text("Title, as given."),
    subtitle: maybe("string", "The line under the title."),
    authors: list(text("A name."), "The authors."),
    publisher: maybe("string", "Newspaper, website or organization that published it."),
    publishedAt: maybe("string", "ISO 8601 date, with the time if known."),
    updatedAt: maybe("string", "ISO 8601 date, with the time if known."),
    section: maybe("string", "Section of the publication, such as 'Science', as given."),
    summary: text("The whole article in two or three sentences, in its own language."),
    keyPoints: list(text("One point."), "Three to seven, in the order of the article."),
    claims: list(
      object({
        claim: text("What is claimed."),
        source: maybe("string", "Who makes the claim, or where it comes from, as given.")
      }),
      "The main claims of the article."
    ),
    topics: list(text("A subject in one to three words."), "Subject keywords."),
    language: maybe("string", "ISO 639-1 code of the article.")
  },
  {
    headline: "River back to normal level",
    subtitle: null,
    authors: ["Ann Example"],
    publisher: "Example Times",
    publishedAt: "2026-03-04",
    updatedAt: null,
    section: "Local",
    summary: "The river has fallen by two metres since Monday.",
    keyPoints: ["The bridge is open again."],
    claims: [{ claim: "The water fell by two metres.", source: "the water board" }],
    topics: ["floods"],
    language: "en"
  }
);

export const articleSummary = predefined(
  "article-summary",
  1,
  "Summarise for someone who will not read the source. State what it says rather than describing it; keep names, " +
    "figures and dates exact; distinguish facts from what people claim. Write in the language of the source.",
  {
    headline: text("What it is about, in at most twelve words."),
    summary: text("The whole source in three to five sentences."),
    keyPoints: list(text("One point."), "Three to seven, the most important first."),
    people: list(text("A name, with the role if given."), "The people who matter in it."),
    organizations: list(text("A name."), "The companies, institutions and groups that matter in it."),
    places: list(text("A name."), "Where the events take place."),
    quotes: list(
      object({ text: text("The exact words."), speaker: maybe("string", "Who said it.") }),
      "Statements worth quoting."
    ),
    topics: list(text("A subject in one to three words."), "Subject keywords."),
    language: maybe("string", "ISO 639-1 code of the source.")
  },
  {
    headline: "River falls, bridge opens",
    summary: "The river has fallen by two metres. The bridge is open again.",
    keyPoints: ["The bridge is open again."],
    people: ["Ann Example, mayor"],
    organizations: [],
    places: ["Exampleville"],
    quotes: [{ text: "We were lucky.", speaker: "Ann Example" }],
    topics: ["floods"],
    language: "en"
  }
);

export const talk = predefined(
  "talk",
  1,
  "Extract what is said in this talk, lecture, interview or podcast. List its sections in order, with start " +
    "times only where the transcript gives them. Attribute claims to their speakers.",
  {
    title: text("Title of the talk."),
    speakers: list(
      object({
        name: text("Name as given."),
        role: maybe("string", "Position and organisation, as given.")
      }),
      "In order of appearance."
    ),
    occasion: maybe("string", "Conference, series or show it was part of."),
    thesis: maybe("string", "The main claim in one sentence."),
    sections: list(
      object({
        title: text("What this part is about."),
        startSec: maybe("number", "Seconds from the beginning."),
        summary: text("What is said, in one to three sentences.")
      }),
      "In order, from beginning to end."
    ),
    takeaways: list(text("One thing to remember."), "Three to seven."),
    references: list(
      text("A book, paper, tool or website that is mentioned."),
      "By the names used in the talk."
    ),
    questions: list(
      object({ question: text("As asked."), answer: maybe("string", "The answer, in brief.") }),
      "Questions from the audience or the interviewer."
    )
  },
  {
    title: "How bridges fail",
    speakers: [{ name: "Ann Example", role: "engineer" }],
    occasion: null,
    thesis: "Bridges fail at their joints.",
    sections: [{ title: "Joints", startSec: 95, summary: "Why joints rust." }],
    takeaways: ["Look at the joints."],
    references: [],
    questions: []
  }
);

export const podcastEpisode = predefined(
  "podcast-episode",
  1,
  "Extract the episode: who speaks, about what and in which order. Distinguish hosts from guests as the content " +
    "does; give times only where the transcript has them. List advertisers as sponsors and nowhere else.",
  {
    title: text("Title of the episode."),
    show: maybe("string", "Name of the podcast."),
    season: maybe("integer", "Season number."),
    episode: maybe("integer", "Episode number."),
    publishedAt: maybe("string", "ISO 8601 date."),
    hosts: list(text("A name."), "Who presents the episode."),
    guests: list(
      object({ name: text("Name as given."), role: maybe("string", "Who they are, as introduced.") }),
      "The guests."
    ),
    summary: text("The episode in two or three sentences."),
    chapters: list(
      object({
        title: text("What the chapter is about."),
        startSec: maybe("number", "Seconds from the beginning.")
      }),
      "In order."
    ),
    quotes: list(
      object({ text: text("The exact words."), speaker: maybe("string", "Who said it.") }),
      "Statements worth quoting."
    ),
    mentions: list(text("A book, film, person, product or website."), "What is recommended or discussed."),
    sponsors: list(text("A name."), "Who advertises in it.")
  },
  {
    title: "Bread, again",
    show: "Example Talk",
    season: 2,
    episode: 7,
    publishedAt: null,
    hosts: ["Ann Example"],
    guests: [{ name: "Bob Example", role: "baker" }],
    summary: "A baker explains how he bakes.",
    chapters: [{ title: "Flour", startSec: 61 }],
    quotes: [],
    mentions: [],
    sponsors: []
  }
);
