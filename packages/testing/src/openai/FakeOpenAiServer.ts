/**
 * A server that speaks the OpenAI protocol without a model: chat completions (streamed too), responses,
 * transcriptions and the list of models. Loopback only, deterministic, and it records its requests. For tests and
 * demonstrations; it "extracts" values by their labels (FakeExtraction). Tests: the adapters' FakeOpenAiServer.test.ts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as Effect from "effect/Effect";
import {
  type Behaviour,
  behaviourOf,
  fault,
  featureFault,
  type HttpAnswer,
  httpFault,
  writtenBy
} from "./FakeBehaviours.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { type Json, seen } from "./FakeContent.ts";

export type { Behaviour } from "./FakeBehaviours.ts";
export { BEHAVIOURS } from "./FakeBehaviours.ts";

interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>;
  /** Parsed, or the names and sizes of the fields of a form. */
  readonly body: JsonObject;
  /** Whether the client disconnected before the response. */
  isAborted: boolean;
}

export interface FakeOpenAiOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** The transcript returned for every recording. */
  readonly spokenText?: string;
  /** Delay of `slow`. */
  readonly slowMs?: number;
  /** Called for each request that is recorded. */
  readonly onRequest?: () => void;
}

export interface FakeOpenAiServer {
  /** For WINNOW_LLM_BASE_URL: ends in /v1. */
  readonly baseUrl: string;
  /** All requests so far, in order, without those for the list of models. */
  readonly requests: ReadonlyArray<RecordedRequest>;
  /** Sets the behaviours of the next requests, one each; after them, the model's name decides again. */
  readonly script: (...behaviours: ReadonlyArray<Behaviour>) => void;
  readonly close: () => Promise<void>;
}

const SPOKEN = "This is what was said in the recording. The price: 12. It ends here.";
const SLOW_MS = 60_000;

/** Bodies with images and audio are large; more than this is a bug in a test. */
const BODY_BYTES_MAX = 64 * 1_024 * 1_024;

/** A fixed time, so that answers are the same every time. */
const CREATED_SECONDS = 1_767_225_600;

const CHARS_PER_TOKEN = 4;

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const parsed = async (request: IncomingMessage, bytes: Buffer): Promise<JsonObject> => {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data"))
    return bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as JsonObject);
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  return Object.fromEntries(
    [...form.entries()].map(([name, value]): [string, Json] => [
      name,
      typeof value === "string" ? value : { filename: value.name, sizeBytes: value.size }
    ])
  );
};

const send = (response: ServerResponse, { status, headers, body }: HttpAnswer): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
};

interface Written {
  readonly model: string;
  readonly text: string;
  readonly finish: "stop" | "length";
  readonly refusal: string | null;
  readonly inputTokens: number;
  /** A stream reports its tokens only if asked. */
  readonly hasUsage: boolean;
}

const usageOf = ({ text, inputTokens }: Written): JsonObject => {
  const outputTokens = Math.ceil(text.length / CHARS_PER_TOKEN);
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens
  };
};

const completionOf = (written: Written): Json => {
  const { model, text, finish, refusal } = written;
  return {
    id: "chatcmpl-fake",
    object: "chat.completion",
    created: CREATED_SECONDS,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: refusal === null ? text : null, refusal },
        logprobs: null,
        finish_reason: finish
      }
    ],
    usage: usageOf(written)
  };
};

/** Streams the completion as server-sent events. */
const stream = (response: ServerResponse, written: Written, isBrokenOff: boolean): void => {
  const { model, text, finish, refusal, hasUsage } = written;
  const event = (choices: ReadonlyArray<JsonObject>, more: JsonObject = {}): string =>
    `data: ${JSON.stringify({
      id: "chatcmpl-fake",
      object: "chat.completion.chunk",
      created: CREATED_SECONDS,
      model,
      choices,
      ...more
    })}\n\n`;
  const chunk = (delta: JsonObject, reason: string | null): string =>
    event([{ index: 0, delta, finish_reason: reason }]);
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (isBrokenOff) return void response.write(chunk({ content: "{" }, null), () => response.destroy());
  response.write(chunk({ role: "assistant", content: "" }, null));
  if (refusal === null) {
    for (const piece of text.match(/[\s\S]{1,80}/gu) ?? []) response.write(chunk({ content: piece }, null));
  } else {
    response.write(chunk({ refusal }, null));
  }
  response.write(chunk({}, finish));
  if (hasUsage) response.write(event([], { usage: usageOf(written) }));
  response.end("data: [DONE]\n\n");
};

const responseOf = ({ model, text }: Written): Json => ({
  id: "resp-fake",
  object: "response",
  created_at: CREATED_SECONDS,
  status: "completed",
  model,
  output: [
    {
      id: "msg-fake",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }]
    }
  ]
});

/** Converts a request to /responses to one for a chat completion. */
const asCompletion = (body: JsonObject): JsonObject => {
  const input = body["input"] ?? "";
  const format = (body["text"] as { readonly format?: JsonObject } | undefined)?.format;
  return {
    ...body,
    messages: typeof input === "string" ? [{ role: "user", content: input }] : input,
    ...(format === undefined ? {} : { response_format: { type: "json_schema", json_schema: format } })
  };
};

const transcriptionOf = (body: JsonObject, behaviour: Behaviour, text: string): HttpAnswer => {
  const isVerbose = body["response_format"] === "verbose_json";
  if (behaviour === "refuse_transcription") return fault(404, "Not found.");
  if (isVerbose && behaviour === "refuse_transcription_times") {
    return fault(400, "response_format 'verbose_json' is not compatible with this model.", {
      param: "response_format"
    });
  }
  if (behaviour === "transcription_fails") return fault(503, "The server is overloaded.");
  const sentences = text.match(/[^.!?]+[.!?]*\s*/gu) ?? [text];
  const segments = sentences.map((sentence, place) => ({
    id: place,
    start: place * 2,
    end: place * 2 + 2,
    text: sentence,
    no_speech_prob: behaviour === "hears_silence" ? 0.9 : 0.02
  }));
  return {
    status: 200,
    body: isVerbose
      ? { task: "transcribe", language: "english", duration: segments.length * 2, text, segments }
      : { text }
  };
};

class Fake {
  readonly requests: Array<RecordedRequest> = [];
  readonly scripted: Array<Behaviour> = [];
  readonly #met = new Map<Behaviour, number>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  readonly #options: FakeOpenAiOptions;

  constructor(options: FakeOpenAiOptions) {
    this.#options = options;
  }

  readonly handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? "/", "http://fake").pathname;
    const body = await parsed(request, await bodyOf(request));
    const record: RecordedRequest = { path, headers: request.headers, body, isAborted: false };
    if (path === "/v1/models") {
      return send(response, {
        status: 200,
        body: { object: "list", data: [{ id: "fake-ok", object: "model" }] }
      });
    }
    response.on("close", () => {
      record.isAborted = !response.writableFinished;
    });
    this.requests.push(record);
    this.#options.onRequest?.();
    const model = String(body["model"] ?? "");
    const scripted = this.scripted.shift();
    const behaviour = scripted ?? behaviourOf(model);
    const earlier = scripted === undefined ? (this.#met.get(behaviour) ?? 0) : 0;
    if (scripted === undefined) this.#met.set(behaviour, earlier + 1);
    if (behaviour === "always_dropped" || (behaviour === "dropped" && earlier === 0)) {
      request.socket.destroy();
      return;
    }
    const refused = httpFault(behaviour, earlier);
    if (refused !== null) return send(response, refused);
    if (behaviour === "slow") await this.#wait(response);
    if (path === "/v1/audio/transcriptions") {
      return send(response, transcriptionOf(body, behaviour, this.#options.spokenText ?? SPOKEN));
    }
    if (path === "/v1/chat/completions") return this.#complete(response, body, behaviour, earlier);
    if (path === "/v1/responses") return this.#respond(response, asCompletion(body), behaviour);
    return send(response, fault(404, "Not found."));
  };

  #write(body: JsonObject, behaviour: Behaviour, earlier: number): Written {
    const text = writtenBy(behaviour, seen(body));
    const isCut = behaviour === "truncated" || (behaviour === "truncated_then_ok" && earlier === 0);
    return {
      model: String(body["model"] ?? ""),
      text: isCut ? text.slice(0, Math.floor(text.length / 2)) : text,
      finish: isCut ? "length" : "stop",
      refusal: behaviour === "refusal" ? "I cannot help with that." : null,
      inputTokens: Math.ceil(JSON.stringify(body["messages"] ?? []).length / CHARS_PER_TOKEN),
      hasUsage: (body["stream_options"] as JsonObject | undefined)?.["include_usage"] === true
    };
  }

  #complete(response: ServerResponse, body: JsonObject, behaviour: Behaviour, earlier: number): void {
    const refused = featureFault(behaviour, seen(body));
    if (refused !== null) return send(response, refused);
    const written = this.#write(body, behaviour, earlier);
    const isBrokenOff = behaviour === "broken_off" && earlier === 0;
    if (body["stream"] === true) return stream(response, written, isBrokenOff);
    if (isBrokenOff) {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"id": "chatcmpl', () => response.destroy());
      return;
    }
    return send(response, { status: 200, body: completionOf(written) });
  }

  #respond(response: ServerResponse, body: JsonObject, behaviour: Behaviour): void {
    send(response, { status: 200, body: responseOf(this.#write(body, behaviour, 1)) });
  }

  #wait(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#options.slowMs ?? SLOW_MS);
      this.#waiting.add(timer);
      response.on("close", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  stop(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
  }
}

export const startFakeOpenAi = async (options: FakeOpenAiOptions = {}): Promise<FakeOpenAiServer> => {
  const fake = new Fake(options);
  const server = createServer((request, response) => {
    fake.handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: fake.requests,
    script: (...behaviours) => void fake.scripted.push(...behaviours),
    close: () =>
      new Promise((resolve) => {
        fake.stop();
        server.close(() => resolve());
        server.closeAllConnections();
      })
  };
};

/** Runs the server until the scope closes. */
export const fakeOpenAi = (options: FakeOpenAiOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakeOpenAi(options)),
    (server) => Effect.promise(() => server.close())
  );
