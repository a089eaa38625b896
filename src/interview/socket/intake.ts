export interface IntakeEvents {
  pause(): void;
  /** @param heldMs for how long nothing was read */
  resume(heldMs: number): void;
  /** The client should know that its frames are not read just now, or that they are again. */
  say(state: 'pause' | 'resume'): void;
}

/**
 * Whether a client's frames are read: not while the conversation holds it back, and not while the client itself does
 * not read. It hears of the former once that takes longer than a moment; what it does itself it knows.
 */
export class Intake {
  private isHeld = false;
  private isClogged = false;
  private pausedAt = 0;
  private heldAt = 0;
  private isSaid = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly flowMs: number,
    private readonly events: IntakeEvents,
  ) {}

  get isPaused(): boolean {
    return this.isHeld || this.isClogged;
  }

  /** The conversation takes no more for now. */
  hold(): void {
    if (this.isHeld) return;
    this.heldAt = performance.now();
    this.change(() => (this.isHeld = true));
    // Left to run through short holds, which there may be many of: it looks for itself how long this one is.
    this.timer ??= setTimeout(() => this.look(), this.flowMs);
  }

  release(): void {
    if (!this.isHeld) return;
    this.change(() => (this.isHeld = false));
    if (this.isSaid) this.events.say('resume');
    this.isSaid = false;
  }

  clog(): void {
    this.change(() => (this.isClogged = true));
  }

  unclog(): void {
    this.change(() => (this.isClogged = false));
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private change(set: () => void): void {
    const before = this.isPaused;
    set();
    if (this.isPaused === before) return;
    if (before) this.events.resume(performance.now() - this.pausedAt);
    else {
      this.pausedAt = performance.now();
      this.events.pause();
    }
  }

  private look(): void {
    this.timer = null;
    if (!this.isHeld || this.isSaid) return;
    const left = this.heldAt + this.flowMs - performance.now();
    if (left > 0) {
      this.timer = setTimeout(() => this.look(), Math.ceil(left));
      return;
    }
    this.isSaid = true;
    this.events.say('pause');
  }
}
