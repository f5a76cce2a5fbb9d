/** Measures repeated text, such as copies for small and large screens. */
import { isWordKind, kindAt } from "../../tree/CharacterKinds.ts";

/** Length of the word sequences used to compare texts. */
const RUN_WORDS = 3;

const RADIX = 31;

/** The hash of each word of a text, and the factor for a hash that continues with it. */
const wordHashes = (
  text: string
): { readonly hashes: ReadonlyArray<number>; readonly shifts: ReadonlyArray<number> } => {
  const hashes: Array<number> = [];
  const shifts: Array<number> = [];
  let hash = 0;
  let shift = 1;
  let length = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && isWordKind(kindAt(text, at))) {
      hash = (Math.imul(hash, RADIX) + text.charCodeAt(at)) | 0;
      shift = Math.imul(shift, RADIX);
      length += 1;
    } else if (length > 0) {
      hashes.push(hash);
      shifts.push(shift);
      [hash, shift, length] = [0, 1, 0];
    }
  }
  return { hashes, shifts };
};

/** The texts of a page so far. */
export class Repeats {
  private readonly runs = new Set<number>();
  private readonly texts = new Map<string, number>();

  /** How often this text occurred before, and the share of its word sequences that did; -1 if it has none. */
  add(text: string): readonly [times: number, share: number] {
    const times = this.texts.get(text) ?? 0;
    this.texts.set(text, times + 1);
    const { hashes, shifts } = wordHashes(text.toLowerCase());
    let known = 0;
    for (let last = RUN_WORDS - 1; last < hashes.length; last += 1) {
      let run = 0;
      for (let word = last - RUN_WORDS + 1; word <= last; word += 1)
        run = (Math.imul(run, shifts[word] as number) + (hashes[word] as number)) | 0;
      if (this.runs.has(run)) known += 1;
      else this.runs.add(run);
    }
    const count = Math.max(0, hashes.length - RUN_WORDS + 1);
    return [times, count === 0 ? -1 : known / count];
  }
}
