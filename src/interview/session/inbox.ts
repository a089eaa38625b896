type Task = () => void | Promise<void>;

/** Beyond so many waiting tasks the client is held back, below so many it goes on. */
const HOLD_AT = 128;
const RELEASE_AT = 32;

/** What a connection brings, done one after the other; what needs no waiting is done at once. */
export class Inbox {
  private readonly tasks: Task[] = [];
  private working = false;
  private held = false;

  constructor(
    private readonly line: { pause(): void; resume(): void },
    private readonly onFault: (error: unknown) => void,
  ) {}

  get isIdle(): boolean {
    return !this.working;
  }

  add(task: Task): void {
    this.tasks.push(task);
    if (!this.held && this.tasks.length > HOLD_AT) {
      this.held = true;
      this.line.pause();
    }
    if (!this.working) void this.work();
  }

  clear(): void {
    this.tasks.length = 0;
  }

  private async work(): Promise<void> {
    this.working = true;
    for (let task = this.tasks.shift(); task; task = this.tasks.shift()) {
      try {
        const done = task();
        if (done) await done;
      } catch (error) {
        this.onFault(error);
      }
      if (this.held && this.tasks.length < RELEASE_AT) {
        this.held = false;
        this.line.resume();
      }
    }
    this.working = false;
  }
}
