/** The title of a page, without the name of its site. */
import { stringsOf } from "./JsonLd.js";
import { NAME_CHARS_MAX } from "./PageLimits.js";
import { decoded, folded, oneLine } from "./PlainText.js";
/** Between a title and the name of a site; a hyphen only with spaces around it. */
const SEPARATOR = /\s+[|–—•·»:-]+\s+|\s*\|\s*/;
const withoutSite = (title, site, heading) => {
    const parts = title.split(SEPARATOR);
    const [first = title] = parts;
    if (parts.length < 2)
        return title;
    if (heading !== null && folded(first) === folded(heading))
        return first;
    const last = parts.at(-1) ?? "";
    if (site !== null && folded(last) === folded(site))
        return title.slice(0, title.lastIndexOf(last)).replace(/[\s|–—•·»:-]+$/, "");
    return title;
};
const clean = (written) => oneLine(decoded(written ?? ""), NAME_CHARS_MAX);
/** The heading where the page's own share title begins with it: it is the same title without the site. */
export const pageTitle = (scan, entities) => {
    const heading = clean(scan.heading);
    const shared = clean(scan.meta.get("og:title")?.[0]);
    const site = clean(scan.meta.get("og:site_name")?.[0]);
    if (heading !== null &&
        folded(heading) !== "" &&
        shared !== null &&
        folded(shared).startsWith(folded(heading))) {
        return heading;
    }
    const headlines = entities.flatMap((entity) => [
        ...stringsOf(scan.jsonLd, entity, "headline"),
        ...stringsOf(scan.jsonLd, entity, "name")
    ]);
    const headline = clean(headlines[0]);
    if (headline !== null)
        return headline;
    const title = shared ?? clean(scan.meta.get("twitter:title")?.[0]) ?? clean(scan.title);
    return title === null ? heading : withoutSite(title, site, heading);
};
