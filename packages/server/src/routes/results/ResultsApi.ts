/**
 * Endpoints of results: the values of many runs as one table, and their corrections.
 */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { Corrections, Support } from "@winnow/core/domain/result/ResultRow";
import { InvalidRequest, NotFound } from "../../http/ApiErrors.ts";
import { AccountAuthorization, RateLimiting } from "../../http/authentication/Authorization.ts";
import { EvidenceItem } from "../extractions/ResultWire.ts";
import {
  DateTime,
  described,
  documentedResponses,
  headers,
  PAGE_QUERY,
  pageSchema,
  titled
} from "../../http/openapi/described.ts";
import { JsonBody } from "../../http/JsonBody.ts";

const row = {
  extractionId: "ext_01hzx3",
  url: "https://video.example/watch/42",
  title: "A talk",
  completedAt: "2026-11-21T08:00:41.000Z",
  values: { topic: "Fixtures", speaker: null },
  evidence: {
    "/topic": [{ source: "transcript", quote: "Welcome to this talk on fixtures.", startSec: 0, endSec: 3.5 }]
  },
  support: { "/topic": "quoted", "/speaker": "not_stated" },
  corrections: { "/speaker": "Ada" }
};

export const ResultRow = described(
  {
    extractionId: Schema.String,
    url: Schema.String,
    title: Schema.NullOr(Schema.String),
    completedAt: DateTime,
    values: Schema.Json,
    evidence: Schema.Record(Schema.String, Schema.Array(EvidenceItem)),
    support: Schema.Record(Schema.String, Support),
    corrections: Corrections
  },
  {
    identifier: "ResultRow",
    description: "The values of one run. Everything about a value is by JSON pointer into `values`.",
    fields: {
      extractionId: "Id of the extraction.",
      url: "As submitted.",
      title: "Title of the content.",
      completedAt: "When the run completed.",
      values: "The extraction, as the run read it; corrections do not change it.",
      evidence: "As in the result.",
      support:
        "Of every scalar value: `quoted` if a passage of the input supports it, `unsupported` if none was found, " +
        "`not_stated` if it is null.",
      corrections: "Values that a person corrected; null for one that is not stated after all."
    },
    examples: [row]
  }
);
export type ResultRow = typeof ResultRow.Type;

const ResultPage = pageSchema(ResultRow, {
  identifier: "ResultPage",
  description: "One page of results.",
  example: row
});

export const CorrectionsBody = described(
  { values: Corrections },
  {
    identifier: "CorrectionsBody",
    description: "Corrected values, which replace earlier corrections.",
    fields: { values: "By JSON pointer into the extraction; null for a value that is not stated." },
    examples: [{ values: { "/speaker": "Ada" } }]
  }
);
export type CorrectionsBody = typeof CorrectionsBody.Type;

export const ResultLinkBody = described(
  {
    schemaId: Schema.optionalKey(Schema.String),
    batchId: Schema.optionalKey(Schema.String),
    since: Schema.optionalKey(Schema.String),
    support: Schema.optionalKey(Support),
    format: Schema.optionalKey(Schema.Literals(["csv", "jsonl"])),
    columns: Schema.optionalKey(Schema.String)
  },
  {
    identifier: "ResultLinkBody",
    description: "Which rows the link gives, and in which form: as the parameters of `GET /v1/results`.",
    fields: {
      schemaId: "Required for CSV of rows that have several schemas.",
      batchId: "Only items of this batch.",
      since: "Only runs submitted then or later (RFC 3339).",
      support: "Only rows with a value of this support.",
      format: "`csv` by default.",
      columns: "For CSV: a list of `quote`, `at`, `corrected`."
    },
    examples: [{ schemaId: "sch_01hzx3", columns: "quote,corrected" }]
  }
);

const ResultLink = described(
  { url: Schema.String.annotate({ format: "uri" }), expiresAt: DateTime },
  {
    identifier: "ResultLink",
    description: "A link to a table of results that works without a key.",
    fields: { url: "Supports GET.", expiresAt: "30 days after it was created." },
    examples: [
      {
        url:
          "https://winnow.example/v1/results?format=csv&schemaId=sch_01hzx3&account=acc_01hzx3" +
          "&expires=1797840900&signature=kq0bVYs3sZ8yJ2v4mQk7cX1nT6uR9pBvNcE1sHfG5jY",
        expiresAt: "2026-12-21T08:15:00.000Z"
      }
    ]
  }
);

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }));
const id = Schema.String.annotate({ description: "Id of the extraction." });

export class ResultsApi extends HttpApiGroup.make("results")
  .add(
    HttpApiEndpoint.get("listResults", "/results", {
      query: {
        ...PAGE_QUERY,
        schemaId: text(
          "Only runs with this saved or predefined schema; required for CSV of rows that have several."
        ),
        batchId: text("Only items of this batch."),
        since: text("Date and time (RFC 3339): only runs submitted then or later."),
        support: text("Only rows with a value that is `quoted`, `unsupported` or `not_stated`."),
        format: text("`json` (a page), `csv` or `jsonl` (all rows, streamed); by default as `Accept` asks."),
        columns: text(
          "For CSV, a list of: `quote` (adds `<field>_quote`), `at` (adds `<field>_at`), `corrected` (corrected values " +
            "in place of the original ones)."
        ),
        account: text("Part of a signed link; all three are required together."),
        expires: text("Part of a signed link."),
        signature: text("Part of a signed link.")
      },
      success: ResultPage,
      error: [InvalidRequest, NotFound]
    })
      .annotateMerge(
        titled(
          "List results",
          "The values of complete AI runs with outcome `ok`, newest first. As CSV or JSON lines, all rows are streamed, " +
            "and `limit` and `cursor` do not apply. A page may be short while `has_more` is true."
        )
      )
      .annotateMerge(
        documentedResponses({
          200: {
            headers: headers("Cache-Control", "Content-Disposition"),
            description: "A page of rows; or all of them as CSV, or as JSON lines, one row a line.",
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/ResultPage" } },
              "application/x-ndjson": { schema: { $ref: "#/components/schemas/ResultRow" } },
              "text/csv": { schema: { type: "string" } }
            }
          }
        })
      ),
    HttpApiEndpoint.post("createResultLink", "/results/links", {
      payload: ResultLinkBody,
      success: ResultLink.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled(
          "Create a link to results",
          "A URL that gives anyone who has it these rows, as they are whenever it is opened, for 30 days and without a " +
            "key: for a spreadsheet that imports them. It ends with the API key that made it. One of a web session outlasts it, and ends when the account is " +
            "signed out everywhere or its member is removed."
        )
      ),
    HttpApiEndpoint.put("correct", "/extractions/:id/corrections", {
      params: { id },
      payload: CorrectionsBody,
      success: CorrectionsBody,
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled(
          "Correct values",
          "Keeps corrected values beside those of the result, which stay as they are. They must fit the schema, and are " +
            "deleted with the extraction."
        )
      ),
    HttpApiEndpoint.delete("removeCorrections", "/extractions/:id/corrections", {
      params: { id },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed." }),
      error: [InvalidRequest, NotFound]
    }).annotateMerge(titled("Remove corrections", "Only the values that the run read remain."))
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({ description: "The values of many runs as one table, each with its proof." })
  ) {}
