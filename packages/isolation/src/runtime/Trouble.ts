/** What is wrong with an operator's setting, and what to do: apart in reports, one sentence in logs. Tests: UpstreamProxy.test.ts. */
export interface Trouble {
  /** To follow its name: "refuses connections". */
  readonly problem: string;
  /** "check that it runs and listens on this port"; null if the problem says it. */
  readonly remedy: string | null;
}

/** "refuses connections: check that it runs and listens on this port" */
export const troubleText = ({ problem, remedy }: Trouble): string =>
  remedy === null ? problem : `${problem}: ${remedy}`;
