/** Entry point of a worker process: owns a schema from its text to checked answers. Does not use Effect. Tests: LightWorkers.test.ts. */
import { jsonFrame, jsonOf } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import { mergeAnswers } from "../inputs/mergeAnswers.ts";
import { answerSchemaOf, checkedAnswer, parseProposal, readAnswer } from "./AnswerParsing.ts";

const FUNCTIONS = { answerSchemaOf, readAnswer, checkedAnswer, mergeAnswers, parseProposal };

export type AnswerFunctions = typeof FUNCTIONS;

export interface AnswerCall {
  readonly name: keyof AnswerFunctions;
  /** Its arguments. */
  readonly given: ReadonlyArray<unknown>;
}

serveTasks((task) => {
  const { name, given } = jsonOf(task) as AnswerCall;
  const asked = FUNCTIONS[name] as (...given: ReadonlyArray<unknown>) => object;
  return jsonFrame(asked(...given));
});
