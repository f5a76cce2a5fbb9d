/** Endpoints of results: the values of many runs as one table, and their corrections. */
import * as Schema from "effect/Schema";
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint";
import * as HttpApiGroup from "effect/http-api/HttpApiGroup";
import * as HttpApiSchema from "effect/http-api/HttpApiSchema";
import * as OpenApi from "effect/http-api/OpenApi";
import { Corrections, ResultFormat, Support } from "@winnow/core/domain/result/ResultRow";
import { WireRange } from "@winnow/core/domain/source/TimeRange";
import { InvalidRequest, NotFound } from "../../http/ApiErrors.ts";
import { AccountAuthorization, RateLimiting } from "../../http/authentication/Authorization.ts";
import { EvidenceItem } from "../extractions/ResultWire.ts";
import {
  DateTime,
  DateTimeText,
  described,
  field,
  documentedResponses,
  headers,
  pageSchema,
  OPTIONAL_BODY,
  titled,
  TextOrNull
} from "../../http/openapi/described.ts";
import {
  BATCH_ID,
  EXTRACTION_ID,
  idText,
  oneOf,
  PAGE_QUERY,
  text,
  time,
  timeText
} from "../../http/parameters.ts";
import { JsonBody } from "../../http/JsonBody.ts";

export const ResultRow = described(
  "ResultRow",
  "The values of one run. Everything about a value is by JSON pointer into `values`.",
  {
    extractionId: field(Schema.String, "Id of the extraction.", "ext_01hzx3"),
    url: field(Schema.String, "As submitted.", "https://video.example/watch/42"),
    range: field(Schema.optionalKey(WireRange), "The stretch that was read; absent for the whole."),
    title: field(TextOrNull, "Title of the content.", "A talk"),
    completedAt: field(DateTimeText, "When the run completed.", "2026-11-21T08:00:41.000Z"),
    values: field(Schema.Json, "The extraction, as the run read it; corrections do not change it.", {
      topic: "Fixtures",
      speaker: null
    }),
    evidence: field(Schema.Record(Schema.String, Schema.Array(EvidenceItem)), "As in the result.", {
      "/topic": [
        { source: "transcript", quote: "Welcome to this talk on fixtures.", startSec: 0, endSec: 3.5 }
      ]
    }),
    support: field(
      Schema.Record(Schema.String, Support),
      "Of every scalar value: `quoted` if a passage of the input supports it, `unsupported` if none was found, " +
        "`not_stated` if it is null.",
      { "/topic": "quoted", "/speaker": "not_stated" }
    ),
    corrections: field(
      Corrections,
      "Values that a person corrected; null for one that is not stated after all.",
      { "/speaker": "Ada" }
    )
  }
);
export type ResultRow = typeof ResultRow.Type;

const ResultPage = pageSchema("ResultPage", "One page of results.", ResultRow);

export const CorrectionsBody = described(
  "CorrectionsBody",
  "Corrected values, which replace earlier corrections.",
  {
    values: field(Corrections, "By JSON pointer into the extraction; null for a value that is not stated.", {
      "/speaker": "Ada"
    })
  }
);

const CSV_SCHEMA = "Required for CSV of rows that have several schemas.";

export const ResultLinkBody = described(
  "ResultLinkBody",
  "Which rows the link gives, and in which form: as the parameters of `GET /v1/results`.",
  {
    schemaId: field(idText("schemaId", CSV_SCHEMA), CSV_SCHEMA, "sch_01hzx3"),
    batchId: BATCH_ID,
    since: Schema.optionalKey(timeText("since", "Only runs submitted then or later (RFC 3339).")),
    support: field(Schema.optionalKey(Support), "Only rows with a value of this support."),
    format: oneOf("format", ["csv", "jsonl"], "`csv` by default."),
    columns: field(
      Schema.optionalKey(Schema.String),
      "For CSV: a list of `quote`, `at`, `corrected`, `range`.",
      "quote,corrected"
    )
  }
);

const ResultLink = described("ResultLink", "A link to a table of results that works without a key.", {
  url: field(
    Schema.String.annotate({ format: "uri" }),
    "Supports GET.",
    "https://winnow.example/v1/results?format=csv&schemaId=sch_01hzx3&account=acc_01hzx3" +
      "&expires=1797840900&signature=kq0bVYs3sZ8yJ2v4mQk7cX1nT6uR9pBvNcE1sHfG5jY"
  ),
  expiresAt: field(DateTime, "30 days after it was created.", "2026-12-21T08:15:00.000Z")
});

const QUERY = {
  // First, as it says which of the others apply.
  format: oneOf(
    "format",
    ResultFormat.literals,
    "`json` (a page), `csv` or `jsonl` (all rows, streamed); by default as `Accept` asks."
  ),
  ...PAGE_QUERY,
  schemaId: idText(
    "schemaId",
    "Only runs with this saved or predefined schema; required for CSV of rows that have several."
  ),
  batchId: BATCH_ID,
  since: time("since", "Date and time (RFC 3339): only runs submitted then or later."),
  support: oneOf(
    "support",
    Support.literals,
    "Only rows with a value that is `quoted`, `unsupported` or `not_stated`."
  ),
  columns: text(
    "For CSV, a list of: `quote` (adds `<field>_quote`), `at` (adds `<field>_at`), `corrected` (corrected values " +
      "in place of the original ones), `range` (adds `range_startSec` and `range_endSec`, the stretch that was read)."
  ),
  account: text("Part of a signed link; all three are required together."),
  expires: text("Part of a signed link."),
  signature: text("Part of a signed link.")
};
export type ResultsQuery = Schema.Struct.Type<typeof QUERY>;

export class ResultsApi extends HttpApiGroup.make("results")
  .add(
    HttpApiEndpoint.get("listResults", "/results", {
      query: QUERY,
      success: [
        ResultPage,
        // Otherwise it would be a second component.
        Schema.suspend(() => ResultRow).pipe(HttpApiSchema.asJson({ contentType: "application/x-ndjson" })),
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
      ],
      error: [InvalidRequest, NotFound]
    })
      .annotateMerge(
        titled(
          "List results",
          "The values of complete AI runs with outcome `ok`, newest first. As CSV or JSON lines, all rows are streamed, " +
            "and `limit` and `cursor` do not apply. A page may be short while `has_more` is true.",
          { call: "results.page", filters: ["schemaId", "batchId", "since", "support"] }
        )
      )
      .annotateMerge(
        documentedResponses({
          200: {
            headers: headers("Cache-Control", "Content-Disposition"),
            description: "A page of rows; or all of them as CSV, or as JSON lines, one row a line."
          }
        })
      ),
    HttpApiEndpoint.post("createResultLink", "/results/links", {
      payload: ResultLinkBody,
      success: ResultLink.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(OPTIONAL_BODY)
      .annotateMerge(
        titled(
          "Create a link to results",
          "A URL that gives anyone who has it these rows, as they are whenever it is opened, for 30 days and without a " +
            "key: for a spreadsheet that imports them. It ends with the API key that made it. One of a web session outlasts it, and ends when the account is " +
            "signed out everywhere or its member is removed.",
          { call: "results.link" }
        )
      ),
    HttpApiEndpoint.put("correct", "/extractions/:id/corrections", {
      params: { id: EXTRACTION_ID },
      payload: CorrectionsBody,
      success: CorrectionsBody,
      error: NotFound
    })
      .middleware(JsonBody)
      .annotateMerge(
        titled(
          "Correct values",
          "Keeps corrected values beside those of the result, which stay as they are. They must fit the schema, and are " +
            "deleted with the extraction.",
          { call: "results.correct" }
        )
      ),
    HttpApiEndpoint.delete("removeCorrections", "/extractions/:id/corrections", {
      params: { id: EXTRACTION_ID },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed." }),
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      titled("Remove corrections", "Only the values that the run read remain.", {
        call: "results.removeCorrections"
      })
    )
  )
  .middleware(RateLimiting)
  .middleware(AccountAuthorization)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({ description: "The values of many runs as one table, each with its proof." })
  ) {}
