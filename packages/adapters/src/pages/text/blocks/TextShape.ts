/** Counts the characters of each kind in a text, in one pass. */
import { isSecondHalf, kindAt, LETTER_UPPER, NUMBER, SIGN, WHITE_SPACE } from "../../tree/CharacterKinds.ts";

export interface TextShape {
  /** Pieces separated by white space, including empty ones at both ends. */
  readonly pieces: number;
  readonly sentenceEnds: number;
  readonly commas: number;
  readonly lineEnds: number;
  readonly upperLetters: number;
  readonly numbers: number;
  /** Neither letters nor numbers nor white space. */
  readonly signs: number;
}

export const textShape = (text: string): TextShape => {
  const shape = {
    pieces: 1,
    sentenceEnds: 0,
    commas: 0,
    lineEnds: 0,
    upperLetters: 0,
    numbers: 0,
    signs: 0
  };
  let wasWhite = false;
  for (let at = 0; at < text.length; at += 1) {
    if (isSecondHalf(text, at)) continue;
    const kind = kindAt(text, at);
    if (kind === WHITE_SPACE) {
      if (!wasWhite) shape.pieces += 1;
      if (text[at] === "\n") shape.lineEnds += 1;
    } else if (kind === SIGN) {
      shape.signs += 1;
      const sign = text[at] as string;
      if (sign === ",") shape.commas += 1;
      else if (".!?。".includes(sign)) shape.sentenceEnds += 1;
    } else if (kind === LETTER_UPPER) shape.upperLetters += 1;
    else if (kind === NUMBER) shape.numbers += 1;
    wasWhite = kind === WHITE_SPACE;
  }
  return shape;
};

const AMOUNT = /^(?:(?:about|ca\.?) )?[\d¼-¾⅐-⅞][\d¼-¾⅐-⅞.,/⁄ –-]*(?:\s?\p{L}{1,12}\.?)?$/u;

/** A number, perhaps with its unit. */
export const isAmount = (text: string): boolean => AMOUNT.test(text.trim());
