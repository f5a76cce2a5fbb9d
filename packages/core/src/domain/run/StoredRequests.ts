/**
 * What a request becomes in a database: items of a batch mostly differ in their URL alone, so that a schema or prompt of
 * theirs is stored once.
 */
import { createHash } from "node:crypto";
import type { RunRequest } from "../request/RunRequest.ts";

/** Smaller documents are not worth another look-up at each read; about what PostgreSQL keeps in a row. */
const SHARED_CHARS_MIN = 2_000;

/** The fields that several requests have in common, as JSON, and a hex SHA-256 of their content. */
export interface SharedFields {
  readonly hash: string;
  readonly json: string;
}

export interface StoredRequest {
  /** JSON of the request, without the fields of `shared`. */
  readonly json: string;
  readonly shared: SharedFields | null;
}

interface Parts {
  readonly own: object;
  readonly common: Omit<RunRequest, "url" | "normalizedUrl" | "fromExtraction">;
}

const partsOf = ({ url, normalizedUrl, fromExtraction, submitted, ...common }: RunRequest): Parts => {
  const { url: submittedUrl, fromExtraction: submittedFrom, ...rest } = submitted;
  return {
    own: {
      url,
      normalizedUrl,
      fromExtraction,
      submitted: { url: submittedUrl, fromExtraction: submittedFrom }
    },
    common: { ...common, submitted: rest }
  };
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Writes each schema object once, however many requests have it. Compares hashes, because a map of long texts compares
 * all those of equal length with each other.
 */
const makeWriter = () => {
  const schemas = new Map<unknown, SharedFields>();
  return ({ schema, ...common }: Parts["common"]): SharedFields => {
    let written = schemas.get(schema);
    if (written === undefined) {
      const json = JSON.stringify(schema);
      written = { json, hash: sha256(json) };
      schemas.set(schema, written);
    }
    const rest = JSON.stringify(common);
    return {
      json: `{"schema":${written.json},${rest.slice(1)}`,
      hash: sha256(`${written.hash}\n${rest}`)
    };
  };
};

/** In the order of the requests. */
export const storedRequests = (requests: ReadonlyArray<RunRequest>): ReadonlyArray<StoredRequest> => {
  const write = makeWriter();
  const written = requests.map((request) => {
    const { own, common } = partsOf(request);
    return { request, own, shared: write(common) };
  });
  const counts = new Map<string, number>();
  for (const { shared } of written) counts.set(shared.hash, (counts.get(shared.hash) ?? 0) + 1);
  return written.map(({ request, own, shared }) =>
    shared.json.length < SHARED_CHARS_MIN || counts.get(shared.hash) === 1
      ? { json: JSON.stringify(request), shared: null }
      : { json: JSON.stringify(own), shared }
  );
};

/** Bytes of UTF-8; what is shared counts once. */
export const storedBytes = (requests: ReadonlyArray<StoredRequest>): number => {
  const shared = new Map(
    requests.flatMap(({ shared: one }) => (one === null ? [] : [[one.hash, one.json] as const]))
  );
  return [...requests.map(({ json }) => json), ...shared.values()].reduce(
    (sum, json) => sum + Buffer.byteLength(json),
    0
  );
};

/** The whole request, of what was stored. */
export const joinedRequest = (own: RunRequest, shared: Pick<RunRequest, "submitted">): RunRequest => ({
  ...shared,
  ...own,
  submitted: { ...shared.submitted, ...own.submitted }
});
