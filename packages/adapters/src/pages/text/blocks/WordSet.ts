/** Collects numbers without duplicates, in the order in which they were added; reused for every block of a page. */

/** Fibonacci hashing: the high bits of the product are spread evenly. */
const SPREADING = 0x9e3779b1;

const BITS_MIN = 9;

export class WordSet {
  private bits = BITS_MIN;
  /** A hash table with open addressing; a slot is used if `rounds` has the current round. */
  private words = new Uint32Array(2 ** BITS_MIN);
  private rounds = new Uint32Array(2 ** BITS_MIN);
  private found = new Uint32Array(2 ** (BITS_MIN - 1));
  private round = 1;
  private count = 0;

  add(word: number): void {
    const { rounds, words } = this;
    let place = Math.imul(word, SPREADING) >>> (32 - this.bits);
    while (rounds[place] === this.round) {
      if (words[place] === word) return;
      place = (place + 1) & (words.length - 1);
    }
    if (this.count === this.found.length) {
      this.grow();
      this.add(word);
      return;
    }
    words[place] = word;
    rounds[place] = this.round;
    this.found[this.count++] = word;
  }

  /** The numbers added since the last call. */
  take(): Uint32Array {
    const words = this.found.slice(0, this.count);
    this.count = 0;
    this.round += 1;
    return words;
  }

  private grow(): void {
    const words = this.take();
    this.bits += 1;
    this.words = new Uint32Array(2 ** this.bits);
    this.rounds = new Uint32Array(2 ** this.bits);
    this.found = new Uint32Array(2 ** (this.bits - 1));
    for (const word of words) this.add(word);
  }
}
