/** Predefined schemas of what is announced: events and jobs. */
import { list, maybe, predefined, text } from "./fields.ts";

export const event = predefined(
  "event",
  1,
  "Extract the event that is announced. Dates and times in ISO 8601 as far as they are known, local to the " +
    "event and without guessing a year or a time zone that is not given. With several, take the main one.",
  {
    title: text("Name of the event."),
    summary: maybe("string", "What it is, in one or two sentences."),
    startsAt: maybe("string", "ISO 8601 date, with the time where it is known."),
    endsAt: maybe("string", "ISO 8601 date, with the time where it is known."),
    timeZone: maybe("string", "As given: a name or an offset."),
    venue: maybe("string", "Name of the place; null for online events."),
    address: maybe("string", "Street, town and country, as given."),
    isOnline: maybe("boolean", "Whether one can take part from afar."),
    organizer: maybe("string", "Who holds it."),
    people: list(text("A name."), "Speakers, artists or hosts."),
    price: maybe("string", "Price or range with its currency, or that it is free."),
    registrationUrl: maybe("string", "Where to sign up or buy a ticket.")
  },
  {
    title: "Night of museums",
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
  "Extract the position that is offered. Pay, place and terms only as stated: no range from experience, no " +
    "conversion. Tell what must be there from what would be nice. With several positions, take the main one.",
  {
    title: text("Name of the position."),
    employer: maybe("string", "Who hires."),
    location: maybe("string", "Where, as given."),
    workplace: {
      type: ["string", "null"],
      enum: ["on_site", "hybrid", "remote", null],
      description: "Where one works from, as stated."
    },
    employmentType: maybe("string", "Such as 'full-time' or 'internship', as stated."),
    salaryMin: maybe("number", "Lowest pay stated."),
    salaryMax: maybe("number", "Highest pay stated."),
    salaryCurrency: maybe("string", "ISO 4217 code, like EUR."),
    salaryPeriod: {
      type: ["string", "null"],
      enum: ["hour", "day", "month", "year", null],
      description: "What the pay is for."
    },
    tasks: list(text("One task."), "What one does."),
    requirements: list(text("One requirement."), "What must be there."),
    niceToHave: list(text("One wish."), "What would be nice."),
    benefits: list(text("One benefit."), "Beside the pay."),
    startDate: maybe("string", "ISO 8601 date, or as stated."),
    applyBy: maybe("string", "ISO 8601 date of the last day to apply."),
    applyUrl: maybe("string", "Where to apply."),
    contact: maybe("string", "Whom to ask.")
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
    requirements: ["Two years of practice"],
    niceToHave: [],
    benefits: [],
    startDate: null,
    applyBy: null,
    applyUrl: null,
    contact: null
  }
);
