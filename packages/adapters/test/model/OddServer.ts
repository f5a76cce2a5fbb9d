/** A chat completions server that returns any response, well-formed or not. Loopback only. */
import * as Effect from "effect/Effect";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";

export interface OddAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** When it is sent; at once by default. */
  readonly after?: Promise<unknown>;
}

/** Returns the response to a request; the first request is number 0. */
export type Odd = (body: any, number: number) => OddAnswer;

export const completed = (content: unknown, more: object = {}, message: object = {}): OddAnswer => ({
  body: {
    id: "x",
    object: "chat.completion",
    choices: [
      { index: 0, message: { role: "assistant", content, ...message }, finish_reason: "stop", ...more }
    ]
  }
});

export const refusing = (status: number, message: string, more: object = {}): OddAnswer => ({
  status,
  body: { error: { message, type: "invalid_request_error", param: null, code: null, ...more } }
});

/** `models`: its list of models; 404 without. Requests for it are not recorded. */
export const oddServer = Effect.fnUntraced(function* (odd: Odd, models?: ReadonlyArray<object>) {
  const requests: Array<any> = [];
  const { url } = yield* serve((request, response) => {
    const chunks: Array<Buffer> = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "GET") {
        response.writeHead(models === undefined ? 404 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify({ object: "list", data: models ?? [] }));
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const answer = odd(body, requests.length);
      const { after, status = 200, type = "application/json", headers, body: sent } = answer;
      requests.push(body);
      response.on("error", () => {});
      const send = async (): Promise<void> => {
        await after;
        response.writeHead(status, { "content-type": type, ...headers });
        response.end(typeof sent === "string" ? sent : JSON.stringify(sent));
      };
      void send();
    });
  });
  return { baseUrl: `${url}/v1`, requests };
});
