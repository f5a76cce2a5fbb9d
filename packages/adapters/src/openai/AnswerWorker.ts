/** Entry of a worker thread: schemas to be projected and answers to be read, in; what they are, out. No Effect. */
import { parentPort } from "node:worker_threads";
import { type AnswerTask, answerSchemaOf, readAnswer, readProposed } from "./AnswerReading.ts";
import { mergeAnswers } from "./inputs/mergeAnswers.ts";
import type { Answer } from "./Question.ts";

const resultOf = (task: AnswerTask): object => {
  switch (task._tag) {
    case "Wire":
      return answerSchemaOf(task.asked);
    case "Answer":
      return readAnswer(task.asked, task.written, task.mend);
    case "Proposal":
      return readProposed(task.written);
    case "Merge":
      return mergeAnswers(JSON.parse(task.answers) as ReadonlyArray<Answer>);
  }
};

/** JSON is read several times faster on the other side than a copied object. */
parentPort?.on("message", (task: AnswerTask) => parentPort?.postMessage(JSON.stringify(resultOf(task))));
parentPort?.postMessage("ready");
