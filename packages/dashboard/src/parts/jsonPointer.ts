/** JSON pointers (RFC 6901) of values: the keys of evidence and corrections, and places in `metadata.json`. Pure. Tests: draft.test.ts. */

const escaped = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1");

export const childPointer = (pointer: string, step: string | number): string =>
  `${pointer}/${escaped(String(step))}`;

/** Names of members and indices of items, from the root. */
export const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** For people: `ingredients[0].amount`. */
export const pathText = (pointer: string): string =>
  stepsOf(pointer).reduce(
    (path, step) => (/^\d+$/u.test(step) ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`),
    ""
  );
