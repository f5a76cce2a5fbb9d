/** The meaning of a provider's error for the run, by its code and message, which are never shown. Pure. */
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";

/** The response exceeds its size limit. */
export class AnswerTooLarge extends Error {}

export interface ProviderError {
  readonly status: number;
  readonly code: string | null;
  readonly words: string;
}

type Reason = Extract<AnalysisFailed["reason"], "model_filtered" | "model_quota" | "model_unavailable">;

const FILTERED =
  /content.?filter|content (?:management )?policy|content_policy|usage polic|safety system|responsible.?ai|\bflagged\b|moderation|prohibited.?content|blocked (?:by|due to|for) .{0,40}(?:safety|filter|policy)|data_inspection_failed|inappropriate content/u;

const QUOTA =
  /insufficient.{0,3}(?:quota|balance|credits?|funds)|exceeded your current quota|billing|payment required|credit balance|out of credits|(?:monthly|daily|usage|spend(?:ing)?) (?:quota|limit).{0,30}(?:exceed|reach)|quota (?:has been )?(?:exceeded|exhausted|used up)|arrears/u;

const NO_MODEL =
  /model.?not.?found|(?:invalid|unknown|no such) model\b|\bmodel\b.{0,100}(?:not found|not exist|does not exist|doesn't exist|no longer|decommissioned|deprecated|not available|is unavailable|not have access|not loaded|not installed)/u;

const errorText = ({ code, words }: ProviderError): string => `${code ?? ""} ${words}`.toLowerCase();

/** Null if it may be about the requested features, so that fewer may work. */
export const verdictOn = (refused: ProviderError): Reason | null => {
  const text = errorText(refused);
  if (FILTERED.test(text)) return "model_filtered";
  if (refused.status === 402 || QUOTA.test(text)) return "model_quota";
  return NO_MODEL.test(text) ? "model_unavailable" : null;
};

/** Whether a 429 means an exhausted quota rather than a short-term limit. */
export const isQuota = (refused: ProviderError): boolean => QUOTA.test(errorText(refused));

const DECLINING =
  /^\W*(?:i['’]?m (?:very |so |really )?sorry|i am sorry|sorry,|i apologi[sz]e|unfortunately,? i (?:can|am)|i (?:can(?:no|['’])t|cannot|can not|won['’]?t|will not|must decline|am (?:un|not )able)|i['’]m (?:not able|unable|not going)|as an ai|es tut mir leid|ich kann (?:das|dir|ihnen|diese)|je suis désolée?|désolée?,|je ne peux pas|lo siento|no puedo|mi dispiace|desculpe|抱歉|对不起|申し訳|죄송)/iu;

/** Longer texts are more than a refusal. */
const DECLINING_CHARS_MAX = 1_500;

/** Whether a text without an object is a refusal. */
export const isDeclining = (text: string): boolean =>
  text.length <= DECLINING_CHARS_MAX && !text.includes("{") && DECLINING.test(text.trim());
