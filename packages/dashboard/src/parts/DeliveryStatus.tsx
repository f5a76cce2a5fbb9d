/** Status of a delivery: a word and a shape. */
import { wordOf, words } from "../words/words.ts";

const CLASSES: Readonly<Record<string, string>> = { delivered: "done", failed: "failed", pending: "waiting" };
const GLYPHS: Readonly<Record<string, string>> = {
  delivered: "M5 12l5 5 9-10",
  failed: "M7 7l10 10M17 7 7 17",
  pending: "M12 7v5l3 2"
};

export const DeliveryStatus = ({ status }: { readonly status: string }) => (
  <span class={`status ${CLASSES[status] ?? ""}`}>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={GLYPHS[status] ?? ""} />
    </svg>
    {wordOf(words.webhooks.statuses, status)}
  </span>
);
