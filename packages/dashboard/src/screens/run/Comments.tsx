/** Comments of the source, with replies below their comment. */
import { useMemo, useState } from "preact/hooks";
import { useText } from "../../data/extractions.ts";
import { Loading, Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { runWords } from "./words.ts";
import { words } from "../../words/words.ts";
import { useScrollToMark, type Player } from "./player.tsx";
import { findQuote, Marked } from "./marks.tsx";

interface Comment {
  readonly id: string;
  readonly author: string | null;
  readonly text: string;
  readonly likeCount: number | null;
  readonly parentId: string | null;
}

const SHOWN_FIRST = 50;

interface CommentsProps {
  readonly id: string;
  readonly name: string;
  readonly player: Player;
}

const CommentItem = ({ comment, player }: { readonly comment: Comment; readonly player: Player }) => {
  const { quote } = player;
  const range = quote?.source === "comments" ? findQuote(comment.text, quote.quote) : null;
  return (
    <li class={comment.parentId === null ? "comment" : "comment answer"}>
      <p class="hint">
        <bdi>{comment.author ?? runWords.somebody}</bdi>
        {comment.likeCount === null ? "" : ` · ${runWords.likes(number(comment.likeCount))}`}
      </p>
      <p dir="auto">
        <Marked text={comment.text} ranges={range === null ? [] : [range]} />
      </p>
    </li>
  );
};

export const Comments = ({ id, name, player }: CommentsProps) => {
  const { data: text, error, refetch } = useText(id, name);
  const comments = useMemo(
    () => (text === undefined ? undefined : (JSON.parse(text) as ReadonlyArray<Comment>)),
    [text]
  );
  const box = useScrollToMark<HTMLElement>("comments", player, comments !== undefined);
  const [isWhole, setWhole] = useState(false);
  const visible = isWhole || player.quote?.source === "comments" ? comments : comments?.slice(0, SHOWN_FIRST);
  return (
    <section ref={box} class="panel stack tight" aria-label={runWords.comments}>
      <h2>
        {runWords.comments} <span class="hint">{comments === undefined ? "" : number(comments.length)}</span>
      </h2>
      {error !== null ? <Problem error={error} retry={() => void refetch()} /> : null}
      {comments === undefined && error === null ? <Loading lines={3} /> : null}
      <ol class="stack tight">
        {visible?.map((comment) => (
          <CommentItem key={comment.id} comment={comment} player={player} />
        ))}
      </ol>
      {(comments?.length ?? 0) > (visible?.length ?? 0) ? (
        <button class="button wide" type="button" onClick={() => setWhole(true)}>
          {words.more}
        </button>
      ) : null}
    </section>
  );
};
