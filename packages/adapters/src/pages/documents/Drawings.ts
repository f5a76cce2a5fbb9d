/** The text of charts and diagrams in office documents. */
import { type PageElement, rawTextOf } from "../tree/PageTree.ts";
import {
  childOf,
  childrenOf,
  elementsOf,
  escaped,
  optionalXml,
  relativePath,
  relationsOf
} from "./Markup.ts";
import type { ZipEntries } from "./ZipEntries.ts";

/** Maximum values of one chart; larger ones are not meant to be read. */
const CHART_VALUES_MAX = 2_000;

const textIn = (element: PageElement | null): string =>
  element === null
    ? ""
    : elementsOf(element, "a:p")
        .map((paragraph) => elementsOf(paragraph, "a:t").map(rawTextOf).join(""))
        .join(" ")
        .trim();

/** Cached points of a series, by index. */
const pointsOf = (container: PageElement | null): ReadonlyArray<string> => {
  const points: Array<string> = [];
  for (const point of container === null ? [] : elementsOf(container, "c:pt")) {
    const at = Number(point.attributes["idx"] ?? points.length);
    const [value] = elementsOf(point, "c:v");
    if (value !== undefined && at >= 0 && at < CHART_VALUES_MAX) points[at] = rawTextOf(value).trim();
  }
  return Array.from(points, (point) => point ?? "");
};

const rowHtml = (cells: ReadonlyArray<string>, tag: "td" | "th"): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;

/** Its title, and its values as a table with a row per category. */
const chartHtml = (root: PageElement): string => {
  const title = elementsOf(root, "c:chart")
    .map((chart) => textIn(childOf(chart, "c:title")))
    .join(" ");
  const series = elementsOf(root, "c:ser");
  const first = series[0];
  const categories = first === undefined ? [] : pointsOf(childOf(first, "c:cat") ?? childOf(first, "c:xVal"));
  const names = series.map((each) => pointsOf(childOf(each, "c:tx"))[0] ?? "");
  const columns = series.map((each) => pointsOf(childOf(each, "c:val") ?? childOf(each, "c:yVal")));
  const count = columns.reduce((most, { length }) => Math.max(most, length), categories.length);
  const heading = title === "" ? "" : `<p>${escaped(title)}</p>`;
  if (count === 0 || count * (series.length + 1) > CHART_VALUES_MAX) return heading;
  const rows = Array.from({ length: count }, (_, at) =>
    rowHtml([categories[at] ?? "", ...columns.map((column) => column[at] ?? "")], "td")
  );
  return `${heading}<table>${rowHtml(["", ...names], "th")}${rows.join("")}</table>`;
};

/** The text of its shapes, in the order it was entered. */
const diagramHtml = (root: PageElement): string => {
  const items = elementsOf(root, "dgm:pt")
    .filter(({ attributes }) => !/^(?:pres|parTrans|sibTrans)$/.test(attributes["type"] ?? ""))
    .map((point) => textIn(childOf(point, "dgm:t")))
    .filter((text) => text !== "");
  return items.length === 0 ? "" : `<ul>${items.map((text) => `<li>${escaped(text)}</li>`).join("")}</ul>`;
};

/** The text of charts and diagrams within an element of a part; empty if there are none. */
export const drawingsHtml = (element: PageElement, zip: ZipEntries, part: string): string => {
  const references = [
    ...elementsOf(element, "c:chart").map((each) => [each.attributes["r:id"], chartHtml] as const),
    ...elementsOf(element, "dgm:relIds").map((each) => [each.attributes["r:dm"], diagramHtml] as const)
  ];
  if (references.length === 0) return "";
  const targets = relationsOf(zip, part);
  return references
    .map(([id, write]) => {
      const target = targets.get(id ?? "");
      const root = target === undefined ? null : optionalXml(zip, relativePath(part, target));
      return root === null ? "" : write(root);
    })
    .join("");
};

/**
 * The alternative a program would show that supports all of them: the first choice with content, otherwise the
 * fallback.
 */
export const chosenAlternative = (alternative: PageElement): ReadonlyArray<PageElement> => {
  const choices = childrenOf(alternative).filter(
    ({ name }) => name === "mc:Choice" || name === "mc:Fallback"
  );
  const choice = choices.find((each) => childrenOf(each).length > 0);
  return choice === undefined ? [] : childrenOf(choice);
};
