/** The images of a photo post; each opens by itself. */
import type { CompleteResult } from "@winnow/client";
import { ownUrl } from "../../base.ts";
import { words } from "../../words/words.ts";

export const Images = ({ result }: { readonly result: CompleteResult<unknown> }) => {
  const { images } = result.artifacts;
  if (images.length === 0) return null;
  return (
    <section class="panel stack tight" aria-label={words.run.images}>
      <h2>
        {words.run.images} <span class="hint">{images.length}</span>
      </h2>
      <ul class="image-grid">
        {images.map((url, index) => (
          <li key={url}>
            <a href={ownUrl(url)} target="_blank" rel="noopener">
              <img src={ownUrl(url)} alt={words.run.imageNumber(index + 1)} loading="lazy" decoding="async" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
