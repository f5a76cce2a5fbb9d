/** Clients that submit, repeat requests with their keys, cancel and read, and record every invalid response. */
import { setTimeout as wait } from "node:timers/promises";
import { indexBelow, type Random } from "@winnow/testing/samples/samples";

const ACCOUNTS = 8;
const CREDITS = 100_000_000;
/** Effectively unlimited rate limits, which are not tested here. */
const MANY = 1_000_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** A batch is inspected before the response. */
const BATCH_TIMEOUT_MS = 900_000;
/** Runs of one account at the same time. */
const RUNNING_MAX = 50;
/** A request that is answered 503 or not at all for so long is reported, and given up. Outages take seconds. */
const ASK_MS_MAX = 300_000;
/** Delay between two attempts of a request. */
const RETRY_MS = 500;
/** Share of requests that are batches, and the items of each. */
const BATCH_SHARE = 0.15;
const BATCH_ITEMS = 5;
/** Keys are reused from this many recent ones. */
const NUMBERS_BACK = 12;
/** First page of the large batch; no other request names these. */
const LARGE_FROM = 1_000_000;

const timeoutOf = (path: string): number => (path === "/v1/batches" ? BATCH_TIMEOUT_MS : REQUEST_TIMEOUT_MS);

interface Account {
  readonly id: string;
  readonly key: string;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly json: {
    readonly id?: string;
    readonly items?: ReadonlyArray<{ readonly id: string | null }>;
    readonly counts?: Readonly<Record<string, number>>;
  };
}

export interface CallersOptions {
  readonly adminToken: string;
  /** URLs of the servers that are listening. */
  readonly urls: () => ReadonlyArray<string>;
  readonly urlOf: (number: number) => string;
  readonly random: Random;
  /** No caller submits while it is true. */
  readonly isFull: () => boolean;
  /** Delay between two requests of a caller. */
  readonly pauseMsMax: number;
}

export class Callers {
  readonly statuses = new Map<number, number>();
  /** Responses that must not occur. */
  readonly broken: Array<string> = [];
  /** The run of every key with a response, by account and key. */
  readonly runOf = new Map<string, string>();
  submits = 0;
  batches = 0;
  cut = 0;
  private accounts: ReadonlyArray<Account> = [];
  private isOver = false;
  private large: { readonly id: string; readonly account: Account } | null = null;
  private readonly options: CallersOptions;

  constructor(options: CallersOptions) {
    this.options = options;
  }

  async open(): Promise<void> {
    this.accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => this.openAccount()));
  }

  /** One batch of this many items. */
  async openBatch(items: number): Promise<void> {
    const [account] = this.accounts;
    if (account === undefined) return;
    const headers = { "x-api-key": account.key, "idempotency-key": "large" };
    const urls = Array.from({ length: items }, (_, index) => this.options.urlOf(LARGE_FROM + index));
    const { json, status } = await this.ask("POST", "/v1/batches", headers, { urls });
    if (status >= 400) return void this.break(`the large batch was answered ${status}`, json);
    this.batches += 1;
    this.noteItems(account, json);
    this.large = { id: json.id ?? "", account };
  }

  /** Counts of the large batch. */
  async largeCounts(): Promise<Readonly<Record<string, number>>> {
    if (this.large === null) return {};
    const { id, account } = this.large;
    const { json } = await this.ask("GET", `/v1/batches/${id}`, { "x-api-key": account.key });
    return json.counts ?? {};
  }

  /** Until {@link stop}; requests in progress are completed. */
  async run(callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.callForEver()));
  }

  stop(): void {
    this.isOver = true;
  }

  private async openAccount(): Promise<Account> {
    const admin = { authorization: `Bearer ${this.options.adminToken}` };
    const { json } = await this.ask("POST", "/admin/v1/accounts", admin, { name: "Chaos" });
    const path = `/admin/v1/accounts/${json.id}`;
    const limits = {
      submitsPerMinute: MANY,
      readsPerMinute: MANY,
      othersPerMinute: MANY,
      waitingMax: MANY,
      runningMax: RUNNING_MAX
    };
    await this.ask("PATCH", path, admin, { limits });
    await this.ask("POST", `${path}/top-ups`, admin, { credits: CREDITS });
    const made = (await this.ask("POST", `${path}/api-keys`, admin, { name: "Chaos" })).json;
    return { id: json.id ?? "", key: (made as { readonly key?: string }).key ?? "" };
  }

  private async callForEver(): Promise<void> {
    const { random, isFull, pauseMsMax } = this.options;
    while (!this.isOver) {
      if (!isFull()) await (random() < BATCH_SHARE ? this.batch(random) : this.submit(random));
      await wait(random() * pauseMsMax);
    }
  }

  private async submit(random: Random): Promise<void> {
    const account = this.accounts[indexBelow(random, this.accounts.length)];
    if (account === undefined) return;
    this.submits += 1;
    const number = Math.max(0, this.submits - indexBelow(random, NUMBERS_BACK));
    const key = `${account.id} ${number}`;
    const headers = { "x-api-key": account.key, "idempotency-key": `key-${number}` };
    const body = { url: this.options.urlOf(number), force: number % 3 === 0 };
    const { json, status } = await this.ask("POST", "/v1/extractions", headers, body);
    // The inspection of a missing source.
    if (status === 422) return;
    if (status >= 400) return void this.break(`submit ${number} was answered ${status}`, json);
    const known = this.runOf.get(key);
    if (known !== undefined && known !== json.id) this.break(`a key led to ${known} and`, json);
    this.runOf.set(key, json.id ?? "");
    const next = random();
    const path = `/v1/extractions/${json.id}`;
    if (next < 0.05) await this.ask("POST", `${path}/cancel`, headers, {});
    else if (next < 0.3) await this.ask("GET", path, headers);
    else if (next < 0.4) await this.ask("GET", "/v1/extractions?limit=5", headers);
    else if (next < 0.5) await this.ask("GET", "/v1/ledger", headers);
  }

  /** Created, repeated with its key, and then left alone, cancelled, or paused and continued. */
  private async batch(random: Random): Promise<void> {
    const account = this.accounts[indexBelow(random, this.accounts.length)];
    if (account === undefined) return;
    this.batches += 1;
    const first = this.submits + this.batches * BATCH_ITEMS;
    const headers = { "x-api-key": account.key, "idempotency-key": `batch-${this.batches}` };
    const urls = Array.from({ length: BATCH_ITEMS }, (_, index) => this.options.urlOf(first + index));
    const create = () => this.ask("POST", "/v1/batches", headers, { urls });
    const { json, status } = await create();
    if (status >= 400) return void this.break(`a batch was answered ${status}`, json);
    const again = await create();
    if (again.json.id !== json.id) this.break(`a key led to ${json.id} and`, again.json);
    this.noteItems(account, json);
    const next = random();
    const act = async (action: string): Promise<void> => {
      const path = `/v1/batches/${json.id}/${action}`;
      this.noteItems(account, (await this.ask("POST", path, { "x-api-key": account.key }, {})).json);
    };
    if (next < 0.2) await act("cancel");
    else if (next < 0.5) {
      await act("pause");
      await wait(RETRY_MS);
      await act("resume");
    } else if (next < 0.7) await act("retry-failed");
  }

  private noteItems(account: Account, { items = [] }: Answer["json"]): void {
    for (const { id } of items) if (id !== null) this.runOf.set(`${account.id} ${id}`, id);
  }

  private break(what: string, json: unknown): void {
    this.broken.push(`${what}: ${JSON.stringify(json).slice(0, 300)}`);
  }

  /** Retries with any process until the response is not 503; a fault of the server is reported, not repeated. */
  private async ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown
  ): Promise<Answer> {
    const untilMs = performance.now() + ASK_MS_MAX + timeoutOf(path);
    let last: Answer = { status: 503, retryAfter: null, json: {} };
    for (let turn = 0; performance.now() < untilMs; turn += 1) {
      const urls = this.options.urls();
      const answer =
        urls.length === 0
          ? null
          : await this.send(urls[turn % urls.length] ?? "", method, path, headers, body);
      if (answer !== null) {
        this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
        if (answer.status >= 500 && answer.status !== 503)
          this.break(`${method} ${path} ${answer.status}`, answer.json);
        if (answer.status === 503 && answer.retryAfter === null)
          this.break(`${path} 503, no Retry-After`, answer.json);
        if (answer.status !== 503) return answer;
        last = answer;
      }
      await wait(RETRY_MS);
    }
    this.break(`${method} ${path} was answered 503 or not at all for too long`, last.json);
    return last;
  }

  /** Null without a response. */
  private async send(
    url: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown
  ): Promise<Answer | null> {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutOf(path))
      });
      const text = await response.text();
      const json = (text.startsWith("{") ? JSON.parse(text) : {}) as Answer["json"];
      return { status: response.status, retryAfter: response.headers.get("retry-after"), json };
    } catch {
      this.cut += 1;
      return null;
    }
  }
}
