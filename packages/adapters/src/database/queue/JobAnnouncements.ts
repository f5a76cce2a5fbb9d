/**
 * Wakes a worker when a job is waiting: an idle slot in this process if there is one, else one slot in each of the
 * other processes. A slot that gets a job wakes the next one, so that one slot more is polling than there are jobs.
 * No slot polls if the last poll found nothing and no job has been announced since.
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { DatabaseChannel } from "../store/DatabaseChannel.ts";

const TOPIC = "jobs";

/** Room for one job in this process. */
export interface JobSlot {
  /** Ends the wait of an idle slot; null while the slot polls or has a job. */
  wake: (() => void) | null;
  /** Whether it has a job. */
  busy: boolean;
}

export class JobAnnouncements {
  private readonly slots = new Set<JobSlot>();
  private readonly channel: DatabaseChannel["Service"];
  private readonly scope: Scope.Scope;
  /** Announcements so far; 1 at the start, for jobs from before this process. */
  private announcedCount = 1;
  /** The number of these that were made before a poll that found nothing. */
  private exhaustedCount = 0;

  constructor(channel: DatabaseChannel["Service"], scope: Scope.Scope) {
    this.channel = channel;
    this.scope = scope;
  }

  add(slot: JobSlot): void {
    this.slots.add(slot);
  }

  remove(slot: JobSlot): void {
    this.slots.delete(slot);
    slot.wake?.();
  }

  /** Waits until there may be a job, or the slot is removed. */
  awaitJob(slot: JobSlot): Effect.Effect<void> {
    return Effect.callback((resume) => {
      if (this.mayHaveJobs || !this.slots.has(slot)) return resume(Effect.void);
      slot.wake = () => {
        slot.wake = null;
        resume(Effect.void);
      };
    });
  }

  /** Read when a poll begins, and passed to {@link pollFoundNothing} if it finds no job. */
  get position(): number {
    return this.announcedCount;
  }

  /** A poll that began at `position` found no job. */
  pollFoundNothing(position: number): void {
    this.exhaustedCount = Math.max(this.exhaustedCount, position);
  }

  /** After a job was found: there may be another one. */
  wakeNext(): void {
    if (this.mayHaveJobs) this.idleSlot()?.wake?.();
  }

  readonly wake: Effect.Effect<void> = Effect.sync(() => void this.wakeOne());

  /** To be run after the job is committed. */
  readonly announce: Effect.Effect<void> = Effect.suspend(() =>
    this.wakeOne() ? Effect.void : this.channel.send(TOPIC, "")
  );

  /** For a job that may start only after the delay. */
  announceLater(delaySeconds: number): Effect.Effect<void> {
    return Effect.asVoid(Effect.forkIn(Effect.delay(this.announce, delaySeconds * 1_000), this.scope));
  }

  /** Receives announcements of other processes until the scope closes. */
  readonly listen: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() =>
    this.channel.listen(TOPIC, () => this.wake)
  );

  private get mayHaveJobs(): boolean {
    return this.announcedCount > this.exhaustedCount;
  }

  private idleSlot(): JobSlot | undefined {
    return [...this.slots].find(({ wake }) => wake !== null);
  }

  /** False if every slot of this process has a job. */
  private wakeOne(): boolean {
    this.announcedCount += 1;
    this.idleSlot()?.wake?.();
    return [...this.slots].some(({ busy }) => !busy);
  }
}
