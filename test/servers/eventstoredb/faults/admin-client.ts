import type { ChildProcess } from 'node:child_process';
import type { AdminRequest, AdminResponse } from './admin.js';
import type { AppendFault, FaultSettings } from './faults.js';

type Order = AdminRequest extends infer Request
  ? Request extends { readonly number: number }
    ? Omit<Request, 'number'>
    : never
  : never;

/** Tells a test server, which is a child of this process, to misbehave; each resolves once it does. */
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

  /** Changes some settings; those that are not named stay. */
  async change(settings: Partial<FaultSettings>): Promise<void> {
    await this.#tell({ do: 'change', settings });
  }

  /** What shall happen to the next appends, after those that were ordered before. */
  async failAppends(
    fault: AppendFault,
    { times = 1, chance = 1 }: { readonly times?: number; readonly chance?: number } = {},
  ): Promise<void> {
    await this.#tell({ do: 'fail-appends', rule: { fault, times, chance } });
  }

  /** Back to how the server was started. */
  async clear(): Promise<void> {
    await this.#tell({ do: 'clear' });
  }

  /** Every connection is reset: calls and subscriptions on them fail. */
  async resetConnections(): Promise<void> {
    await this.#tell({ do: 'reset-connections' });
  }

  /** Every subscription is thrown out as one whose consumer is too slow. */
  async dropSubscriptions(): Promise<void> {
    await this.#tell({ do: 'drop-subscriptions' });
  }

  /** How many are open. */
  async connections(): Promise<number> {
    return (await this.#tell({ do: 'count-connections' })) ?? 0;
  }

  /** Resolves once so many events of the server's own are written. */
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
