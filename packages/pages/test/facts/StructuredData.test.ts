import { assert, describe, it } from "@effect/vitest";
import { StructuredThing } from "@winnow/core/domain/source/StructuredData";
import * as Schema from "effect/Schema";
import { jsonLd, page, paragraphs, readMetadata } from "../pages.ts";

const decode = Schema.decodeUnknownSync(Schema.Array(StructuredThing), { onExcessProperty: "error" });

const found = async (head: string, body = "") => {
  const { details } = await readMetadata(page({ head, body: body + paragraphs(2) }));
  return decode(details.structured);
};

const valuesOf = async (thing: object, type: StructuredThing["type"]) =>
  (await found(jsonLd(thing))).find((each) => each.type === type)?.values;

const LAMP = {
  "@type": "Product",
  name: "Lamp",
  sku: "L-1",
  brand: { "@type": "Brand", name: "Lux" },
  image: ["/lamp.jpg", { "@type": "ImageObject", url: "/lamp2.jpg" }],
  description: "&lt;p&gt;A &lt;b&gt;lamp&lt;/b&gt;.&lt;/p&gt;",
  offers: {
    "@type": "Offer",
    price: "1,299.50",
    priceCurrency: "EUR",
    availability: "https://schema.org/InStock",
    priceValidUntil: "2026-12-31"
  },
  aggregateRating: { ratingValue: "4.5", reviewCount: 12 }
};

describe("structured data of a page", () => {
  it("is a product with its offer and rating", async () => {
    assert.deepStrictEqual(await valuesOf(LAMP, "Product"), {
      name: "Lamp",
      sku: "L-1",
      brand: "Lux",
      description: "A lamp.",
      images: ["https://site.test/lamp.jpg", "https://site.test/lamp2.jpg"],
      offers: [
        {
          price: 1_299.5,
          currency: "EUR",
          availability: "InStock",
          priceValidUntil: { value: "2026-12-31", precision: "day" }
        }
      ],
      rating: { value: 4.5, reviewCount: 12 }
    });
  });

  it("is a recipe with steps in their order, those of sections too", async () => {
    const recipe = {
      "@type": ["Recipe", "NewsArticle"],
      name: "Soup",
      recipeYield: ["4", "4 servings"],
      totalTime: "PT1H10M",
      recipeIngredient: ["1 l water", "2 carrots"],
      recipeInstructions: [
        { "@type": "HowToSection", itemListElement: [{ "@type": "HowToStep", text: "Chop." }] },
        { "@type": "HowToStep", text: "<p>Boil.</p>" },
        "Serve."
      ],
      nutrition: { "@type": "NutritionInformation", calories: "270 calories" },
      author: [{ "@type": "Person", name: "Ida" }]
    };
    assert.deepStrictEqual(await valuesOf(recipe, "Recipe"), {
      name: "Soup",
      yield: "4",
      totalSeconds: 4_200,
      ingredients: ["1 l water", "2 carrots"],
      instructions: ["Chop.", "Boil.", "Serve."],
      nutrition: { calories: "270 calories" },
      authors: [{ name: "Ida" }]
    });
  });

  it("describes an event with time and place, without an invented time zone", async () => {
    const event = {
      "@type": "MusicEvent",
      name: "Concert",
      startDate: "2026-06-01T20:00",
      eventStatus: "https://schema.org/EventCancelled",
      location: {
        "@type": "Place",
        name: "Hall",
        address: { "@type": "PostalAddress", streetAddress: "Main St 1", addressLocality: "Town" }
      },
      performer: { "@type": "MusicGroup", name: "The Band" }
    };
    assert.deepStrictEqual(await valuesOf(event, "Event"), {
      name: "Concert",
      startsAt: { value: "2026-06-01T20:00", precision: "minute" },
      status: "EventCancelled",
      locations: [{ name: "Hall", address: "Main St 1, Town" }],
      performers: [{ name: "The Band" }]
    });
  });

  it("is a job with its salary", async () => {
    const job = {
      "@type": "JobPosting",
      title: "Baker",
      datePosted: "2026-01-02",
      employmentType: ["FULL_TIME"],
      hiringOrganization: { "@type": "Organization", name: "Bread & Co", sameAs: "https://bread.test" },
      jobLocationType: "TELECOMMUTE",
      baseSalary: {
        "@type": "MonetaryAmount",
        currency: "EUR",
        value: { "@type": "QuantitativeValue", minValue: 30_000, maxValue: 40_000, unitText: "YEAR" }
      }
    };
    assert.deepStrictEqual(await valuesOf(job, "JobPosting"), {
      title: "Baker",
      publishedAt: { value: "2026-01-02", precision: "day" },
      employmentTypes: ["FULL_TIME"],
      organization: { name: "Bread & Co" },
      isRemote: true,
      salary: { currency: "EUR", min: 30_000, max: 40_000, unit: "YEAR" }
    });
  });

  it("is a video, and an article", async () => {
    const video = { "@type": "VideoObject", name: "Talk", duration: "PT1M5S", contentUrl: "/talk.mp4" };
    assert.deepStrictEqual(await valuesOf(video, "VideoObject"), {
      name: "Talk",
      durationSeconds: 65,
      contentUrl: "https://site.test/talk.mp4"
    });
    const article = {
      "@type": "BlogPosting",
      headline: "Bread",
      author: { "@type": "Person", name: "Mira Tal", url: "/mira" },
      publisher: { "@type": "Organization", name: "Valley News" },
      datePublished: "2025-03-04",
      wordCount: 900,
      isAccessibleForFree: "False"
    };
    assert.deepStrictEqual(await valuesOf(article, "Article"), {
      headline: "Bread",
      authors: [{ name: "Mira Tal", url: "https://site.test/mira" }],
      publisher: { name: "Valley News" },
      publishedAt: { value: "2025-03-04", precision: "day" },
      wordCount: 900,
      isFree: false
    });
  });

  it("is read from microdata if there is no JSON-LD", async () => {
    const structured = await found(
      "",
      `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Lamp</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="12.00">12 €</span><meta itemprop="priceCurrency" content="EUR"></div></div>`
    );
    assert.deepStrictEqual(structured, [
      {
        type: "Product",
        origin: "microdata",
        values: { name: "Lamp", offers: [{ price: 12, currency: "EUR" }] }
      }
    ]);
  });

  it("leaves out ambiguous amounts and dates", async () => {
    const structured = await found(
      jsonLd({ "@type": "Product", name: "Lamp", offers: { price: "1.299,50", priceCurrency: "EUR" } }) +
        jsonLd({ "@type": "Event", name: "Fair", startDate: "3/4/2026" })
    );
    assert.deepStrictEqual(
      structured.map(({ values }) => values),
      [{ name: "Lamp", offers: [{ currency: "EUR" }] }, { name: "Fair" }]
    );
  });
});

describe("several descriptions", () => {
  it("of one entity are one thing, whose fields come from the first that has each", async () => {
    const dearer = { ...LAMP, mpn: "M-2", offers: { ...LAMP.offers, price: "1,399.50" } };
    const marked = `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Lamp</b><b itemprop="sku">X-9</b><b itemprop="color">red</b></div>`;
    assert.deepStrictEqual(await found(jsonLd(LAMP) + jsonLd(dearer), marked), [
      {
        type: "Product",
        origin: "json-ld",
        values: { ...(await valuesOf(LAMP, "Product")), mpn: "M-2", color: "red" }
      }
    ]);
  });

  it("of two entities are two things", async () => {
    const other = { "@type": "Product", name: "Chair", offers: { price: 5, priceCurrency: "USD" } };
    const things = await found(jsonLd([LAMP, other]));
    assert.deepStrictEqual(
      things.map(({ values }) => "name" in values && values.name),
      ["Lamp", "Chair"]
    );
  });
});

describe("whatever a page writes into a description", () => {
  const ODD: ReadonlyArray<unknown> = [
    null,
    [],
    {},
    7,
    true,
    "x",
    [[["x"]]],
    { "@id": "#self" },
    { "@value": "v" },
    { "@list": [1] },
    "\u0000\u202e",
    "9".repeat(400),
    { name: { name: { name: "x" } } }
  ];
  const KEYS =
    "name headline description url image sku brand offers aggregateRating recipeInstructions nutrition author startDate location baseSalary hiringOrganization duration keywords isAccessibleForFree datePublished".split(
      " "
    );

  it("is of the one shape, or left out", async () => {
    for (const odd of ODD) {
      for (const type of ["Product", "Recipe", "Event", "JobPosting", "VideoObject", "Article"]) {
        const thing = { "@id": "#self", "@type": type, ...Object.fromEntries(KEYS.map((key) => [key, odd])) };
        const structured = await found(jsonLd(thing));
        assert.isAtMost(structured.length, 1);
      }
    }
  });
});
