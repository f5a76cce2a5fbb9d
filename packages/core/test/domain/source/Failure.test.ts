import { assert, describe, it } from "@effect/vitest";
import { FAILURE_REASONS, REMEDIES } from "../../../src/domain/source/Failure.ts";

describe("a reason of failure", () => {
  it("is one of the published reasons", () => {
    const words =
      "private removed login_required age_restricted geo_restricted drm live bot_blocked rate_limited " +
      "too_long too_large timeout unreachable input_unavailable model_error model_refused model_filtered " +
      "model_quota model_unavailable invalid_model_output " +
      "speech_timeout speech_unavailable speech_misconfigured blocked_address " +
      "not_extractable cancelled expired internal";
    assert.sameMembers([...FAILURE_REASONS], words.split(" "));
  });

  it("comes with one sentence on what to do", () => {
    for (const reason of FAILURE_REASONS) assert.match(REMEDIES[reason].hint, /^[A-Z][^.]+\.$/u, reason);
  });

  it("is retryable only if waiting can help", () => {
    const retryable = FAILURE_REASONS.filter((reason) => REMEDIES[reason].retryable);
    const transient =
      "live bot_blocked rate_limited timeout unreachable model_error invalid_model_output " +
      "speech_timeout speech_unavailable expired internal";
    assert.sameMembers(retryable, transient.split(" "));
  });
});
