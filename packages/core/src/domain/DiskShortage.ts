/**
 * When there is too little room on a disk for runs to begin.
 */

/** The disk that has the least of those that have too little, in words for the operator; null when all have enough. */
export const shortageOf = (
  places: ReadonlyArray<{ readonly name: string; readonly freeBytes: number }>,
  minFreeBytes: number
): string | null => {
  const [least] = places
    .filter(({ freeBytes }) => freeBytes < minFreeBytes)
    .toSorted((left, right) => left.freeBytes - right.freeBytes);
  return least === undefined
    ? null
    : `The disk of ${least.name === "data" ? "WINNOW_DATA_DIR" : "the artifacts"} has ${least.freeBytes} ` +
        `bytes free, less than WINNOW_MIN_FREE_BYTES (${minFreeBytes}): runs wait. Free some space or lower ` +
        `the setting.`;
};
