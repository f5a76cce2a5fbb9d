/** The pages of the sample site, like real ones: Open Graph, JSON-LD, navigation and footers. */
import { SLIDES } from "./media.ts";
import { TALK_SECONDS } from "./script.ts";

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/gu, (character) => `&#${character.codePointAt(0)};`);

interface Page {
  readonly title: string;
  readonly description: string;
  readonly image: string;
  readonly type: string;
  readonly head?: string;
  readonly body: string;
}

const html = (base: string, path: string, page: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(page.title)} – Chaff &amp; Grain</title>
<link rel="canonical" href="${base}${path}">
<meta property="og:site_name" content="Chaff &amp; Grain">
<meta property="og:title" content="${escape(page.title)}">
<meta property="og:description" content="${escape(page.description)}">
<meta property="og:type" content="${page.type}">
<meta property="og:url" content="${base}${path}">
<meta property="og:image" content="${base}${page.image}">
${page.head ?? ""}
</head>
<body>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li><li><a href="/subscribe">Subscribe</a></li></ul></nav></header>
${page.body}
<footer><p>© 2026 Chaff &amp; Grain. <a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></p></footer>
</body>
</html>
`;

const jsonLd = (value: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...value })}</script>`;

const DESCRIPTION = "Five sentences on sieves, wind and reading, with English and German subtitles.";

const videoObject = (base: string, contentUrl: string): object => ({
  "@type": "VideoObject",
  name: "A short talk about sieves",
  description: DESCRIPTION,
  thumbnailUrl: `${base}/media/poster.jpg`,
  uploadDate: "2026-03-14T19:30:00+01:00",
  duration: `PT${TALK_SECONDS}S`,
  contentUrl: `${base}${contentUrl}`,
  author: { "@type": "Person", name: "Ada Korn" },
  interactionStatistic: [
    {
      "@type": "InteractionCounter",
      interactionType: "https://schema.org/WatchAction",
      userInteractionCount: 4_821
    },
    {
      "@type": "InteractionCounter",
      interactionType: "https://schema.org/LikeAction",
      userInteractionCount: 312
    }
  ]
});

const tracks = `<track kind="subtitles" srclang="en" label="English" src="/media/talk.en.vtt" default>
<track kind="subtitles" srclang="de" label="Deutsch" src="/media/talk.de.vtt">`;

const talk = (base: string): string =>
  html(base, "/talk", {
    title: "A short talk about sieves",
    description: DESCRIPTION,
    image: "/media/poster.jpg",
    type: "video.other",
    head: jsonLd(videoObject(base, "/media/talk.mp4")),
    body: `<main><h1>A short talk about sieves</h1>
<video controls poster="/media/poster.jpg"><source src="/media/talk.mp4" type="video/mp4">
${tracks}</video><p>${DESCRIPTION}</p></main>`
  });

const talkHls = (base: string): string =>
  html(base, "/talk-hls", {
    title: "A short talk about sieves (stream)",
    description: DESCRIPTION,
    image: "/media/poster.jpg",
    type: "video.other",
    head: jsonLd({
      ...videoObject(base, "/media/hls/master.m3u8"),
      name: "A short talk about sieves (stream)"
    }),
    body: `<main><h1>A short talk about sieves (stream)</h1>
<video controls poster="/media/poster.jpg" src="/media/hls/master.m3u8"></video><p>${DESCRIPTION}</p></main>`
  });

const carousel = (base: string): string => {
  const images = Array.from({ length: SLIDES }, (_, index) => `${base}/media/slide${index + 1}.jpg`);
  const figures = images
    .map(
      (image, index) =>
        `<figure><img src="${image}" width="800" height="1000" alt="Slide ${index + 1}"></figure>`
    )
    .join("\n");
  return html(base, "/carousel", {
    title: "Four sieves, from coarse to fine",
    description: "A photo post in four slides.",
    image: "/media/slide1.jpg",
    type: "article",
    head: jsonLd({
      "@type": "ImageGallery",
      name: "Four sieves, from coarse to fine",
      author: { "@type": "Person", name: "Ben Spelz" },
      datePublished: "2026-02-01",
      image: images
    }),
    body: `<main><h1>Four sieves, from coarse to fine</h1>\n${figures}</main>`
  });
};

const PARAGRAPHS = [
  "Before there were machines for it, the harvest was threshed on a floor of beaten earth and then thrown into the air. The wind did the rest. Grain is heavy and falls where it stood; chaff is light and drifts a few steps further. Nothing about the method is clever, and it fed half the world for six thousand years.",
  "What interests me is the order of the work. Nobody picks the chaff out of the heap with their fingers. You loosen everything first, you give it a little height, and you let one indifferent force act on all of it at once. The sorting happens because the parts differ, and the person with the fork only makes room for the difference to show.",
  "Reading a modern web page is threshing in reverse. The sentence you came for is in there, but it has been mixed again with menus, notices, suggestions and a form that wants your address. A reader that removes these one by one, with a rule for each, is picking chaff with its fingers: it will never be done, and now and then it will throw away a grain.",
  "The better way is to ask what is heavy. Running text is heavy: long lines, few links, punctuation in the places where people breathe. Navigation is light, however much of it there is. Weigh the parts, let the light ones go, and what is left is very nearly the thing that somebody sat down to write.",
  "There is a limit to this, and it should be said. A poem is light by every such measure, and so is a recipe, and so is the single line under a photograph that explains it. The old winnowers knew it too. They kept the chaff, because animals will eat it, and because one can be wrong about what is worth keeping."
];

const article = (base: string): string =>
  html(base, "/article", {
    title: "What is heavy stays",
    description: "On threshing floors, web pages, and the order of the work.",
    image: "/media/poster.jpg",
    type: "article",
    head: `<meta name="author" content="Ada Korn">
<meta property="article:published_time" content="2026-04-09T08:00:00+02:00">
${jsonLd({
  "@type": "Article",
  headline: "What is heavy stays",
  author: { "@type": "Person", name: "Ada Korn" },
  datePublished: "2026-04-09T08:00:00+02:00",
  image: `${base}/media/poster.jpg`
})}`,
    body: `<main><article><h1>What is heavy stays</h1><p class="byline">By Ada Korn</p>
${PARAGRAPHS.map((text) => `<p>${text}</p>`).join("\n")}</article>
<aside><h2>More from us</h2><ul><li><a href="/talk">A short talk about sieves</a></li><li><a href="/carousel">Four sieves</a></li></ul></aside></main>`
  });

const RECIPE = [
  "Dish: Soda bread with spelt. Servings: 4. Minutes: 50.",
  "Ingredient: 500 g of spelt flour, sieved twice; with it go a teaspoon of soda, a teaspoon of salt and 400 ml of buttermilk.",
  "Mix what is dry, pour the buttermilk into the middle and stir only until nothing dry is left. A dough that is worked for long gets tough, because the soda starts at once and does not wait for anybody.",
  "Cut a cross into the loaf, as deep as your finger is long, and bake it at 200 degrees until it sounds hollow when you knock on it from below."
];

const recipe = (base: string): string =>
  html(base, "/recipe", {
    title: "Soda bread with spelt",
    description: "A loaf in less than an hour.",
    image: "/media/poster.jpg",
    type: "article",
    body: `<main><article><h1>Soda bread with spelt</h1>
${RECIPE.map((text) => `<p>${text}</p>`).join("\n")}</article></main>`
  });

/** Pages by path, each a function of the site's URL. */
export const PAGES: Readonly<Record<string, (base: string) => string>> = {
  "/talk": talk,
  "/talk-hls": talkHls,
  "/carousel": carousel,
  "/article": article,
  "/recipe": recipe
};
