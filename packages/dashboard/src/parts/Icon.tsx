/** Icons, always with a text of the same meaning, and thumbnails, which an icon replaces. Tests: newForm.test.ts. */
import { useState } from "preact/hooks";
import { ownUrl } from "../data/addresses.ts";

const PATHS = {
  list: "M4 6h16M4 12h16M4 18h10",
  stack: "M12 3l9 5-9 5-9-5zM3 12l9 5 9-5M3 16l9 5 9-5",
  table: "M4 5h16v14H4zM4 10h16M10 5v14",
  schema:
    "M8 4H6a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h2M16 4h2a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-2",
  key: "M14 10a4.500 4.500 0 1 0-4.300 4.500L12 17h3v3h3v3h4v-4l-7.500-7.500A4 4 0 0 0 14 10ZM8 9h.01",
  plus: "M12 5v14M5 12h14",
  menu: "M4 7h16M4 12h16M4 17h16",
  gear: "M4 8h10M18 8h2M4 16h2M10 16h10M16 6v4M8 14v4",
  video: "M4 6h11v12H4zM15 10l5-3v10l-5-3",
  photos: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  webpage: "M6 3h9l4 4v14H6zM9 11h7M9 15h7",
  file: "M6 3h9l4 4v14H6zM14 3v5h5",
  check: "M5 13l4 4L19 7",
  cross: "M6 6l12 12M18 6L6 18",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7Zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  again: "M4 12a8 8 0 1 0 2.500-5.800M4 4v5h5",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  stop: "M7 7h10v10H7z",
  above: "M6 14l6-6 6 6",
  below: "M6 10l6 6 6-6",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  down: "M12 4v12m0 0-5-5m5 5 5-5M5 20h14"
} as const;

export type IconName = keyof typeof PATHS;

/** Icon of an extraction's kind; a sheet for unknown kinds. */
const kindIcon = (kind: string | null | undefined): IconName =>
  kind === "video" || kind === "photos" || kind === "webpage" ? kind : "file";

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly isDisabled?: boolean;
}

/** Its label is for screen readers, and the tooltip. */
export const IconButton = ({ icon, label, onClick, isDisabled = false }: IconButtonProps) => (
  <button class="button icon-only quiet" type="button" title={label} disabled={isDisabled} onClick={onClick}>
    <Icon name={icon} />
    <span class="sr">{label}</span>
  </button>
);

interface ThumbnailProps {
  readonly url: string | null | undefined;
  readonly kind: string | null | undefined;
}

/** A picture from this server, or an icon of the kind in its place. */
export const Thumbnail = ({ url, kind }: ThumbnailProps) => {
  const [isBroken, setBroken] = useState(false);
  return (
    <span class="thumb">
      {url == null || isBroken ? (
        <Icon name={kindIcon(kind)} />
      ) : (
        <img src={ownUrl(url)} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      )}
    </span>
  );
};
