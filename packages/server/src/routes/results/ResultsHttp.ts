/** Handlers of results and corrections. Tests: results.test.ts. */
import { refuse } from "@winnow/core/domain/request/BodyFields";
import type { InvalidRequest } from "@winnow/core/domain/request/Refusal";
import { csvHead, csvLine, fieldsOf, type CsvColumns } from "./ResultCsv.ts";
import { ResultFormat, type ResultRow } from "@winnow/core/domain/result/ResultRow";
import { Schemas } from "@winnow/core/engine/accounts/Schemas";
import { ResultLinks } from "@winnow/core/engine/extractions/ResultLinks";
import { Results, type ResultFilter } from "@winnow/core/engine/extractions/Results";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Stream from "effect/Stream";
import type * as Wire from "./ResultsApi.ts";
import { ResultsApi } from "./ResultsApi.ts";
import { apiOf, pageBody } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { bytesWhileLive } from "../../http/authentication/whileLive.ts";
import { OpenDownloads } from "../../http/limits/OpenDownloads.ts";
import { resultLinkUrl, signedQueryOf } from "../../http/authentication/resultUrls.ts";
import { PublicUrl } from "../../http/PublicUrl.ts";
import { dateTime } from "../../http/openapi/described.ts";
import { unixMsOf } from "@winnow/core/domain/text/DateTimeText";
import { jsonLine } from "../../http/jsonLine.ts";

interface Table {
  readonly filter: ResultFilter;
  readonly columns: string | undefined;
}

const TYPES = { json: "application/json", csv: "text/csv", jsonl: "application/x-ndjson" } as const;
type Format = typeof ResultFormat.Type;
const FORMATS = ResultFormat.literals;
const COLUMNS = ["quote", "at", "corrected", "range"] as const;

interface MediaRange {
  readonly type: string;
  /** From 0, unacceptable, to 1. */
  readonly quality: number;
}

/** Most wanted first (RFC 9110, 12.5.1). */
const acceptedRanges = (accept: string): ReadonlyArray<MediaRange> =>
  accept
    .toLowerCase()
    .split(",")
    .map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const quality = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
      return { type: type === "*/*" ? TYPES.json : type, quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((left, right) => right.quality - left.quality);

/** A page of JSON if it names none of them. */
const formatAccepted = (accept = ""): Format =>
  acceptedRanges(accept).flatMap(({ type }) => FORMATS.find((format) => TYPES[format] === type) ?? [])[0] ??
  "json";

const columnsOf = (given = ""): Effect.Effect<CsvColumns, InvalidRequest> => {
  const names = given.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !COLUMNS.some((column) => column === name));
  return unknown === undefined
    ? Effect.succeed({
        quote: names.includes("quote"),
        at: names.includes("at"),
        corrected: names.includes("corrected"),
        range: names.includes("range")
      })
    : Effect.fromResult(refuse("columns", `\`columns\` may contain ${COLUMNS.join(", ")}.`));
};

type Filters = Pick<Wire.ResultsQuery, "schemaId" | "batchId" | "support">;

const filterOf = ({ schemaId, batchId, support }: Filters, sinceMs: number | null = null): ResultFilter => ({
  schemaId: schemaId ?? null,
  batchId: batchId ?? null,
  sinceMs,
  support: support ?? null
});

const rowItem = ({ completedAtMs, ...row }: ResultRow): Wire.ResultRow => ({
  ...row,
  completedAt: dateTime(completedAtMs)
});

const download = Effect.fnUntraced(function* (lines: Stream.Stream<string>, format: Exclude<Format, "json">) {
  const { isLive } = yield* Principal;
  return HttpServerResponse.stream(bytesWhileLive(Stream.encodeText(lines), isLive), {
    contentType: format === "csv" ? `${TYPES.csv}; charset=utf-8` : TYPES[format],
    headers: {
      "cache-control": "private, no-cache",
      "content-disposition": `attachment; filename="results.${format}"`
    }
  });
});

/** The columns of a table of results. */
const makeTable = Effect.gen(function* () {
  const results = yield* Results;
  const schemas = yield* Schemas;

  /** Of all rows. @fails InvalidRequest they have several, and none is named */
  const schemaOf = Effect.fnUntraced(function* (accountId: string, filter: ResultFilter) {
    if (filter.schemaId !== null) return (yield* schemas.get(accountId, filter.schemaId)).schema;
    const [shared, another] = yield* results.sharedSchemas(accountId, filter);
    if (another !== undefined) {
      const message =
        "CSV has a column for each field of a schema, and these rows have several: add `schemaId`, or use " +
        "`format=jsonl`.";
      return yield* Effect.fromResult(refuse("schemaId", message, { reason: "required_by_csv" }));
    }
    return typeof shared === "string" ? (yield* schemas.get(accountId, shared)).schema : shared;
  });

  return Effect.fnUntraced(function* (accountId: string, { columns, filter }: Table) {
    const chosen = yield* columnsOf(columns);
    const schema = yield* schemaOf(accountId, filter);
    return { chosen, fields: schema === undefined ? [] : fieldsOf(schema) };
  });
});

const make = Effect.gen(function* () {
  const results = yield* Results;
  const links = yield* ResultLinks;
  const publicUrl = yield* PublicUrl;
  const downloads = yield* OpenDownloads;

  const table = yield* makeTable;

  const csv = Effect.fnUntraced(function* (accountId: string, asked: Table) {
    const { fields, chosen } = yield* table(accountId, asked);
    const lines = Stream.map(results.stream(accountId, asked.filter), (row) => csvLine(row, fields, chosen));
    return yield* download(Stream.concat(Stream.make(csvHead(fields, chosen)), lines), "csv");
  });

  const list = Effect.fnUntraced(function* (
    { limit, cursor, columns, ...query }: Wire.ResultsQuery,
    request: HttpServerRequest
  ) {
    const { accountId } = yield* Principal;
    const format = query.format ?? formatAccepted(request.headers.accept);
    const filter = filterOf(query, query.since);
    if (format !== "json") yield* downloads.open;
    if (format === "csv") return yield* csv(accountId, { filter, columns });
    if (format === "jsonl") {
      return yield* download(
        Stream.map(results.stream(accountId, filter), (row) => `${jsonLine(rowItem(row))}\n`),
        "jsonl"
      );
    }
    const page = yield* results.list(accountId, { filter, limit, cursor });
    return HttpServerResponse.jsonUnsafe(pageBody({ ...page, rows: page.rows.map(rowItem) }), {
      headers: { "cache-control": "private, no-cache", "content-disposition": "inline" }
    });
  });

  const createLink = Effect.fnUntraced(function* ({
    format = "csv",
    ...asked
  }: typeof Wire.ResultLinkBody.Type) {
    const { accountId, memberId, requester } = yield* Principal;
    if (format === "csv") {
      yield* downloads.open;
      const { since, columns } = asked;
      const filter = filterOf(asked, since === undefined ? null : unixMsOf(since));
      yield* table(accountId, { filter, columns });
    }
    const link = yield* links.create({
      accountId,
      apiKeyId: requester.apiKeyId,
      memberId,
      query: signedQueryOf({ ...asked, format })
    });
    return { url: resultLinkUrl(link, publicUrl), expiresAt: link.expiresAtSeconds * 1_000 };
  });

  return { list, createLink };
});

export const layer = HttpApiBuilder.group(
  apiOf(ResultsApi),
  "results",
  Effect.fnUntraced(function* (handlers) {
    const results = yield* Results;
    const { list, createLink } = yield* make;
    return handlers
      .handle("listResults", ({ query, request }) => list(query, request))
      .handle("createResultLink", ({ payload }) => createLink(payload))
      .handle("correct", ({ params, payload }) =>
        Principal.use(({ accountId }) =>
          Effect.map(results.correct(accountId, params.id, payload.values), (values) => ({ values }))
        )
      )
      .handle("removeCorrections", ({ params }) =>
        Principal.use(({ accountId }) => Effect.asVoid(results.correct(accountId, params.id, null)))
      );
  })
);
