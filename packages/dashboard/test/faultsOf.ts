/**
 * Accessibility violations of a screen according to axe, in both themes, wide and narrow, and whether it
 * scrolls sideways.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { CDPSession, Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Rules whose result may depend on the theme. The stylesheet distinguishes themes only by `light-dark()`, whose
 * values are colors.
 */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

interface Finding {
  readonly id: string;
  readonly nodes: ReadonlyArray<{ readonly html: string }>;
}

/** Injected through the debugger, as by an extension: the page's content security policy stays in force. */
const loadAxe = async (session: CDPSession): Promise<void> => {
  const { result } = await session.send("Runtime.evaluate", { expression: "typeof axe" });
  if (result.value === "object") return;
  await session.send("Runtime.evaluate", { expression: await readFile(AXE, "utf8") });
};

const axe = async (session: CDPSession, colorsOnly: boolean): Promise<ReadonlyArray<string>> => {
  const runOnly = colorsOnly ? { type: "rule", values: COLOR_RULES } : RULES;
  // Only violations are used, not passed elements.
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, ${options}).then((r) => JSON.stringify(r.violations))`,
    awaitPromise: true
  });
  const violations = JSON.parse(String(result.value)) as ReadonlyArray<Finding>;
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`
  );
};

const HEIGHT = 860;
const WIDE = 1_280;
const SMALL = 320;

/** Ordered by what changes: a page is laid out for each width, and drawn for each theme. The last one is light. */
const APPEARANCES: ReadonlyArray<readonly [widthPixels: number, theme: "light" | "dark"]> = [
  [WIDE, "light"],
  [WIDE, "dark"],
  [SMALL, "dark"],
  [SMALL, "light"]
];

/** Empty if there are none; the page is wide and light again afterwards. */
export const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = [];
  const session = await page.context().newCDPSession(page);
  await loadAxe(session);
  for (const [width, colorScheme] of APPEARANCES) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    for (const fault of await axe(session, colorScheme === "dark"))
      faults.push(`${colorScheme}, ${width} px: ${fault}`);
  }
  await session.detach();
  // A zoom of 200 % halves the width.
  for (const width of [SMALL, WIDE / 2]) {
    await page.setViewportSize({ width, height: HEIGHT / 2 });
    const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
    if (scrolled > width) faults.push(`${width} px: the page is ${scrolled} px wide`);
  }
  await page.setViewportSize({ width: WIDE, height: HEIGHT });
  return faults;
};
