/** Entry point of a worker process: one page in, one result out. Does not load Effect, so that it starts fast. */
import { jsonFrame } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import type { PageSource } from "@winnow/pages/facts/PageReading";
import { readBytes } from "@winnow/pages/ReadBytes";

serveTasks(async ({ bytes, header }) => jsonFrame(await readBytes(bytes, header as PageSource)));
