/** Entry point of a worker process: owns a schema from its text to checked answers. Does not use Effect. */
import { jsonFrame, readJson } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import { type Answer, mergeAnswers } from "../inputs/mergeAnswers.ts";
import {
  answerSchemaOf,
  checkedAnswer,
  parseProposal,
  readAnswer,
  type RequestedSchema,
  type WrittenText
} from "./AnswerParsing.ts";

export type AnswerTask =
  | { readonly _tag: "Wire"; readonly asked: RequestedSchema }
  | {
      readonly _tag: "Answer";
      readonly asked: RequestedSchema;
      readonly written: WrittenText;
      readonly faultsMax: number;
    }
  | { readonly _tag: "Proposal"; readonly written: WrittenText }
  /** The answers of the sections of one content. */
  | { readonly _tag: "Merge"; readonly answers: ReadonlyArray<Answer> }
  | { readonly _tag: "Check"; readonly schema: string; readonly answer: Answer; readonly faultsMax: number };

const resultOf = (task: AnswerTask): object => {
  switch (task._tag) {
    case "Wire":
      return answerSchemaOf(task.asked);
    case "Answer":
      return readAnswer(task.asked, task.written, task.faultsMax);
    case "Proposal":
      return parseProposal(task.written);
    case "Merge":
      return mergeAnswers(task.answers);
    case "Check":
      return checkedAnswer(task.schema, task.answer, task.faultsMax);
  }
};

serveTasks((task) => jsonFrame(resultOf(readJson(task) as AnswerTask)));
