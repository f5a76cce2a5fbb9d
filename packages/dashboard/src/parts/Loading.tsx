/** Placeholders with the size of the content, so that nothing moves when it is loaded. */
import { words } from "../words/words.ts";

export const Loading = ({ lines = 6 }: { readonly lines?: number }) => (
  <div class="loading" role="status">
    <span class="sr">{words.loading}</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="bone" aria-hidden="true" />
    ))}
  </div>
);
