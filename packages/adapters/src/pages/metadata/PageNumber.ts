/** Durations and counts as pages write them. */

const ISO_DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i;

/** Zero is how players write "unknown". */
const known = (seconds: number): number | null => (Number.isFinite(seconds) && seconds > 0 ? seconds : null);

/** Seconds of an ISO 8601 duration, of `h:mm:ss`, or of a plain number; null for anything else. */
export const durationSeconds = (written: string | null | undefined): number | null => {
  const text = (written ?? "").trim();
  const iso = ISO_DURATION.exec(text);
  if (iso !== null && /\d/.test(text)) {
    const [days = 0, hours = 0, minutes = 0] = iso.slice(1, 4).map((part) => Number(part ?? 0));
    const seconds = Number((iso[4] ?? "0").replace(",", "."));
    return known(days * 86_400 + hours * 3_600 + minutes * 60 + seconds);
  }
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return known(Number(text));
  const clock = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{2})$/.exec(text);
  if (clock === null) return null;
  return known(Number(clock[1] ?? 0) * 3_600 + Number(clock[2]) * 60 + Number(clock[3]));
};

/** A count, thousands separators allowed; null for anything else. */
export const count = (written: unknown): number | null => {
  const value =
    typeof written === "string"
      ? Number(written.trim().replace(/[,\s\u00a0](?=\d{3})/g, "") || NaN)
      : written;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
};
