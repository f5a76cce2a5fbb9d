import { assert, describe, it } from "vitest";
import { loadOf, samplesOf } from "../src/data/operator.ts";
import { reasonText } from "../src/screens/operator/words.ts";

const TEXT = String.raw`# HELP winnow_runs Extractions that are not over
# TYPE winnow_runs gauge
winnow_runs{kind="video",state="queued"} 3
winnow_runs{kind="webpage",state="pending"} 1
winnow_runs{kind="video",state="running"} 2
winnow_queue_oldest_waiting_seconds 12.5
winnow_webhook_deliveries_pending 7
winnow_runs_ended_total{kind="video",state="complete",reason=""} 40
winnow_runs_failed{reason="private"} 2
winnow_runs_failed{reason="timeout"} 5
winnow_runs_failed{reason="live"} 0
winnow_runs_failed{reason="cancelled"} 9
process_resident_memory_bytes 2.5e+08
winnow_disk_free_bytes{place="data"} 4e+10
winnow_ytdlp_version_info{state="current",version="2026.10.26"} 1
winnow_ytdlp_version_info{state="current",version="2026.11.20"} 0
winnow_ytdlp_version_info{state="probation",version="2026.11.20"} 1
winnow_ytdlp_inspections_total{host="other",outcome="read",version="2026.10.26"} 30
winnow_ytdlp_inspections_total{host="youtube.com",outcome="read",version="2026.10.26"} 8
winnow_ytdlp_inspections_total{host="youtube.com",outcome="failed",version="2026.10.26"} 2
odd{text="with \"quotes\", commas and } braces"} NaN
not a sample
`;

describe("the server's metrics", () => {
  it("are parsed with any labels", () => {
    const odd = samplesOf(TEXT).find(({ name }) => name === "odd");
    assert.deepStrictEqual(odd?.labels, { text: String.raw`with \"quotes\", commas and } braces` });
    assert.isNaN(odd?.value);
    assert.lengthOf(samplesOf(""), 0);
  });

  it("show how busy it is, and why runs failed", () => {
    assert.deepStrictEqual(loadOf(samplesOf(TEXT)), {
      waiting: 4,
      running: 2,
      oldestWaitingSeconds: 12.5,
      webhooksPending: 7,
      memoryBytes: 250_000_000,
      disks: [{ place: "data", freeBytes: 40_000_000_000 }],
      failures: [
        { reason: "timeout", count: 5 },
        { reason: "private", count: 2 }
      ],
      programs: {
        current: "2026.10.26",
        probation: "2026.11.20",
        available: null,
        reads: [
          { version: "2026.10.26", host: "youtube.com", read: 8, failed: 2 },
          { version: "2026.10.26", host: "other", read: 30, failed: 0 }
        ]
      }
    });
    assert.deepStrictEqual(loadOf([]).failures, []);
  });

  it("name the reasons of failures in words", () => {
    const texts = ["timeout", "bot_blocked", "drm", "a_new_one"].map(reasonText);
    assert.deepStrictEqual(texts, ["Timeout", "Bot blocked", "DRM", "A new one"]);
  });
});
