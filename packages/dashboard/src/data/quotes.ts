/** Quotes for a submit from the server; the same body is not requested twice within a minute. */
import { useQuery } from "@tanstack/preact-query";
import type { Modality, ProbeResponse, SubmitBody } from "@winnow/client";
import { useEffect, useState } from "preact/hooks";
import { winnow } from "./client.ts";

const FRESH_MS = 60_000;
/** No requests while somebody is typing. */
const TYPING_MS = 500;

const useSettled = (text: string): string => {
  const [settled, set] = useState(text);
  useEffect(() => {
    if (text === settled) return undefined;
    const timer = setTimeout(() => set(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
};

const useProbe = (text: string) =>
  useQuery({
    queryKey: ["quote", text],
    queryFn: ({ signal }): Promise<ProbeResponse> => winnow.probe(JSON.parse(text) as SubmitBody, { signal }),
    enabled: text !== "",
    staleTime: FRESH_MS,
    retry: false,
    refetchOnWindowFocus: false
  });

const CREDITS_PER_USD = 10_000;

/** Price of each part in credits: what it adds to the sum, which is rounded afterwards. */
export type PartPrices = Readonly<Partial<Record<Modality, number>>>;

export const partPrices = ({ price }: ProbeResponse): PartPrices => {
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

/** For this exact body, not the previous one. */
export const useQuote = (body: SubmitBody | undefined) => {
  const text = body === undefined ? "" : JSON.stringify(body);
  const settled = useSettled(text);
  const probe = useProbe(settled);
  const isCurrent = text !== "" && text === settled;
  const answer = isCurrent ? probe.data : undefined;
  return {
    probe: answer,
    prices: answer === undefined ? {} : partPrices(answer),
    error: isCurrent ? probe.error : null,
    isAsking: text !== "" && (!isCurrent || probe.isFetching),
    refetch: () => void probe.refetch()
  };
};

export type Quote = ReturnType<typeof useQuote>;

export interface Menu {
  readonly prices: PartPrices;
  /** The server has a speech model. */
  readonly canTranscribe: boolean;
}

/** The price of each part, selected or not: audio alone has its own rate. */
export const useMenu = (url: string | undefined, isAi: boolean): Menu | undefined => {
  const settled = useSettled(url ?? "");
  const ask = (inputs: ReadonlyArray<Modality>): string =>
    settled === ""
      ? ""
      : JSON.stringify(
          isAi ? { url: settled, schema: { type: "object" }, inputs } : { url: settled, parts: inputs }
        );
  const all = useProbe(ask(["transcript", "comments", "audio", "video"]));
  const sound = useProbe(isAi ? ask(["audio"]) : "");
  if (all.data === undefined) return undefined;
  return {
    prices: {
      ...partPrices(all.data),
      ...(sound.data === undefined ? {} : { audio: partPrices(sound.data).audio ?? 0 })
    },
    canTranscribe: all.data.speechConfigured
  };
};
