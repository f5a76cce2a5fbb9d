/** The list of somebody new: a box for the first URL, and first steps, which tick themselves. */
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useAccount } from "../../data/client.ts";
import { isFree } from "../../data/free.ts";
import { tabWords } from "../../words/words.ts";
import { useApiKeys } from "../../data/apiKeys.ts";
import { useEndpoints } from "../../data/deliveries.ts";
import { isPredefined, useSchemas } from "../../data/schemas.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Samples } from "../../parts/Samples.tsx";
import { Empty } from "../../parts/Waiting.tsx";
import { keepDraft, savedDraft } from "../new/draft.ts";
import { firstRunWords } from "./words.ts";
import { Form } from "../../parts/Form.tsx";

const DISMISSED_KEY = "winnow.firstStepsDismissed";

interface FirstRunProps {
  readonly hasExtracted: boolean;
}

const UrlBox = () => {
  const { route } = useLocation();
  const { data: account } = useAccount();
  const quote = (of: string): void => {
    keepDraft({ ...savedDraft(), url: of });
    route(href("new"));
  };
  return (
    <Empty title={firstRunWords.title}>
      <p>{firstRunWords.text}</p>
      <Form class="row first-url" onSubmit={(valueOf) => quote(valueOf("url"))}>
        <input
          aria-label={firstRunWords.url}
          inputMode="url"
          autocomplete="off"
          placeholder="https://"
          name="url"
          required
        />
        <button class="button main" type="submit">
          {firstRunWords.price}
        </button>
      </Form>
      {account?.balance === 0 && !isFree ? (
        <p>
          {firstRunWords.noCredits} <a href={href("settings/usage")}>{tabWords.usage}</a>.
        </p>
      ) : null}
      <Samples onChoose={quote} />
      <a href={href("example")}>{firstRunWords.example}</a>
    </Empty>
  );
};

const FirstSteps = ({ hasExtracted, onDismiss }: FirstRunProps & { readonly onDismiss: () => void }) => {
  const { data: schemas } = useSchemas();
  const { data: apiKeys } = useApiKeys();
  const { data: endpoints } = useEndpoints();
  if (schemas === undefined || apiKeys === undefined || endpoints === undefined) return null;
  const steps = [
    ["extract", "new", hasExtracted],
    ["schema", "schemas/new", !schemas.every(isPredefined)],
    ["key", "developers/keys", apiKeys.data.length > 0],
    ["webhook", "developers/webhooks", endpoints.data.length > 0]
  ] as const;
  if (steps.every(([, , isDone]) => isDone)) return null;
  return (
    <section class="panel stack tight first-steps" aria-label={firstRunWords.checklist}>
      <div class="row">
        <h2>{firstRunWords.checklist}</h2>
        <button class="button end" type="button" onClick={onDismiss}>
          {firstRunWords.dismiss}
        </button>
      </div>
      <ul>
        {steps.map(([name, screen, isDone]) => (
          <li key={name} class={isDone ? "done" : ""}>
            {isDone ? (
              <>
                <Icon name="check" />
                <span>
                  {firstRunWords.steps[name]}
                  <span class="sr"> ({firstRunWords.done})</span>
                </span>
              </>
            ) : (
              <a href={href(screen)}>{firstRunWords.steps[name]}</a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

export const FirstRun = ({ hasExtracted }: FirstRunProps) => {
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED_KEY) !== null);
  const dismiss = (): void => {
    localStorage.setItem(DISMISSED_KEY, "1");
    setDismissed(true);
    document.getElementById("main")?.focus({ preventScroll: true });
  };
  return (
    <>
      {hasExtracted ? null : <UrlBox />}
      {isDismissed ? null : <FirstSteps hasExtracted={hasExtracted} onDismiss={dismiss} />}
    </>
  );
};
