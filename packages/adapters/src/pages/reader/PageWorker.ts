/** Entry point of a worker process: one page in, one result out. Does not load Effect, so that it starts fast. */
import { jsonFrame } from "../../programs/process/Frames.ts";
import { serveTasks } from "../../programs/process/serveTasks.ts";
import type { PageSource } from "../metadata/PageReading.ts";
import { readBytes } from "./ReadBytes.ts";

serveTasks(async ({ bytes, header }) => jsonFrame(await readBytes(bytes, header as PageSource)));
