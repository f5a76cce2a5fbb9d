/** Decides when free disk space is too low to start runs. */

/**
 * The disk with the least free space among those below their minimum, described for the operator; null if all have
 * enough.
 */
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
