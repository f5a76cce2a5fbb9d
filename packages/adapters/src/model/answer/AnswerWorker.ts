/** Entry point of a worker process: projects schemas and parses answers. Does not use Effect. */
import { jsonFrame, readJson } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import { type Answer, mergeAnswers } from "../inputs/mergeAnswers.ts";
import { type AnswerTask, answerSchemaOf, parseAnswer, parseProposal } from "./AnswerParsing.ts";

const resultOf = (task: AnswerTask): object => {
  switch (task._tag) {
    case "Wire":
      return answerSchemaOf(task.asked);
    case "Answer":
      return parseAnswer(task.asked, task.written, task.coerce);
    case "Proposal":
      return parseProposal(task.written);
    case "Merge":
      return mergeAnswers(JSON.parse(task.answers) as ReadonlyArray<Answer>);
  }
};

serveTasks((task) => jsonFrame(resultOf(readJson(task) as AnswerTask)));
