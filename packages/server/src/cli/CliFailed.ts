/**
 * A command that could not do its work: one sentence on standard error, exit code 1.
 */
import * as CliError from "effect/cli/CliError";
import * as Data from "effect/Data";

export class CliFailed extends Data.TaggedError("CliFailed")<{ readonly message: string }> {
  override get [CliError.userMessage](): string {
    return this.message;
  }
}
