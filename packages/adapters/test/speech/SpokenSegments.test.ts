import { assert, describe, it } from "@effect/vitest";
import { spokenSegments, withDoubts } from "../../src/speech/SpokenSegments.ts";
import {
  cutAtSilence,
  LEVEL_STEP_SECONDS,
  soundLevels,
  soundSeconds,
  withSilenceAround
} from "../../src/speech/SoundLevels.ts";
import { intBetween } from "@winnow/core/test/domain/Arbitraries";
import * as Arbitrary from "effect/Arbitrary";

const LOUD_DB = -20;
const SOFT_DB = -62;

/** Alternately loud and quiet for the given numbers of seconds. */
const recording = (...seconds: ReadonlyArray<number>) =>
  soundLevels(
    seconds.flatMap((length, index) =>
      Array.from({ length: Math.round(length / LEVEL_STEP_SECONDS) }, () =>
        index % 2 === 0 ? LOUD_DB : SOFT_DB
      )
    )
  );

const said = (text: string, startSeconds: number, endSeconds: number) => ({ text, startSeconds, endSeconds });

const wordsOf = (heard: ReadonlyArray<{ readonly text: string }>) => heard.map(({ text }) => text);

describe("a recording", () => {
  it("is split at the longest pause that leaves pieces of at least half the size", () => {
    const sound = recording(50, 1, 20, 3, 40, 1, 30);
    assert.deepStrictEqual(cutAtSilence(sound, 100), [
      { startSeconds: 0, endSeconds: 72.5 },
      { startSeconds: 72.5, endSeconds: 145 }
    ]);
  });

  it("is split as late as possible if there is no pause", () => {
    assert.deepStrictEqual(
      cutAtSilence(recording(250), 100).map(({ endSeconds }) => endSeconds),
      [100, 200, 250]
    );
  });

  it("has no chunk of a long silence, and none at all if it is silent", () => {
    assert.deepStrictEqual(cutAtSilence(recording(10, 60, 10, 60), 600), [
      { startSeconds: 0, endSeconds: 10.5 },
      { startSeconds: 69.5, endSeconds: 80.5 }
    ]);
    assert.deepStrictEqual(cutAtSilence(recording(0, 100), 600), []);
    assert.deepStrictEqual(cutAtSilence(soundLevels([]), 600), []);
  });

  it("has two seconds of the silence around a stretch with it, or what there is", () => {
    const sound = recording(0, 1, 10, 5, 10);
    assert.deepStrictEqual(withSilenceAround(sound, { startSeconds: 1, endSeconds: 11 }), {
      startSeconds: 0,
      endSeconds: 13
    });
    assert.deepStrictEqual(withSilenceAround(sound, { startSeconds: 16, endSeconds: 26 }), {
      startSeconds: 14,
      endSeconds: 26
    });
  });

  it("is silent where it is far quieter than its loudest part", () => {
    const faint = soundLevels([...Array(50).fill(-44), ...Array(50).fill(-80)] as ReadonlyArray<number>);
    assert.strictEqual(soundSeconds(faint, { startSeconds: 0, endSeconds: 10 }), 5);
  });

  it.prop(
    "is split into ordered chunks within the limit that contain all sound",
    {
      seconds: Arbitrary.array(intBetween(0, 90), { minLength: 1, maxLength: 12 }),
      max: intBetween(30, 600)
    },
    ({ seconds, max }) => {
      const sound = recording(...seconds);
      const pieces = cutAtSilence(sound, max);
      let before = 0;
      for (const { startSeconds, endSeconds } of pieces) {
        assert.isAtLeast(startSeconds, before);
        assert.isAtMost(endSeconds - startSeconds, max + 0.001);
        before = endSeconds;
      }
      const whole = { startSeconds: 0, endSeconds: sound.levels.length * LEVEL_STEP_SECONDS };
      const kept = pieces.reduce((sum, piece) => sum + soundSeconds(sound, piece), 0);
      assert.closeTo(kept, soundSeconds(sound, whole), 0.2 * (pieces.length + 1));
    }
  );
});

describe("the output of a speech model", () => {
  const sound = recording(10, 20, 10);

  it("is dropped during silence, and kept where there is a word", () => {
    const heard = [said("Hello.", 0, 12), said("Thanks for watching!", 12, 28), said("Bye", 29.8, 30.2)];
    assert.deepStrictEqual(wordsOf(spokenSegments(sound, heard)), ["Hello.", "Bye"]);
    // The times of a short one may be off by a little; a long one with a tenth of a second of sound was invented.
    const beside = [said("Thank you so much.", 26, 30.1), said("Bye", 29.4, 29.9)];
    assert.deepStrictEqual(wordsOf(spokenSegments(sound, beside)), ["Bye"]);
  });

  it("appears once if the model loops, and twice if people say it twice", () => {
    const round = [1, 2, 3, 4].flatMap((turn) => [
      said("So.", turn * 2, turn * 2 + 1),
      said("Anyway.", turn * 2 + 1, turn * 2 + 2)
    ]);
    assert.deepStrictEqual(wordsOf(spokenSegments(sound, round)), ["So.", "Anyway."]);
    const twice = [said("Yes.", 1, 2), said("Yes!", 2, 3), said("Well.", 3, 4)];
    assert.deepStrictEqual(wordsOf(spokenSegments(sound, twice)), ["Yes.", "Yes!", "Well."]);
    const within = [said(`It is ${"very very ".repeat(20)}good`, 1, 9)];
    assert.deepStrictEqual(wordsOf(spokenSegments(sound, within)), ["It is very good"]);
    const phrase = [said(`${"and then we go, ".repeat(6)}home`, 1, 9)];
    assert.deepStrictEqual(wordsOf(spokenSegments(sound, phrase)), ["and then we go, home"]);
    const verse = ["One.", "Two.", "Three.", "Four.", "Five."];
    const song = [...verse, ...verse, ...verse].map((line, at) => said(line, at / 2, at / 2 + 0.5));
    assert.lengthOf(spokenSegments(sound, song), 15);
    const natural = [said("No, no, no, that is it", 1, 4)];
    assert.deepStrictEqual(spokenSegments(sound, natural), natural);
  });

  it("is ordered by time and cleaned, without pieces that are only punctuation", () => {
    const heard = [
      said(" Then\u200b this.\n", 5, 6),
      said("First.", 1, 2),
      said("First.", 1, 2.2),
      said("♪", 7, 9)
    ];
    assert.deepStrictEqual(wordsOf(spokenSegments(sound, heard)), ["First.", "Then this."]);
  });
});

describe("what models write where nobody speaks", () => {
  it("is dropped: names of sounds, and outros stretched over sound", () => {
    const sound = recording(60);
    const heard = [
      said("[Music]", 0, 5),
      said("(upbeat music) ♪♪", 5, 9),
      said("*applause*", 9, 12),
      said("Thank you for watching!", 12, 40.9),
      said("Untertitel der Amara.org-Community", 41, 59)
    ];
    assert.deepStrictEqual(spokenSegments(sound, heard), []);
  });

  it("is kept where it was said: in two seconds, or as a part of a sentence", () => {
    const sound = recording(60);
    const heard = [
      said("Thank you for watching!", 0, 1.8),
      said("I thank you for watching my children.", 10, 28),
      said("He said [laughs] no.", 30, 33)
    ];
    assert.deepStrictEqual(wordsOf(spokenSegments(sound, heard)), wordsOf(heard));
  });
});

describe("a recognised recording", () => {
  const plain = { removedCount: 0, isSure: false };

  it("is doubtful with few words for its sound, or if most was removed", () => {
    const sound = recording(60);
    const few = [said("Only these six words were said.", 0, 4)];
    const many = [said(Array.from({ length: 30 }, (_, index) => `word${index}`).join(" "), 0, 60)];
    assert.deepStrictEqual(withDoubts(sound, { ...plain, segments: few }), { segments: few, isUnsure: true });
    assert.isFalse(withDoubts(sound, { ...plain, segments: many }).isUnsure);
    assert.isTrue(withDoubts(sound, { ...plain, segments: many, removedCount: 2 }).isUnsure);
    assert.isFalse(withDoubts(recording(0, 60), { ...plain, segments: [] }).isUnsure);
  });

  it("has a word in any script", () => {
    const segments = [said("今日は天気がとても良いので散歩に行きましょう。", 0, 10)];
    assert.isFalse(withDoubts(recording(30), { ...plain, segments }).isUnsure);
  });

  it("with a word or two in a minute of noise has nobody speaking, unless the model was sure", () => {
    const segments = [said("if", 30, 31)];
    const noise = recording(30);
    assert.deepStrictEqual(withDoubts(noise, { ...plain, segments }), { segments: [], isUnsure: true });
    assert.deepStrictEqual(withDoubts(noise, { ...plain, segments, isSure: true }).segments, segments);
    assert.deepStrictEqual(withDoubts(recording(10), { ...plain, segments }).segments, segments);
    const three = [said("if you will", 30, 31)];
    assert.deepStrictEqual(withDoubts(recording(90), { ...plain, segments: three }).segments, three);
  });
});
