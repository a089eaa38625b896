import { LRUCache } from 'lru-cache';

/** What one interview may spend on a model: enough for an hour of questions, too little to be worth an attack. */
export interface Budget {
  readonly calls: number;
  readonly tokens: number;
}

export const BUDGET: Budget = { calls: 120, tokens: 400_000 };

/** Interviews that one process remembers; the one longest untouched starts anew. */
const REMEMBERED = 10_000;

/** What each interview has spent, in this process's memory: after a move or a restart an interview starts anew. */
export class Budgets {
  readonly #spent = new LRUCache<string, Budget>({ max: REMEMBERED });

  constructor(private readonly budget: Budget) {}

  /** Takes one call out of the interview's budget. False: it is exhausted, and the model is not to be asked. */
  call(trialSessionId: string): boolean {
    const spent = this.#of(trialSessionId);
    if (spent.calls >= this.budget.calls || spent.tokens >= this.budget.tokens) return false;
    this.#spent.set(trialSessionId, { ...spent, calls: spent.calls + 1 });
    return true;
  }

  /** Books what a call has cost. */
  used(trialSessionId: string, tokens: number): void {
    const spent = this.#of(trialSessionId);
    this.#spent.set(trialSessionId, { ...spent, tokens: spent.tokens + tokens });
  }

  #of(trialSessionId: string): Budget {
    return this.#spent.get(trialSessionId) ?? { calls: 0, tokens: 0 };
  }
}
