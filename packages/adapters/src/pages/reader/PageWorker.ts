/** Entry point of a worker process: one page in, one result out. Does not load Effect, so that it starts fast. */
import { jsonFrame } from "../../programs/worker/Frames.ts";
import { serveTasks } from "../../programs/worker/serveTasks.ts";
import type { PageSource } from "../metadata/PageReading.ts";
import { readBytes } from "./ReadBytes.ts";

serveTasks(async ({ bytes, header }) => jsonFrame(await readBytes(bytes, header as PageSource)));
