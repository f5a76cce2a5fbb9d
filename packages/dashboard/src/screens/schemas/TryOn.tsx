/** Runs a past run's source with this schema: the prefilled form with its price. */
import { href } from "../../data/addresses.ts";
import { useExtractions } from "../../data/extractions.ts";
import { nameOf } from "../../parts/runTexts.ts";
import { words } from "../../words/words.ts";

const SHOWN = 5;

export const TryOn = ({ schemaId }: { readonly schemaId: string }) => {
  const { items = [] } = useExtractions({ status: "complete" });
  const urls = [...new Map(items.map((item) => [item.url, item])).values()].slice(0, SHOWN);
  if (urls.length === 0) return null;
  return (
    <section class="panel stack tight" aria-label={words.schemas.tryOn}>
      <h2>{words.schemas.tryOn}</h2>
      <p class="hint">{words.schemas.tryHint}</p>
      <ul class="file-list">
        {urls.map((item) => (
          <li key={item.id}>
            <a dir="auto" href={href(`new?from=${item.id}&schema=${encodeURIComponent(schemaId)}`)}>
              {nameOf(item)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
