/** API keys of the account, which only signed-in people can create and revoke. Tests: browser.test.ts. */
import { isFree } from "../../data/free.ts";
import type { ApiKeyItem, UsageReport } from "@winnow/client";
import { href, SERVER } from "../../data/addresses.ts";
import { useApiKeys, useUsage } from "../../data/apiKeys.ts";
import { changed, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { Code } from "../../parts/Copy.tsx";
import { AskButton } from "../../parts/Dialog.tsx";
import { Field } from "../../parts/Form.tsx";
import { Empty, Waiting } from "../../parts/Waiting.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Time } from "../../parts/Time.tsx";
import { number } from "../../words/format.ts";
import { apiKeysWords } from "./apiKeysWords.ts";
import { tabWords, words } from "../../words/words.ts";

/** Period of the usage in a key's line. */
const USAGE_DAYS = 30;

const keysChanged = (): void => changed(keys.apiKeys);

const CreateButton = () => (
  <AskButton
    action={apiKeysWords.create}
    kind="button main"
    isDangerous={false}
    does={(valueOf) => {
      const [name, daily] = [valueOf("name"), valueOf("daily")];
      return winnow.apiKeys.create({
        ...(name === "" ? {} : { name }),
        ...(daily === "" ? {} : { dailyCredits: Number(daily) })
      });
    }}
    then={keysChanged}
    secretOf={({ name, key }) => ({
      title: name,
      secret: key,
      children: (
        <>
          <p class="hint">{apiKeysWords.use}</p>
          <Code code={`curl ${SERVER.href}v1/account -H "x-api-key: ${key}"`} label={apiKeysWords.use} />
        </>
      )
    })}
  >
    <Field label={apiKeysWords.name} name="name" maxLength={100} placeholder={apiKeysWords.nameHint} />
    {isFree ? null : <Field label={apiKeysWords.daily} name="daily" type="number" min="1" step="1" />}
  </AskButton>
);

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
        <AskButton
          kind="button small"
          label={
            <>
              {apiKeysWords.revoke} <span class="sr">{item.name}</span>
            </>
          }
          title={apiKeysWords.revokeTitle(item.name)}
          action={apiKeysWords.revoke}
          does={() => winnow.apiKeys.revoke(item.id)}
          then={keysChanged}
        >
          <p>{apiKeysWords.revokeText}</p>
        </AskButton>
      </li>
    ))}
  </ul>
);

const ApiKeys = () => {
  const query = useApiKeys();
  const usage = useUsage({ days: USAGE_DAYS });
  return (
    <>
      <PageHead title={tabWords.keys} hint={apiKeysWords.hint} guide="start">
        <CreateButton />
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
    </>
  );
};

export default ApiKeys;
