import type { PlaneClock } from "./clock.ts";

const SECOND = 1000;

/** Idle timers in seconds, 0 is off. */
export interface Idle {
  suspendAfter: number;
  hibernateAfter: number;
}

/** What a timer does to its machine; each is called when the timer is due, in whatever state the machine then is. */
export interface TimerTargets {
  suspend(): void;
  hibernate(): void;
  destroy(): void;
}

/**
 * The timers of one machine. Idle timers count from the last inbound network traffic, not from commands: a machine that is reached only
 * through exec looks idle. The delete timer is an absolute wall time and runs on while the machine is suspended or stopped.
 */
export class MachineTimers {
  readonly idle: Idle = { suspendAfter: 0, hibernateAfter: 14_400 };
  deleteAt: Date | null = null;
  /** of the create call; seconds, 0 is off */
  autoDestroy = 0;
  /** what the delete timer was last set to; a fork begins with it anew */
  deleteAfterSeconds = 0;
  private readonly clock: PlaneClock;
  private readonly targets: TimerTargets;
  private lastInbound: number;
  private autoDestroyFrom: number | null = null;
  private cancels: (() => void)[] = [];

  constructor(clock: PlaneClock, targets: TimerTargets) {
    this.clock = clock;
    this.targets = targets;
    this.lastInbound = clock.wallNow();
    this.arm();
  }

  /** Traffic from outside, or a boot or wake: the idle timers start again. */
  touch(): void {
    this.lastInbound = this.clock.wallNow();
    this.arm();
  }

  set(change: Partial<Idle>): void {
    Object.assign(this.idle, change);
    this.touch();
  }

  /** 0 takes the timer away. */
  deleteAfter(seconds: number): Date | null {
    this.deleteAfterSeconds = seconds;
    this.deleteAt = seconds === 0 ? null : new Date(this.clock.wallNow() + seconds * SECOND);
    this.arm();
    return this.deleteAt;
  }

  /** The timer of the create call: from the last inbound traffic, or from now. */
  destroyAfter(seconds: number, idle: boolean): void {
    this.autoDestroy = seconds;
    this.autoDestroyFrom = idle ? null : this.clock.wallNow();
    this.arm();
  }

  cancel(): void {
    for (const cancel of this.cancels) cancel();
    this.cancels = [];
  }

  private arm(): void {
    this.cancel();
    const idleAfter = (seconds: number, fire: () => void, from = this.lastInbound): void => {
      if (seconds > 0) this.cancels.push(this.clock.at(from + seconds * SECOND, fire));
    };
    idleAfter(this.idle.suspendAfter, this.targets.suspend);
    idleAfter(this.idle.hibernateAfter, this.targets.hibernate);
    idleAfter(this.autoDestroy, this.targets.destroy, this.autoDestroyFrom ?? this.lastInbound);
    if (this.deleteAt !== null) this.cancels.push(this.clock.at(this.deleteAt.getTime(), this.targets.destroy));
  }
}
