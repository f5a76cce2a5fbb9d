/** What the server and its image processes tell each other. */
/** The argument of a process for large images, which has a lower priority. */
export const BACKGROUND = "background";

/** Sent with the bytes of the image. */
export interface PictureSettings {
  readonly heic: boolean;
  readonly pixelsMax: number;
  /** Maximum side length; smaller images are not enlarged. */
  readonly sideMaxPixels: number;
  /** JPEG quality, 1 to 100. */
  readonly quality: number;
}

export interface PictureTask extends PictureSettings {
  readonly bytes: Uint8Array;
}

/** Sent with the bytes of the JPEG, which are empty if the image could not be read. */
export interface PictureOutcome {
  /** Resident memory of the process after the conversion. */
  readonly residentBytes: number;
}
