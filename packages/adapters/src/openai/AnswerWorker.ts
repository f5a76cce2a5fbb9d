/** Worker thread that projects schemas and parses answers. Does not use Effect. */
import { parentPort } from "node:worker_threads";
import { type AnswerTask, answerSchemaOf, parseAnswer, parseProposal } from "./AnswerParsing.ts";
import { mergeAnswers } from "./inputs/mergeAnswers.ts";
import type { Answer } from "./Question.ts";

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

/** Parsing JSON in the other thread is several times faster than copying an object. */
parentPort?.on("message", (task: AnswerTask) => parentPort?.postMessage(JSON.stringify(resultOf(task))));
parentPort?.postMessage("ready");
