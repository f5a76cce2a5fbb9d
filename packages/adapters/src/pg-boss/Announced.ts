/**
 * Tells workers that a job waits: one that is idle in this process, else one in each of the others. Whoever gets a
 * job wakes a next one, so that as many look as there are jobs, and one more.
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { DatabaseChannel } from "../postgres/DatabaseChannel.ts";

const TOPIC = "jobs";

/** A place for one job. */
export interface Place {
  /** Looks for a job now. */
  readonly wake: () => void;
  busy: boolean;
}

export class Announced {
  private readonly places = new Set<Place>();
  private readonly channel: DatabaseChannel["Service"];
  private readonly scope: Scope.Scope;

  constructor(channel: DatabaseChannel["Service"], scope: Scope.Scope) {
    this.channel = channel;
    this.scope = scope;
  }

  add(place: Place): void {
    this.places.add(place);
  }

  remove(place: Place): void {
    this.places.delete(place);
  }

  /** False when every place of this process is taken. */
  wakeOne(): boolean {
    const idle = [...this.places].find(({ busy }) => !busy);
    idle?.wake();
    return idle !== undefined;
  }

  readonly wake: Effect.Effect<void> = Effect.sync(() => void this.wakeOne());

  /** After the commit of the job. */
  readonly tell: Effect.Effect<void> = Effect.suspend(() =>
    this.wakeOne() ? Effect.void : this.channel.send(TOPIC, "")
  );

  /** Once the job may be taken up. */
  later(delaySeconds: number): Effect.Effect<void> {
    return Effect.asVoid(Effect.forkIn(Effect.delay(this.tell, delaySeconds * 1_000), this.scope));
  }

  readonly hear: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() =>
    this.channel.listen(TOPIC, () => this.wake)
  );
}
