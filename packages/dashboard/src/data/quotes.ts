/**
 * The server's quote for a submit. It depends on the URL, the mode and the selection, not on the fields and texts that
 * somebody types, so these do not cause another request. Quotes are kept for a minute. Tests: everyday.test.ts, price.test.ts.
 */
import { skipToken, useQuery } from "@tanstack/preact-query";
import type { Modality, ProbeResponse, Submission } from "@winnow/client";
import { useEffect, useRef } from "preact/hooks";
import { cache, keys, waitMsOf } from "./cache.ts";
import { winnow } from "./client.ts";
import { useSettled } from "./settled.ts";
import { CREDITS_PER_USD } from "../words/format.ts";

const FRESH_MS = 60_000;

type Mode = "ai" | "download";

const modeOf = ({ schema, schemaId }: Submission): Mode =>
  schema === undefined && schemaId === undefined ? "download" : "ai";

/** Without the fields that no price depends on: whoever adds such a field to the form leaves it out here. */
const priced = (body: Submission): object => ({
  ...body,
  schema: undefined,
  prompt: undefined,
  language: undefined,
  webhookUrl: undefined
});

/** Every price counts its seconds. */
const stretchOf = (body: Submission | undefined): string => JSON.stringify(body?.range ?? null);

interface Answer {
  /** The body whose quote it is, as JSON: another one is not served from the cache. */
  readonly asked: string;
  readonly probe: ProbeResponse;
}

/** Price of each part in credits: what it adds to the sum, which is rounded afterwards. */
type PartPrices = Readonly<Partial<Record<Modality, number>>>;

const partPrices = ({ price }: ProbeResponse): PartPrices => {
  const { downloadBreakdown, breakdown } = price;
  const read: PartPrices =
    price.mode === "ai" ? { transcript: breakdown.text, audio: breakdown.audio, video: breakdown.video } : {};
  return Object.fromEntries(
    Object.entries(downloadBreakdown).map(([part, usd]) => [
      part,
      (usd + (read[part as Modality] ?? 0)) * CREDITS_PER_USD
    ])
  );
};

/** Of a fresh run; cached results have no prices of parts. */
const freshPrices = (answers: ReadonlyArray<Answer>, mode: Mode): PartPrices =>
  Object.assign(
    {},
    ...answers
      .filter(({ probe }) => !probe.cached && probe.price.mode === mode)
      .map(({ probe }) => partPrices(probe))
  );

const answersOf = (...of: ReadonlyArray<string | undefined>): ReadonlyArray<Answer> =>
  cache
    .getQueriesData<Answer>({ queryKey: [...keys.quotes, ...of] })
    .flatMap(([, each]) => (each === undefined ? [] : [each]));

const useAnswer = (body: Submission | undefined) => {
  const text = body === undefined ? "" : JSON.stringify(body);
  const scope = body === undefined ? "" : JSON.stringify(priced(body));
  const settled = useSettled(scope);
  const key = [
    ...keys.quotes,
    body?.url ?? body?.fromExtraction,
    stretchOf(body),
    body === undefined ? undefined : modeOf(body),
    scope
  ];
  const isKnown = cache.getQueryData(key) !== undefined;
  const query = useQuery({
    queryKey: key,
    queryFn:
      body === undefined
        ? skipToken
        : async ({ signal }): Promise<Answer> => ({
            asked: text,
            probe: await winnow.probe(body, { signal })
          }),
    enabled: scope !== "" && (scope === settled || isKnown),
    staleTime: FRESH_MS,
    retry: (failures, error) => failures < 1 && waitMsOf(error) > 0,
    retryDelay: (_, error) => waitMsOf(error),
    refetchOnWindowFocus: false
  });
  // A body that was refused may be right after a change of what does not affect the price.
  const settledText = useSettled(text);
  const refused = useRef("");
  useEffect(() => {
    if (query.error === null || settledText === "") return;
    if (refused.current !== "" && refused.current !== settledText) void query.refetch();
    refused.current = settledText;
  }, [query.error, settledText]);
  return { text, query };
};

/** `url` is that of the draft, also while its body is incomplete. */
export const useQuote = (url: string | undefined, body: Submission | undefined) => {
  // While something else is missing, the URL alone is looked at.
  const { text, query } = useAnswer(body ?? (url === undefined ? undefined : { url }));
  const answer = query.data;
  // The last one for this URL, for the time until the next one.
  const probe = (answer ?? answersOf(url).at(-1))?.probe;
  const isFound = answer !== undefined && query.error === null;
  const isCached = body !== undefined && probe?.cached === true && answer?.asked === text;
  return {
    probe,
    /** What is shown is of this URL, not of an earlier one. */
    isFound,
    /** The answer is for this body, not for an earlier one. */
    isCurrent: body !== undefined && isFound,
    isCached,
    /** The extraction whose result would be served. */
    earlierId: isCached ? (probe?.extractionId ?? null) : null,
    credits: probe === undefined ? undefined : isCached ? 0 : probe.price.freshCredits,
    prices: body === undefined ? {} : freshPrices(answersOf(url, stretchOf(body)), modeOf(body)),
    error: query.error,
    /** Whether a part that was asked for is none of this source's. */
    lacks: (part: Modality): boolean =>
      body !== undefined && answer !== undefined && answer.probe.price.downloadBreakdown[part] === undefined,
    refetch: () => void query.refetch()
  };
};

export type Quote = ReturnType<typeof useQuote>;

/** Of a body that costs more than `balance`: the same without its dearest parts, by a quote of its own. */
export const useCheaper = (
  body: Submission | undefined,
  chosen: ReadonlyArray<Modality>,
  { credits = 0, prices, isCurrent }: Quote,
  balance: number
) => {
  const dearest = chosen
    .filter((part) => prices[part] !== undefined)
    .toSorted((a, b) => (prices[b] ?? 0) - (prices[a] ?? 0));
  let left = credits;
  let count = 0;
  for (const part of dearest) {
    if (left <= balance) break;
    left -= prices[part] ?? 0;
    count += 1;
  }
  const isPossible =
    body !== undefined && body.auto !== true && isCurrent && count > 0 && count < dearest.length;
  const dropped = dearest.slice(0, count);
  const parts = chosen.filter((part) => !dropped.includes(part));
  const name = body !== undefined && modeOf(body) === "ai" ? "inputs" : "parts";
  const { query } = useAnswer(isPossible ? { ...body, [name]: parts } : undefined);
  const price = query.data?.probe.price.credits;
  return isPossible && price !== undefined && price <= balance ? { dropped, parts, credits: price } : null;
};
