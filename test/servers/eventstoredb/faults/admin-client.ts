import type { ChildProcess } from 'node:child_process';
import type { AdminRequest, AdminResponse } from './admin.js';
import type { AppendFault, FaultSettings } from './faults.js';

type Order = AdminRequest extends infer Request
  ? Request extends { readonly number: number }
    ? Omit<Request, 'number'>
    : never
  : never;

/** Sets the faults of a test server that is a child of this process. Each method resolves once they are in effect. */
export class Admin {
  readonly #waiting = new Map<number, (result: number | null) => void>();
  #last = 0;

  constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
  ) {
    child.on('message', (message) => {
      const { number, result } = message as AdminResponse;
      this.#waiting.get(number)?.(result);
      this.#waiting.delete(number);
    });
  }

  /** Changes some settings, and keeps the others. */
  async change(settings: Partial<FaultSettings>): Promise<void> {
    await this.#tell({ do: 'change', settings });
  }

  /** Sets the fault of the next appends, after the faults that were set before. */
  async failAppends(
    fault: AppendFault,
    { times = 1, chance = 1 }: { readonly times?: number; readonly chance?: number } = {},
  ): Promise<void> {
    await this.#tell({ do: 'fail-appends', rule: { fault, times, chance } });
  }

  /** Restores the settings of the server's start. */
  async clear(): Promise<void> {
    await this.#tell({ do: 'clear' });
  }

  /** Resets every connection: its calls and subscriptions fail. */
  async resetConnections(): Promise<void> {
    await this.#tell({ do: 'reset-connections' });
  }

  /** Ends every subscription as if its consumer were too slow. */
  async dropSubscriptions(): Promise<void> {
    await this.#tell({ do: 'drop-subscriptions' });
  }

  /** The number of open connections. */
  async connections(): Promise<number> {
    return (await this.#tell({ do: 'count-connections' })) ?? 0;
  }

  /** Writes so many events of the server's own. */
  async writeSystemEvents(count: number): Promise<void> {
    await this.#tell({ do: 'write-system-events', count });
  }

  #tell(order: Order): Promise<number | null> {
    const number = ++this.#last;
    const answered = new Promise<number | null>((resolve) => this.#waiting.set(number, resolve));
    const gone = this.ended.then(() => {
      throw new Error('The EventStoreDB test server has ended.');
    });
    this.child.send({ number, ...order });
    return Promise.race([answered, gone]);
  }
}
