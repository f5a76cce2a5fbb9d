/**
 * Readability's method applied to regions: paragraphs give points to the elements around them, fewer with
 * distance, and the element with the most points, reduced by links, is the article.
 */
import { isLandmark, isSuspected } from "../../tree/NoiseRules.ts";
import type { Block, PageBlocks, Region } from "./Blocks.ts";

const PARAGRAPH_CHARS_MIN = 25;
const LEVELS = 5;
const FAR = 30;

export class ContentScores {
  private readonly points = new Map<Region, number>();
  private readonly scores = new Map<Region, number>();
  private top: Region | null = null;
  private topScore = 0;

  constructor({ blocks }: PageBlocks) {
    for (const block of blocks) this.give(block);
    for (const region of this.points.keys()) {
      const score = this.scoreOf(region);
      if (score > this.topScore) [this.top, this.topScore] = [region, score];
    }
  }

  private give({ box, chars, linkChars, text }: Block): void {
    if (chars < PARAGRAPH_CHARS_MIN || linkChars > 0.6 * chars) return;
    const score = 1 + (text.match(/[,，、]/g)?.length ?? 0) + Math.min(3, chars / 100);
    let region = box.parent;
    for (let level = 0; level < LEVELS && region !== null; level += 1) {
      const share = level === 0 ? 1 : level === 1 ? 0.5 : 1 / (3 * level);
      this.points.set(region, (this.points.get(region) ?? 0) + score * share);
      region = region.parent;
    }
  }

  private scoreOf(region: Region): number {
    const known = this.scores.get(region);
    if (known !== undefined) return known;
    const { chars, element, linkChars } = region;
    const bonus = isLandmark(element) ? 25 : isSuspected(element, region.depth) ? -25 : 0;
    const score = ((this.points.get(region) ?? 0) + bonus) * (1 - linkChars / Math.max(1, chars));
    this.scores.set(region, score);
    return score;
  }

  /** Distance to the article; best score around the block and that of its parent, as shares; the score. */
  of({ box }: Block): ReadonlyArray<number> {
    let steps = 0;
    let best = 0;
    let distance = FAR;
    for (let region: Region | null = box; region !== null; region = region.parent) {
      if (region === this.top) distance = steps;
      if (region !== box) best = Math.max(best, this.scoreOf(region));
      steps += 1;
    }
    const whole = Math.max(1, this.topScore);
    return [
      distance,
      best / whole,
      box.parent === null ? 0 : this.scoreOf(box.parent) / whole,
      this.topScore,
      this.top?.depth ?? 0
    ];
  }
}
