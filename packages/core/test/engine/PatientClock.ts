/**
 * A TestClock that waits for whatever it woke, however slow the machine is. The one that tests have by default
 * waits a second of real time and goes on without it: a stall would move what happens when, and would put
 * warnings among the lines that a test looks at.
 */
import * as TestClock from "effect/testing/TestClock";

export const patientClock = () => TestClock.layer({ warningDelay: "1 hour" });
