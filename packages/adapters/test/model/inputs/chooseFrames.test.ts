import * as Arbitrary from "effect/Arbitrary";
import { assert, describe, it } from "@effect/vitest";
import { chooseFrames, type FrameCandidate, readCandidates } from "../../../src/model/media/extractFrames.ts";
import { intBetween, SEEDED } from "./samples.ts";

const candidate = (number: number, atSeconds: number, sceneScore = 0): FrameCandidate => ({
  number,
  atSeconds,
  sceneScore
});

const Candidates = Arbitrary.map(
  Arbitrary.array(Arbitrary.all({ gap: intBetween(1, 90), score: intBetween(0, 100) }), { maxLength: 150 }),
  (gaps) => {
    let atSeconds = 0;
    return gaps.map(({ gap, score }, index) => candidate(index + 1, (atSeconds += gap), score / 100));
  }
);

describe("the frames that a model sees", () => {
  it.prop(
    "are the allowed number or all there are, each once, in order of time",
    {
      candidates: Candidates,
      framesMax: intBetween(1, 40)
    },
    ({ candidates, framesMax }) => {
      const chosen = chooseFrames(candidates, framesMax);
      assert.lengthOf(chosen, Math.min(framesMax, candidates.length));
      assert.strictEqual(new Set(chosen).size, chosen.length);
      assert.deepStrictEqual(
        chosen,
        candidates.filter((each) => chosen.includes(each))
      );
    },
    SEEDED
  );

  it("are scene changes and evenly spread frames between them", () => {
    const candidates = Array.from({ length: 100 }, (_, index) =>
      candidate(index, index, index === 3 || index === 4 ? 0.9 : 0.01)
    );
    const times = chooseFrames(candidates, 6).map(({ atSeconds }) => atSeconds);
    assert.includeMembers(times, [3, 4]);
    assert.isAbove(Math.max(...times), 80);
    assert.isTrue(times.some((time) => time > 30 && time < 60));
  });

  it("are half scene changes if every frame is a new scene", () => {
    const candidates = Array.from({ length: 100 }, (_, index) =>
      candidate(index, index, index < 50 ? 0.9 : 0.1)
    );
    const late = chooseFrames(candidates, 8).filter(({ atSeconds }) => atSeconds >= 50);
    assert.isAtLeast(late.length, 2);
  });

  it("are parsed from the output of ffmpeg", () => {
    const printed =
      "frame:0    pts:0       pts_time:0\nlavfi.scene_score=0.000000\n" +
      "frame:1    pts:128000  pts_time:10.25\nlavfi.scene_score=0.430829\nframe:2 pts:1";
    assert.deepStrictEqual(readCandidates(printed), [candidate(1, 0, 0), candidate(2, 10.25, 0.430829)]);
  });
});
