/** Unique member names that all providers accept. */

/** OpenAI's strict mode and others reject or change anything else. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/u;

const NOT_SAFE = new Set(["__proto__", "constructor", "prototype"]);

const slug = (name: string): string => name.replace(/[^A-Za-z0-9_-]+/gu, "_").slice(0, 40);

/** In order; valid names are unchanged. */
export const wireNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isPlain = (name: string): boolean => PLAIN.test(name) && !NOT_SAFE.has(name);
  // The first name is Winnow's own: it is changed if the caller uses it too.
  const [own = "", ...given] = names;
  const taken = new Set(given.filter(isPlain));
  const free = (name: string): string => {
    let wireName = name;
    for (let number = 2; taken.has(wireName); number++) wireName = `${name}_${number}`;
    taken.add(wireName);
    return wireName;
  };
  const wired = given.map((name, place) => (isPlain(name) ? name : free(`field_${place + 1}_${slug(name)}`)));
  return [free(own), ...wired];
};
