/** Predefined schemas of what is written or said: articles, talks, podcasts. */
import { list, maybe, object, predefined, text } from "./fields.ts";

export const article = predefined(
  "article",
  1,
  "Extract the article as a catalogue would list it: who wrote it, when and where, what it claims and by which " +
    "evidence. Names, figures and dates exactly as given. Menus, comments and advertisements are not part of it.",
  {
    headline: text("Title, as given."),
    subtitle: maybe("string", "The line under the title."),
    authors: list(text("A name."), "Who wrote it."),
    publisher: maybe("string", "Paper, site or body."),
    publishedAt: maybe("string", "ISO 8601 date, with the time where it is known."),
    updatedAt: maybe("string", "ISO 8601 date, with the time where it is known."),
    section: maybe("string", "Such as 'Science', as given."),
    summary: text("The whole in two or three sentences, in the language of the article."),
    keyPoints: list(text("One point."), "Three to seven, in the order of the article."),
    claims: list(
      object({
        claim: text("What is claimed."),
        source: maybe("string", "Who says so, or where it comes from, as given.")
      }),
      "The claims that the article rests on."
    ),
    topics: list(text("A subject in one to three words."), "For a catalogue."),
    language: maybe("string", "ISO 639-1 code of the article.")
  },
  {
    headline: "River is back in its bed",
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
  "Summarise for somebody who will not read the source. Tell what it says, not that it says it; keep names, " +
    "figures and dates exact; tell claims of others from facts. Write in the language of the source.",
  {
    headline: text("What it is about, in at most twelve words."),
    summary: text("The whole in three to five sentences."),
    keyPoints: list(text("One point."), "Three to seven, the most important first."),
    people: list(text("A name, with the role where it is given."), "Who matters in it."),
    organizations: list(text("A name."), "Which companies, bodies and groups matter in it."),
    places: list(text("A name."), "Where it happens."),
    quotes: list(
      object({ text: text("Word for word."), speaker: maybe("string", "Who said it.") }),
      "Statements worth quoting."
    ),
    topics: list(text("A subject in one to three words."), "For a catalogue."),
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
  "Extract what is said in this talk, lecture, interview or podcast. Sections follow the course of it; give " +
    "their start only where the transcript tells times. Attribute claims to their speakers.",
  {
    title: text("Title of the talk."),
    speakers: list(
      object({
        name: text("Name as given."),
        role: maybe("string", "Position and organisation, as given.")
      }),
      "In the order of their appearance."
    ),
    occasion: maybe("string", "Conference, series or show."),
    thesis: maybe("string", "The main claim in one sentence."),
    sections: list(
      object({
        title: text("What this part is about."),
        startSec: maybe("number", "Seconds from the beginning."),
        summary: text("What is said, in one to three sentences.")
      }),
      "In order, from the beginning to the end."
    ),
    takeaways: list(text("One thing to remember."), "Three to seven."),
    references: list(text("A book, paper, tool or site that is named."), "As they are named."),
    questions: list(
      object({ question: text("As asked."), answer: maybe("string", "As answered, in short.") }),
      "Of the audience or the interviewer."
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
  "Extract the episode: who speaks, what about, in which order. Hosts are told from guests as the content does; " +
    "times only where the transcript has them. Advertisements are listed as sponsors and nowhere else.",
  {
    title: text("Title of the episode."),
    show: maybe("string", "Name of the podcast."),
    season: maybe("integer", "Number of the season."),
    episode: maybe("integer", "Number of the episode."),
    publishedAt: maybe("string", "ISO 8601 date."),
    hosts: list(text("A name."), "Who leads through it."),
    guests: list(
      object({ name: text("Name as given."), role: maybe("string", "Who they are, as introduced.") }),
      "Who was invited."
    ),
    summary: text("The episode in two or three sentences."),
    chapters: list(
      object({
        title: text("What it is about."),
        startSec: maybe("number", "Seconds from the beginning.")
      }),
      "In their order."
    ),
    quotes: list(
      object({ text: text("Word for word."), speaker: maybe("string", "Who says it.") }),
      "Statements worth quoting."
    ),
    mentions: list(text("A book, film, person, product or site."), "What is recommended or discussed."),
    sponsors: list(text("A name."), "Who is advertised.")
  },
  {
    title: "Bread, again",
    show: "Example Talk",
    season: 2,
    episode: 7,
    publishedAt: null,
    hosts: ["Ann Example"],
    guests: [{ name: "Bob Example", role: "baker" }],
    summary: "A baker tells how he bakes.",
    chapters: [{ title: "Flour", startSec: 61 }],
    quotes: [],
    mentions: [],
    sponsors: []
  }
);
