/** One temporary PostgreSQL server for the whole test run. */
import { askBroker, brokerOf } from "../../RunBroker.ts";
import { type RunningPostgres, startPostgres } from "./ThrowAwayPostgres.ts";

const SOCKET_VARIABLE = "WINNOW_TEST_POSTGRES_SOCKET";

type SharedPostgres = Pick<RunningPostgres, "folder" | "port">;

/** The shared server; null if no broker runs. */
export const sharedPostgres = (): Promise<SharedPostgres | null> => askBroker(SOCKET_VARIABLE);

export const setup = brokerOf<SharedPostgres>(SOCKET_VARIABLE, async () => {
  const { folder, port, stop } = await startPostgres();
  return { value: { folder, port }, stop };
});
