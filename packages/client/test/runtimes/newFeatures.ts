/** What some engine in use lacks, or got after the features that the web app's styles need. */

/** Takes it away from the realm in which this runs; sent there as text, so it refers to nothing. */
export const takeAway = (): void => {
  const lacking: Readonly<Record<string, ReadonlyArray<string | symbol>>> = {
    ReadableStream: ["from"],
    "ReadableStream.prototype": [Symbol.asyncIterator, "values"],
    Array: ["fromAsync"],
    AbortSignal: ["any"],
    // In pages that came over plain http.
    "Crypto.prototype": ["randomUUID"],
    Promise: ["withResolvers", "try"],
    Map: ["groupBy"],
    Object: ["groupBy"],
    RegExp: ["escape"],
    URL: ["parse"],
    Uint8Array: ["fromBase64", "fromHex"],
    "Uint8Array.prototype": ["toBase64", "toHex"],
    "Set.prototype": [
      "union",
      "intersection",
      "difference",
      "symmetricDifference",
      "isSubsetOf",
      "isSupersetOf",
      "isDisjointFrom"
    ],
    "Iterator.prototype": [
      "map",
      "filter",
      "take",
      "drop",
      "flatMap",
      "reduce",
      "toArray",
      "forEach",
      "some",
      "every",
      "find"
    ]
  };
  for (const [place, names] of Object.entries(lacking)) {
    let owner: object | undefined = globalThis;
    for (const step of place.split("."))
      owner = (owner as Record<string, object | undefined> | undefined)?.[step];
    if (owner === undefined) continue;
    for (const name of names) Reflect.deleteProperty(owner, name);
  }
};
