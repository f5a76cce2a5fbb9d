/** Comments of the source, with replies below their comment. Tests: states.test.ts. */
import { useState } from "preact/hooks";
import { useText } from "../../data/extractions.ts";
import { Panel } from "../../parts/Panel.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { usePlayer } from "./player.tsx";
import { Quoted } from "./Quoted.tsx";
import { runWords } from "./words.ts";

interface Comment {
  readonly id: string;
  readonly author: string | null;
  readonly text: string;
  readonly likeCount: number | null;
  readonly parentId: string | null;
}

const SHOWN_FIRST = 50;

const CommentItem = ({ comment }: { readonly comment: Comment }) => (
  <li class={comment.parentId === null ? "comment" : "comment answer"}>
    <p class="hint">
      <bdi>{comment.author ?? runWords.somebody}</bdi>
      {comment.likeCount === null ? "" : ` · ${runWords.likes(number(comment.likeCount))}`}
    </p>
    <p dir="auto">
      <Quoted text={comment.text} of={{ source: "comments" }} />
    </p>
  </li>
);

const readComments = (text: string) => JSON.parse(text) as ReadonlyArray<Comment>;

export const Comments = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const query = useText(id, name, readComments);
  const { quote } = usePlayer();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || quote?.source === "comments" ? Infinity : SHOWN_FIRST;
  return (
    <Panel title={runWords.comments} hint={query.data && number(query.data.length)}>
      <Waiting query={query} lines={3}>
        {(comments) => (
          <>
            <ol class="stack tight">
              {comments.slice(0, shown).map((comment) => (
                <CommentItem key={comment.id} comment={comment} />
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
    </Panel>
  );
};
