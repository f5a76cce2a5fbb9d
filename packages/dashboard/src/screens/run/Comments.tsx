/** Comments of the source, with replies below their comment. */
import { useState } from "preact/hooks";
import { useText } from "../../data/extractions.ts";
import { Waiting } from "../../parts/Waiting.tsx";
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

const readComments = (text: string) => JSON.parse(text) as ReadonlyArray<Comment>;

export const Comments = ({ id, name, player }: CommentsProps) => {
  const query = useText(id, name, readComments);
  const box = useScrollToMark<HTMLElement>("comments", player, query.data !== undefined);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || player.quote?.source === "comments" ? Infinity : SHOWN_FIRST;
  return (
    <section ref={box} class="panel stack tight" aria-label={runWords.comments}>
      <h2>
        {runWords.comments}{" "}
        <span class="hint">{query.data === undefined ? "" : number(query.data.length)}</span>
      </h2>
      <Waiting query={query} lines={3}>
        {(comments) => (
          <>
            <ol class="stack tight">
              {comments.slice(0, shown).map((comment) => (
                <CommentItem key={comment.id} comment={comment} player={player} />
              ))}
            </ol>
            {comments.length > shown ? (
              <button class="button wide" type="button" onClick={() => setWhole(true)}>
                {words.more}
              </button>
            ) : null}
          </>
        )}
      </Waiting>
    </section>
  );
};
