/** Predefined schemas for announcements: events and jobs: what a change needs, says fields.ts. */
import { list, maybe, predefined, text } from "./fields.ts";

export const event = predefined(
  "event",
  1,
  "Extract the event that is announced. Give dates and times in ISO 8601, as precisely as they are stated and in " +
    "the event's local time; do not guess a year or a time zone. If there are several events, take the main one.",
  {
    title: text("Name of the event."),
    summary: maybe("string", "What it is, in one or two sentences."),
    startsAt: maybe("string", "ISO 8601 date, with the time if known."),
    endsAt: maybe("string", "ISO 8601 date, with the time if known."),
    timeZone: maybe("string", "A name or an offset, as given."),
    venue: maybe("string", "Name of the venue; null for online events."),
    address: maybe("string", "Street, town and country, as given."),
    isOnline: maybe("boolean", "Whether it is possible to attend online."),
    organizer: maybe("string", "Who organizes it."),
    people: list(text("A name."), "Speakers, artists or hosts."),
    price: maybe("string", "Price or price range with its currency, or 'free'."),
    registrationUrl: maybe("string", "Where to sign up or buy a ticket.")
  },
  {
    title: "Night of Museums",
    summary: null,
    startsAt: "2027-05-08T18:00",
    endsAt: null,
    timeZone: null,
    venue: "Old Town Hall",
    address: null,
    isOnline: false,
    organizer: null,
    people: [],
    price: "free",
    registrationUrl: null
  }
);

export const jobPosting = predefined(
  "job-posting",
  1,
  "Extract the position that is offered. Give pay, location and terms only as stated: no estimates from " +
    "experience, no conversion. Separate requirements from wishes. If there are several positions, take the main one.",
  {
    title: text("Job title."),
    employer: maybe("string", "Who is hiring."),
    location: maybe("string", "Where the job is, as given."),
    workplace: {
      type: ["string", "null"],
      enum: ["on_site", "hybrid", "remote", null],
      description: "Whether the work is on site, hybrid or remote, as stated."
    },
    employmentType: maybe("string", "Such as 'full-time' or 'internship', as stated."),
    salaryMin: maybe("number", "Lowest pay stated."),
    salaryMax: maybe("number", "Highest pay stated."),
    salaryCurrency: maybe("string", "ISO 4217 code, like EUR."),
    salaryPeriod: {
      type: ["string", "null"],
      enum: ["hour", "day", "month", "year", null],
      description: "The period that the pay is for."
    },
    tasks: list(text("One task."), "What the job involves."),
    requirements: list(text("One requirement."), "What applicants must have."),
    niceToHave: list(text("One item."), "What is desirable but not required."),
    benefits: list(text("One benefit."), "What is offered besides pay."),
    startDate: maybe("string", "ISO 8601 date, or as stated."),
    applyBy: maybe("string", "Closing date for applications, as an ISO 8601 date."),
    applyUrl: maybe("string", "Where to apply."),
    contact: maybe("string", "Who to contact with questions.")
  },
  {
    title: "Baker",
    employer: "Example Bakery",
    location: "Lyon",
    workplace: "on_site",
    employmentType: "full-time",
    salaryMin: 2100,
    salaryMax: null,
    salaryCurrency: "EUR",
    salaryPeriod: "month",
    tasks: ["Bake bread"],
    requirements: ["Two years of experience"],
    niceToHave: [],
    benefits: [],
    startDate: null,
    applyBy: null,
    applyUrl: null,
    contact: null
  }
);
