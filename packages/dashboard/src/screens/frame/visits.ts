/**
 * Where somebody was on each screen, for the way back: how far it was scrolled, and the link that was followed from
 * there. Browsers restore the position before the screen is rendered, so this replaces their restoration. Tests: everyday.test.ts.
 */

interface Visit {
  readonly scrollY: number;
  /** `href` of the link that was followed, and its distance from the top of the window; null after scrolling. */
  readonly link: { readonly href: string; readonly top: number } | null;
}

/** By URL. */
const visits = new Map<string, Visit>();

const STORAGE_KEY = "winnow.visits";
/** Time for a list to load after the whole page was loaded again. */
const RESTORED_WITHIN_MS = 10_000;

const currentUrl = (): string => location.pathname + location.search;

/** Path of the screen that is rendered. For a moment after the back button, the URL is that of the next one. */
let shownPath = location.pathname;

export const screenIsShown = (): void => {
  shownPath = location.pathname;
};

const rememberScroll = (): void => {
  if (location.pathname === shownPath) visits.set(currentUrl(), { scrollY, link: null });
};

const rememberLink = ({ target }: Event): void => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("main a[href]") : null;
  const href = link?.getAttribute("href");
  if (link === null || href == null) return;
  visits.set(currentUrl(), { scrollY, link: { href, top: link.getBoundingClientRect().top } });
};

const isReload = (): boolean => {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && ["reload", "back_forward"].includes(entry.type);
};

const rememberVisits = (): void => {
  history.scrollRestoration = "manual";
  addEventListener("scroll", rememberScroll, { passive: true });
  addEventListener("click", rememberLink, { capture: true });
  addEventListener("pagehide", () => sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...visits])));
  if (!isReload()) return;
  for (const [url, found] of JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as Array<
    [string, Visit]
  >)
    visits.set(url, found);
  returnToVisit();
};

const linkOf = ({ link }: Visit): HTMLAnchorElement | null =>
  link === null ? null : document.querySelector(`main a[href="${CSS.escape(link.href)}"]`);

/** False while the screen is too short, or the link is not there. */
const scrollBack = (found: Visit): boolean => {
  scrollTo(0, found.scrollY);
  const link = linkOf(found);
  // Rows out of sight have an estimated height, so the same position may be another row.
  if (link !== null && found.link !== null) scrollBy(0, link.getBoundingClientRect().top - found.link.top);
  // A screen may have put the focus where it was itself.
  const { activeElement: focused } = document;
  if (focused === document.body || focused?.id === "main") link?.focus({ preventScroll: true });
  return link !== null || Math.abs(scrollY - found.scrollY) <= 1;
};

/** What somebody does ends the restoration. */
const DEEDS = ["wheel", "touchmove", "keydown", "pointerdown"];

/** Rows in sight get their real heights in the frames after they were scrolled to. */
const SETTLED_AFTER_FRAMES = 5;

/** Goes to where somebody was on this screen. False if nobody was, or it is not there yet. */
export const returnToVisit = (): boolean => {
  const found = visits.get(currentUrl());
  if (found === undefined || (found.scrollY === 0 && found.link === null)) return false;
  const end = new AbortController();
  for (const event of DEEDS) addEventListener(event, () => end.abort(), { signal: end.signal });
  const endsAtMs = performance.now() + RESTORED_WITHIN_MS;
  let framesLeft = SETTLED_AFTER_FRAMES;
  const step = (): boolean => {
    if (end.signal.aborted) return true;
    const isThere = scrollBack(found);
    if (isThere) framesLeft -= 1;
    if (framesLeft < 0 || performance.now() > endsAtMs) end.abort();
    else requestAnimationFrame(step);
    return isThere;
  };
  return step();
};

rememberVisits();
