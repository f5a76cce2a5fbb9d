/** The script of every page of the guides: the theme that the web app stores, keys, and the answers of a search. */
try {
  const theme = localStorage.getItem("winnow.theme");
  if (/^(light|dark)$/u.test(theme)) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the theme of the system.
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select") !== null;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  document.querySelector("input[type=search]").focus();
});

document.addEventListener("click", ({ target }) => {
  if (target.closest("nav a") !== null) document.getElementById("contents").hidePopover();
});

const FINDINGS_MAX = 20;
const EXCERPT_CHARACTERS = 200;

/** Places that have every word, best first: a word in a title counts more than in the text. */
const found = (places, words) =>
  places
    .map((place) => {
      const [title, text] = [place.title.toLowerCase(), place.text.toLowerCase()];
      const scores = words.map((word) => (title.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0));
      return { place, score: scores.includes(0) ? 0 : scores.reduce((sum, each) => sum + each, 0) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, FINDINGS_MAX)
    .map(({ place }) => place);

const excerptOf = (text, word) => {
  const start = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT_CHARACTERS / 3);
  const end = start + EXCERPT_CHARACTERS;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
};

const element = (name, ...children) => {
  const made = document.createElement(name);
  made.append(...children);
  return made;
};

document.addEventListener("DOMContentLoaded", async () => {
  const findings = document.getElementById("findings");
  const query = new URLSearchParams(location.search).get("q") ?? "";
  if (findings === null || query.trim() === "") return;
  document.querySelector("input[type=search]").value = query;
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const best = found(await (await fetch("search.json")).json(), words);
  const summary =
    best.length === 0
      ? `Nothing has all the words of “${query}”; try fewer words.`
      : `${best.length} of the best places for “${query}”.`;
  findings.append(element("p", summary));
  for (const { title, href, text } of best) {
    const link = element("a", title);
    link.href = href;
    findings.append(element("h2", link), element("p", excerptOf(text, words[0])));
  }
});
