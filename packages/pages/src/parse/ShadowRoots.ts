/**
 * Declarative shadow roots (HTML, 4.12.3): what browsers show of an element that has one is the content of its
 * template, with the element's own children in the slots that take them. Retrain: train/train-page-text.ts. Tests: HiddenText.test.ts.
 */
import { TREE_DEPTH_MAX } from "../PageLimits.ts";
import type { PageElement, PageNode } from "./PageTree.ts";

/** Name of the element that takes the place of the template: no page can contain it. */
export const SHADOW_ROOT = "#shadow-root";

const slotOf = (node: PageNode): string => (typeof node === "string" ? "" : (node.attributes["slot"] ?? ""));

const isText = (node: PageNode): boolean => typeof node !== "string" || node.trim() !== "";

/** Moves the children of a host to their slots; those without one are not shown. */
export const slotContents = (host: PageElement): void => {
  const root = host.children.find(
    (child): child is PageElement => typeof child !== "string" && child.name === SHADOW_ROOT
  );
  if (root === undefined) return;
  const waiting = Map.groupBy(
    host.children.filter((child) => child !== root),
    slotOf
  );
  const fill = (element: PageElement): void => {
    for (const child of element.children) {
      if (typeof child === "string" || child.name === SHADOW_ROOT) continue;
      if (child.name !== "slot") fill(child);
      else fillSlot(child, waiting);
    }
  };
  fill(root);
  host.children.splice(0, host.children.length, root);
};

/** Slots within the slots of others would add up to any depth. */
const isTooDeep = (slot: PageElement): boolean => {
  let depth = 0;
  for (let above = slot.parent; above !== null; above = above.parent) depth += 1;
  return depth > TREE_DEPTH_MAX;
};

/** The first slot of a name gets the children; a slot without any shows its own content. */
const fillSlot = (slot: PageElement, waiting: Map<string, Array<PageNode>>): void => {
  const name = slot.attributes["name"] ?? "";
  const nodes = waiting.get(name) ?? [];
  waiting.delete(name);
  if (!nodes.some(isText) || isTooDeep(slot)) return;
  for (const node of nodes) if (typeof node !== "string") node.parent = slot;
  slot.children.splice(0, slot.children.length, ...nodes);
};
