/**
 * A TestClock that waits until everything it woke has settled, on any machine. The default one waits a second of real
 * time and then continues: a stall would change the order of events and add warnings to the log that a test reads.
 */
import * as TestClock from "effect/testing/TestClock";

export const patientClock = () => TestClock.layer({ warningDelay: "1 hour" });
