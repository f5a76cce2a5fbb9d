/** Bodies of responses, as they arrive or whole. Only breaking off is a ConnectionError. Tests: results.test.ts, faults.test.ts. */
import { ConnectionError } from "./errors.ts";

/** `what` is "The rows were". */
const interrupted = (what: string, cause?: unknown): ConnectionError =>
  new ConnectionError(`${what} interrupted.`, { cause });

/** The JSON of a text that may have been cut off. */
export const parsed = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw interrupted(what, cause);
  }
};

/** The whole text. */
export const wholeText = async (response: Response): Promise<string> => {
  try {
    return await response.text();
  } catch (cause) {
    throw interrupted("The response was", cause);
  }
};

/**
 * The text in pieces; whoever stops reading ends the response. By a reader, because WebKit cannot iterate streams.
 * Throws the signal's reason if it was aborted.
 */
export async function* piecesOf(
  { body }: Response,
  what: string,
  signal?: AbortSignal
): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read = async () => {
    try {
      return await reader.read();
    } catch (cause) {
      signal?.throwIfAborted();
      throw interrupted(what, cause);
    }
  };
  try {
    for (let isDone = false; !isDone;) {
      const { done, value } = await read();
      isDone = done;
      const text = decoder.decode(value, { stream: !done });
      if (text !== "") yield text;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

/** The lines of a response of JSON Lines. */
export async function* linesOf(
  response: Response,
  what: string,
  signal?: AbortSignal
): AsyncGenerator<unknown, void, undefined> {
  let rest = "";
  for await (const text of piecesOf(response, what, signal)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield parsed(line, what);
  }
  if (rest !== "") throw interrupted(what);
}
