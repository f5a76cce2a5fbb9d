/**
 * One idempotency key per body until its end is known: a double click, or another attempt after a lost answer, from
 * another screen or after a reload too, starts the same. Kept in this tab. Tests: batches.test.ts, schemas.test.ts.
 */
import { ApiError, newIdempotencyKey } from "@winnow/client";
import { useMemo } from "preact/hooks";

const FIRST_ERROR = 500;
/** Of FNV-1a with 32 bits. */
const OFFSET = 2_166_136_261;
const PRIME = 16_777_619;

const hash = (text: string, seed: number): string => {
  let sum = seed;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), PRIME);
  return (sum >>> 0).toString(36);
};

/** A body may be larger than the storage; of two with the same name, the service refuses the second. */
const nameOf = (text: string): string =>
  `winnow.attempt.${hash(text, OFFSET)}.${hash(text, PRIME)}.${text.length}`;

/** The service answered, and made nothing. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < FIRST_ERROR;

export interface Once {
  readonly idempotencyKey: string;
}

export const useOnce = (body: unknown) => {
  const name = useMemo(() => nameOf(JSON.stringify(body ?? null)), [body]);
  const once = async <A>(send: (options: Once) => Promise<A>): Promise<A> => {
    const earlier = sessionStorage.getItem(name);
    const idempotencyKey = earlier ?? newIdempotencyKey();
    sessionStorage.setItem(name, idempotencyKey);
    try {
      const answer = await send({ idempotencyKey });
      sessionStorage.removeItem(name);
      return answer;
    } catch (error) {
      // It says nothing of an attempt before, whose answer was lost.
      if (earlier === null && isRefusal(error)) sessionStorage.removeItem(name);
      throw error;
    }
  };
  /** An attempt is under way, or nobody heard what came of it. */
  return { once, isOpen: sessionStorage.getItem(name) !== null };
};
