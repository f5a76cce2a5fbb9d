/**
 * Tells workers that a job waits: one that is idle in this process, else one in each of the others. Whoever gets a
 * job wakes a next one, so that as many look as there are jobs, and one more. Nobody looks where the last look found
 * nothing and nobody has told of a job since.
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { DatabaseChannel } from "../postgres/DatabaseChannel.ts";

const TOPIC = "jobs";

/** A place for one job. */
export interface Place {
  /** Ends the rest of an idle place; null while it has a job or looks for one. */
  wake: (() => void) | null;
  /** It has a job. */
  busy: boolean;
}

export class Announced {
  private readonly places = new Set<Place>();
  private readonly channel: DatabaseChannel["Service"];
  private readonly scope: Scope.Scope;
  /** How often somebody told of a job; those of before this process counted once. */
  private told = 1;
  /** Of them, those that were told before a look that found nothing. */
  private refuted = 0;

  constructor(channel: DatabaseChannel["Service"], scope: Scope.Scope) {
    this.channel = channel;
    this.scope = scope;
  }

  add(place: Place): void {
    this.places.add(place);
  }

  remove(place: Place): void {
    this.places.delete(place);
    place.wake?.();
  }

  /** Until a job may wait, or the place is removed. */
  rest(place: Place): Effect.Effect<void> {
    return Effect.callback((resume) => {
      if (this.mayWait || !this.places.has(place)) return resume(Effect.void);
      place.wake = () => {
        place.wake = null;
        resume(Effect.void);
      };
    });
  }

  /** For {@link foundNone}, as a look begins. */
  get asOf(): number {
    return this.told;
  }

  /** A look that began with `asOf` found no job. */
  foundNone(asOf: number): void {
    this.refuted = Math.max(this.refuted, asOf);
  }

  /** Another may wait behind the job that was found. */
  passOn(): void {
    if (this.mayWait) this.idle()?.wake?.();
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

  private get mayWait(): boolean {
    return this.told > this.refuted;
  }

  private idle(): Place | undefined {
    return [...this.places].find(({ wake }) => wake !== null);
  }

  /** False when every place of this process is taken. */
  private wakeOne(): boolean {
    this.told += 1;
    this.idle()?.wake?.();
    return [...this.places].some(({ busy }) => !busy);
  }
}
