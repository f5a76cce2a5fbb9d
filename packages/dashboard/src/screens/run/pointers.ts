/** JSON pointers (RFC 6901) of values: the keys of evidence, and places in `metadata.json`. Pure. */

const escaped = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1");

export const childPointer = (pointer: string, step: string | number): string =>
  `${pointer}/${escaped(String(step))}`;

/** For people: `ingredients[0].amount`. */
export const pathText = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (path, step) => (/^\d+$/u.test(step) ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`),
      ""
    );
