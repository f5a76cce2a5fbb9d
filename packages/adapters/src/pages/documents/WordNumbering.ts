/** Computes the numbers of list items: they continue through the document and restart where it says so. */
import type { PageElement } from "../tree/PageTree.ts";
import { childOf, elementsOf } from "./Markup.ts";
import { type ListPlace, valueOf } from "./WordStyles.ts";

interface Level {
  readonly format: string;
  readonly start: number;
}

export interface ListItem {
  readonly level: number;
  /** Null for items with a bullet instead of a number. */
  readonly number: number | null;
}

const LEVELS = 9;

const levelsIn = (container: PageElement): ReadonlyMap<number, Level> =>
  new Map(
    elementsOf(container, "w:lvl").map((level) => [
      Number(level.attributes["w:ilvl"] ?? 0),
      {
        format: valueOf(childOf(level, "w:numFmt")) ?? "decimal",
        start: Number(valueOf(childOf(level, "w:start")) ?? 1)
      }
    ])
  );

interface Numbering {
  readonly abstract: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** Start numbers of levels that this list restarts. */
  readonly restarts: ReadonlyMap<number, number>;
}

export class WordNumbering {
  private readonly numberings = new Map<string, Numbering>();
  /** Last numbers by level, for each list that others continue. */
  private readonly counts = new Map<string, Array<number | undefined>>();
  private readonly begun = new Set<string>();

  constructor(root: PageElement | null) {
    if (root === null) return;
    const abstracts = elementsOf(root, "w:abstractNum");
    const byStyle = new Map(abstracts.map((each) => [valueOf(childOf(each, "w:styleLink")), each]));
    const byId = new Map(
      abstracts.map((each) => {
        const linked = valueOf(childOf(each, "w:numStyleLink"));
        const numbering = linked === null ? each : (byStyle.get(linked) ?? each);
        return [each.attributes["w:abstractNumId"] ?? "", levelsIn(numbering)] as const;
      })
    );
    for (const each of elementsOf(root, "w:num")) {
      const abstract = valueOf(childOf(each, "w:abstractNumId")) ?? "";
      const overrides = elementsOf(each, "w:lvlOverride");
      const restarts = overrides.flatMap((override) => {
        const start = valueOf(childOf(override, "w:startOverride"));
        return start === null ? [] : [[Number(override.attributes["w:ilvl"] ?? 0), Number(start)] as const];
      });
      this.numberings.set(each.attributes["w:numId"] ?? "", {
        abstract,
        levels: new Map([
          ...(byId.get(abstract) ?? []),
          ...overrides.flatMap((override) => [...levelsIn(override)])
        ]),
        restarts: new Map(restarts)
      });
    }
  }

  /** Counts the item. Null for a paragraph without a bullet or number. */
  item({ id, level }: ListPlace): ListItem | null {
    if (id === "0") return null;
    const numbering = this.numberings.get(id);
    const format = numbering?.levels.get(level)?.format ?? "bullet";
    if (numbering === undefined || format === "bullet") return { level, number: null };
    if (format === "none") return null;
    const counts = this.counts.get(numbering.abstract) ?? Array.from<number | undefined>({ length: LEVELS });
    this.counts.set(numbering.abstract, counts);
    if (!this.begun.has(id)) {
      this.begun.add(id);
      for (const [at, start] of numbering.restarts) counts[at] = start - 1;
    }
    const last = counts[level];
    const number = last === undefined ? (numbering.levels.get(level)?.start ?? 1) : last + 1;
    counts[level] = number;
    counts.fill(undefined, level + 1);
    return { level, number };
  }
}
