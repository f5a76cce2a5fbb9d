/** A replica of an artist's pages at Bandcamp, as far as the list of albums; its text could pass for an article. */
import { html, type Platform } from "./Replica.ts";

const ABOUT = "The quartet has recorded two albums of sieves, both on one long afternoon in a barn. ".repeat(
  20
);

const albumOf = (name: string): string =>
  `<li data-item-id="album-${name}" class="music-grid-item"><a href="/album/${name}"><p>${name}</p></a></li>`;

export const bandcamp =
  (): Platform =>
  ({ host, url }) => {
    if (host !== "sieves.bandcamp.com" || url.pathname !== "/music") return null;
    return html(
      `<!doctype html><html><head><title>Music | Sieves</title></head><body><main><article><h1>Sieves</h1><p>${ABOUT}</p><ol id="music-grid">${albumOf("one")}${albumOf("two")}</ol></article></main></body></html>`
    );
  };
