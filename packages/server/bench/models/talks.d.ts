/** Ten short talks of our own, spoken by espeak-ng when the trial runs; nothing of it is stored. */
export interface Talk {
  readonly name: string;
  /** A voice of espeak-ng. */
  readonly voice: string;
  readonly language: string;
  readonly text: string;
}
export declare const TALKS: ReadonlyArray<Talk>;
