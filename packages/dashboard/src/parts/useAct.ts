/** An action started by a click: its busy state and error. */
import { useState } from "preact/hooks";
import { ApiError } from "@winnow/client";
import { sessionIsOver } from "../data/session.ts";

export const useAct = () => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = async <A>(does: () => Promise<A>, then?: (answer: A) => void): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const answer = await does();
      then?.(answer);
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 401) sessionIsOver();
      setError(failure);
    }
    setBusy(false);
  };
  return { act, isBusy, error, clear: () => setError(null) };
};
