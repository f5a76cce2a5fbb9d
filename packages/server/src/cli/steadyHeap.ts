/**
 * How much garbage a server lets pile up. What a run leaves behind lives just long enough to reach the old generation,
 * and V8 collects that one the later the faster it fills: the process would be anything from its live heap to several
 * times as large, and keep the room. A fixed share makes it as large after ten thousand runs as after a thousand.
 */
import { setFlagsFromString } from "node:v8";

/** Of what is alive after a collection; the next one comes when so much has been added. */
const GROWTH_PERCENT = 40;

/** Of the whole process, its worker threads too. */
export const keepHeapSteady = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
