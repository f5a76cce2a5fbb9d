/** A reporter for output that is no terminal: one line a minute. Failures are told by the one beside it. */
import type { Reporter, TestModule } from "vitest/node";

const LINE_EVERY_MS = 60_000;

export default class Progress implements Reporter {
  private total = 0;
  private ended = 0;
  private tests = 0;
  private startedAtMs = 0;
  private saidAtMs = 0;

  onTestRunStart(specifications: ReadonlyArray<unknown>): void {
    this.total = specifications.length;
    this.startedAtMs = this.saidAtMs = performance.now();
  }

  onTestModuleEnd({ children }: TestModule): void {
    this.ended += 1;
    this.tests += [...children.allTests()].length;
    const nowMs = performance.now();
    if (nowMs - this.saidAtMs < LINE_EVERY_MS) return;
    this.saidAtMs = nowMs;
    const minutes = Math.round((nowMs - this.startedAtMs) / LINE_EVERY_MS);
    console.log(`${minutes} min: ${this.ended} of ${this.total} files, ${this.tests} tests`);
  }
}
