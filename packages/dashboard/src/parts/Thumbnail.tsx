/** A thumbnail of the extraction, or an icon of its kind. Always the account's own copy. */
import { useState } from "preact/hooks";
import { ownUrl } from "../base.ts";
import { Icon, kindIcon } from "./Icon.tsx";

export interface ThumbnailProps {
  readonly url: string | null | undefined;
  readonly kind: string | null | undefined;
}

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
