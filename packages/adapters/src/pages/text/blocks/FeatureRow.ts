/** Collects the features of a block; reused for every block of a page. */

/** Four times as many as the model has. */
const FEATURES_MAX = 1_024;

export class FeatureRow {
  private readonly values = new Float32Array(FEATURES_MAX);
  private count = 0;

  add(value: number): void {
    this.values[this.count++] = value;
  }

  addAll(values: ReadonlyArray<number>): void {
    for (let at = 0; at < values.length; at += 1) this.add(values[at] as number);
  }

  /** The features added since the last call. */
  take(): Float32Array {
    const row = this.values.slice(0, this.count);
    this.count = 0;
    return row;
  }
}
