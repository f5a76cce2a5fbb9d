/** The browser's own player with all subtitle tracks. */
import type { CompleteResult } from "@winnow/client";
import { useEffect } from "preact/hooks";
import { ownUrl } from "../../data/addresses.ts";
import { languageName } from "../../words/measures.ts";
import { words } from "../../words/words.ts";
import type { Player } from "./player.ts";

export interface MediaPlayerProps {
  readonly result: CompleteResult<unknown>;
  readonly player: Player;
}

const languageOf = (name: string): string => name.split(".").at(-2) ?? "";

export const MediaPlayer = ({ result, player }: MediaPlayerProps) => {
  const { artifacts, summary } = result;
  const { media, reportTime } = player;
  const tracks = summary.subtitleFiles.filter((name) => name.endsWith(".vtt"));
  useEffect(() => {
    const element = media.current;
    if (element === null) return undefined;
    const onTime = (): void => reportTime(element.currentTime);
    for (const event of ["timeupdate", "seeked"]) element.addEventListener(event, onTime);
    return () => {
      for (const event of ["timeupdate", "seeked"]) element.removeEventListener(event, onTime);
    };
  }, [media, reportTime]);
  if (artifacts.video !== undefined) {
    return (
      <video
        ref={media as { current: HTMLVideoElement | null }}
        class="player"
        src={ownUrl(artifacts.video)}
        poster={artifacts.thumbnail === undefined ? undefined : ownUrl(artifacts.thumbnail)}
        controls
        playsInline
        preload="metadata"
        aria-label={words.run.player}
      >
        {tracks.map((name, index) => (
          <track
            key={name}
            kind="subtitles"
            src={ownUrl(artifacts.files[name] ?? "")}
            srclang={languageOf(name)}
            label={languageName(languageOf(name))}
            default={index === 0}
          />
        ))}
      </video>
    );
  }
  if (artifacts.audio === undefined) return null;
  return (
    <audio
      ref={media as { current: HTMLAudioElement | null }}
      class="player audio"
      src={ownUrl(artifacts.audio)}
      controls
      preload="metadata"
      aria-label={words.run.player}
    />
  );
};
