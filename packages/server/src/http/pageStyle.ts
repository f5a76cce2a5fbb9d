/**
 * The style and icon of the pages that the server makes itself, in the colours of the web app. The style is embedded,
 * and the content security policy allows its digest, and no other hosts. Tests: guides.test.ts, signIn.test.ts.
 */
import { createHash } from "node:crypto";
import { html, Html } from "./Html.ts";

const STYLE = `
:root { color-scheme: light dark; --bg: light-dark(#f7f5f0, #131516); --panel: light-dark(#fff, #1b1e1f);
  --ink: light-dark(#1b2220, #ebe9e3); --soft: light-dark(#565f5b, #a7aeaa); --line: light-dark(#e1ddd3, #31363a);
  --accent: light-dark(#1d6446, #7fd1a8); --accent-soft: light-dark(#e4f0e8, #1f3329);
  --on-accent: light-dark(#fff, #0d1f17); --bad: light-dark(#a3271c, #ff9f92); }
:root[data-theme="light"] { color-scheme: light; } :root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; color: var(--ink); background: var(--bg); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { background: var(--accent-soft); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: .5rem 0;
  overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--bg); padding: .5rem; z-index: 1; }
.side { border-bottom: 1px solid var(--line); background: var(--panel); }
.top { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: space-between; padding: .75rem 1.5rem; }
nav { padding: .5rem 1.5rem 1.5rem; background: var(--panel); color: inherit; }
nav[popover] { inset: 0 auto auto 0; width: min(22rem, 100vw); max-height: 100dvh; overflow-y: auto; margin: 0;
  border: 1px solid var(--line); border-radius: 0 0 8px 0; }
nav[popover]::backdrop { background: #0006; }
.brand { display: inline-flex; gap: .5rem; align-items: center; font-weight: 700; font-size: 1.2rem; color: var(--ink);
  text-decoration: none; }
.brand svg { width: 2rem; height: 2rem; }
.search { display: flex; gap: .5rem; flex: 1 1 100%; min-width: 0; }
.search input { font: inherit; color: var(--ink); background: var(--bg); border: 1px solid var(--soft); border-radius: 8px;
  padding: .4rem .6rem; min-width: 0; flex: 1; min-height: 2.75rem; }
.search button { min-height: 2.75rem; }
::placeholder { color: var(--soft); opacity: 1; }
nav [aria-current] { font-weight: 700; color: var(--accent); }
.guide { max-width: 50rem; }
.guide :is(h1, h2, h3) { overflow-wrap: anywhere; }
.guide h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; } .guide h2 { margin-top: 2.5rem; font-size: 1.45rem; }
.guide h3 { margin-top: 1.75rem; } .guide img { max-width: 100%; height: auto; border-radius: 8px; }
.guide .table { overflow-x: auto; } .guide table { border-collapse: collapse; font-size: .92rem; }
.guide th, .guide td { text-align: start; vertical-align: top; padding: .45rem .75rem .45rem 0;
  border-bottom: 1px solid var(--line); }
.hljs-comment, .hljs-meta { color: var(--soft); } .hljs-keyword, .hljs-built_in, .hljs-literal { color: var(--accent); font-weight: 600; }
.hljs-string, .hljs-number, .hljs-attr { color: light-dark(#7a4a12, #ffd98a); }
.guide blockquote { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--accent); }
nav h2 { font-size: .9rem; font-weight: 700; margin: 1rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .15rem 0; text-decoration: none; font-size: .9rem;
  color: var(--ink); }
nav li a:hover { color: var(--accent); text-decoration: underline; }
main { padding: 1.5rem; min-width: 0; }
main > * { max-width: 76rem; }
h2 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; } h3 { font-size: 1.15rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
@media (min-width: 56rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
  .side { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  .top .contents { display: none; }
  nav[popover] { display: block; position: static; width: auto; max-height: none; border: 0; overflow: visible; }
  main { padding: 2rem 2.5rem 6rem; }
}
@media print { .side { display: none; } body { display: block; } }
body.alone { display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; min-height: 100vh; }
.alone main { width: min(32rem, 100%); padding: 1.5rem; overflow-wrap: anywhere; }
.alone h1 { font-size: 1.5rem; }
.button { display: inline-block; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel);
  text-decoration: none; }
button.button { font: inherit; color: var(--ink); cursor: pointer; text-align: start; }
button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.choice { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
.choice h2 { font-size: 1.15rem; } .choice p { margin: .25rem 0 .75rem; color: var(--soft); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; }

`;

const styleDigest = createHash("sha256").update(STYLE).digest("base64");

/** Of pages without forms or pictures. */
export const PAGE_POLICY =
  `default-src 'none'; style-src 'sha256-${styleDigest}'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Unchanged, because the digest is computed from these bytes. */
export const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** The icon of the web app. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">' +
  '<rect width="32" height="32" rx="8" fill="#1f6146" />' +
  '<g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round">' +
  '<path d="M6.5 12.5c4-3 7-3 10.500 0s6 2.800 8.500 .5" opacity=".55" />' +
  '<path d="M8 9c3.200-2.200 5.600-2.200 8.500 0s5 2.200 7 .4" opacity=".3" />' +
  "</g>" +
  '<g fill="#ffd98a"><ellipse cx="11" cy="21" rx="2.200" ry="3.400" transform="rotate(24 11 21)" /><ellipse cx="17.500" cy="22.500" rx="2.200" ry="3.400" transform="rotate(-12 17.500 22.500)" /><ellipse cx="22.500" cy="19" rx="1.900" ry="3" transform="rotate(36 22.500 19)" /></g>' +
  "</svg>";

/** The icon as a picture in a page. */
export const MARK = new Html(ICON);

export const ICON_LINK = html`<link
  rel="icon"
  href="data:image/svg+xml;base64,${Buffer.from(ICON).toString("base64")}"
/>`;
