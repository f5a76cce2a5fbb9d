import { JOBS, PLACES, RECIPES } from "./nestedPages.js";
import { EVENTS, PRODUCTS, REPORTS } from "./plainPages.js";
const KINDS = [PRODUCTS, EVENTS, RECIPES, JOBS, PLACES, REPORTS];
const pagesOf = (kind) =>
  kind.all.map((facts, index) => ({
    name: `${kind.name} ${index + 1}`,
    ...kind.write(facts),
    schema: kind.schema,
    expected: kind.read(facts)
  }));
/** The fifth page: that of the next kind. */
const strangerOf = (index) => {
  const [kind, other] = [KINDS[index], KINDS[(index + 2) % KINDS.length]];
  if (kind === undefined || other === undefined) throw new Error("no such kind");
  const { title, text: words } = other.write(other.all[index % other.all.length]);
  return { name: `${kind.name} 5`, title, text: words, schema: kind.schema, expected: null };
};
/** One of each kind after the other, so that a part of them is a fair part. */
export const PAGES = Array.from({ length: 5 }).flatMap((_, round) =>
  KINDS.map((kind, index) => (round === 4 ? strangerOf(index) : pagesOf(kind)[round]))
);
