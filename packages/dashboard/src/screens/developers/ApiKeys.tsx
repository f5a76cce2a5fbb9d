/** API keys of the account, which only signed-in people can create and revoke. */
import { isFree } from "../../data/free.ts";
import type { ApiKeyItem, CreatedApiKey, UsageReport } from "@winnow/client";
import { useState } from "preact/hooks";
import { href, SERVER } from "../../data/addresses.ts";
import { useApiKeys, useUsage } from "../../data/apiKeys.ts";
import { cache, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { Code } from "../../parts/Copy.tsx";
import { ConfirmButton, FormDialog, SecretOnce } from "../../parts/Dialog.tsx";
import { Empty, Waiting } from "../../parts/Waiting.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Time } from "../../parts/Time.tsx";
import { number } from "../../words/format.ts";
import { apiKeysWords } from "./apiKeysWords.ts";
import { tabWords, words } from "../../words/words.ts";

/** Period of the usage in a key's line. */
const USAGE_DAYS = 30;

const changed = (): void => void cache.invalidateQueries({ queryKey: keys.apiKeys });

const Create = ({
  onMade,
  onClose
}: {
  readonly onMade: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}) => {
  const [name, setName] = useState("");
  const [daily, setDaily] = useState("");
  const create = () =>
    winnow.apiKeys.create({
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(daily === "" ? {} : { dailyCredits: Number(daily) })
    });
  return (
    <FormDialog
      title={apiKeysWords.create}
      action={apiKeysWords.create}
      does={create}
      then={(key) => {
        changed();
        onMade(key);
      }}
      onClose={onClose}
    >
      <label class="stack tight">
        {apiKeysWords.name}
        <input
          value={name}
          maxLength={100}
          placeholder={apiKeysWords.nameHint}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      {isFree ? null : (
        <label class="stack tight">
          <span>
            {apiKeysWords.daily} <span class="hint">({words.optional})</span>
          </span>
          <input
            type="number"
            min="1"
            step="1"
            value={daily}
            onInput={(event) => setDaily(event.currentTarget.value)}
          />
        </label>
      )}
    </FormDialog>
  );
};

/** In the key's line: nothing before it is known. */
const usedText = (used: UsageReport["keys"] | undefined, id: string): string => {
  if (used === undefined) return "";
  const { runs = 0, debited = 0, refunded = 0 } = used.find(({ apiKeyId }) => apiKeyId === id) ?? {};
  return ` · ${apiKeysWords.used(number(isFree ? runs : debited - refunded), USAGE_DAYS)}`;
};

const KeyList = ({
  items,
  used
}: {
  readonly items: ReadonlyArray<ApiKeyItem>;
  readonly used: UsageReport["keys"] | undefined;
}) => (
  <ul class="panel cards">
    {items.map((item) => (
      <li key={item.id}>
        <div class="grow">
          <strong>{item.name}</strong>
          <p class="hint">
            <code>{item.start}…</code> {words.made} <Time iso={item.createdAt} /> ·{" "}
            {item.lastUsedAt === null ? (
              apiKeysWords.neverUsed
            ) : (
              <>
                {apiKeysWords.lastUsed} <Time iso={item.lastUsedAt} />
              </>
            )}
            {" · "}
            <a href={href(`?apiKeyId=${item.id}`)}>{apiKeysWords.runs}</a>
            {usedText(used, item.id)}
            {item.dailyCredits === null || isFree
              ? null
              : ` · ${apiKeysWords.perDay(number(item.dailyCredits))}`}
          </p>
        </div>
        <ConfirmButton
          kind="button small"
          label={
            <>
              {apiKeysWords.revoke} <span class="sr">{item.name}</span>
            </>
          }
          title={apiKeysWords.revokeTitle(item.name)}
          action={apiKeysWords.revoke}
          does={() => winnow.apiKeys.revoke(item.id)}
          then={changed}
        >
          <p>{apiKeysWords.revokeText}</p>
        </ConfirmButton>
      </li>
    ))}
  </ul>
);

const ApiKeys = () => {
  const query = useApiKeys();
  const usage = useUsage(USAGE_DAYS);
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  return (
    <>
      <PageHead title={tabWords.keys} hint={apiKeysWords.hint} guide="start">
        <button class="button main" type="button" onClick={() => setCreating(true)}>
          {apiKeysWords.create}
        </button>
      </PageHead>
      <Waiting query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={apiKeysWords.emptyTitle}>
              <p>{apiKeysWords.emptyText}</p>
            </Empty>
          ) : (
            <KeyList items={data} used={usage.data?.keys} />
          )
        }
      </Waiting>
      {isCreating ? <Create onClose={() => setCreating(false)} onMade={setMade} /> : null}
      {made === null ? null : (
        <SecretOnce title={made.name} secret={made.key} onKept={() => setMade(null)}>
          <p class="hint">{apiKeysWords.use}</p>
          <Code code={`curl ${SERVER.href}v1/account -H "x-api-key: ${made.key}"`} label={apiKeysWords.use} />
        </SecretOnce>
      )}
    </>
  );
};

export default ApiKeys;
