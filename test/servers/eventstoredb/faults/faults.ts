import { setTimeout as sleep } from 'node:timers/promises';
import { consumerTooSlow } from '../streams/rpc-errors.js';
import type { Patience } from '../streams/subscribe.js';

/** The server's faults. Each can be changed while it runs. */
export interface FaultSettings {
  /** Every call is refused with UNAVAILABLE. */
  readonly unavailable: boolean;
  /** Every call is refused with PERMISSION_DENIED. */
  readonly accessDenied: boolean;
  /** Calls that require the leader are sent to this other node. */
  readonly leader: { readonly host: string; readonly port: number } | null;
  /** Calls are accepted but not answered until this is cleared; pings of the connection are answered. */
  readonly silent: boolean;
  /** Delay before each call is handled, in milliseconds. */
  readonly delayMs: number;
  /** How long a write stays uncommitted, invisible to readers, in milliseconds. */
  readonly commitMs: number;
  /** From when on a live subscription's consumer counts as too slow. */
  readonly patience: Patience;
  /** A subscription to the whole log begins so many records before the requested place. */
  readonly repeat: number;
  /** Subscriptions stay open and deliver nothing. */
  readonly muted: boolean;
  /** Reads of the whole log do not see the last so many records, as at a deposed leader. */
  readonly stale: number;
  /** The server writes an event of its own after so many appends; 0 for never. */
  readonly systemEventEvery: number;
}

/**
 * What happens to an append whose writer does not learn its outcome: whether it is stored, and how the call ends: the
 * connection is reset, there is no answer, a timeout, or a conflict with the revision that the append expected.
 */
export type AppendFault = `${'stored' | 'lost'}-${'reset' | 'silent' | 'timeout' | 'stale'}`;

export interface AppendFaultRule {
  readonly fault: AppendFault;
  /** To how many appends it may still happen. */
  readonly times: number;
  /** The probability that it happens to one of them, 0 to 1. */
  readonly chance: number;
}

const SOUND: FaultSettings = {
  unavailable: false,
  accessDenied: false,
  leader: null,
  silent: false,
  delayMs: 0,
  commitMs: 0,
  patience: { behind: 32, milliseconds: 200 },
  repeat: 0,
  muted: false,
  stale: 0,
  systemEventEvery: 20,
};

export class Faults {
  #settings: FaultSettings;
  #rules: AppendFaultRule[] = [];
  readonly #subscriptions = new Set<() => void>();

  constructor(settings: Partial<FaultSettings> = {}) {
    this.#settings = { ...SOUND, ...settings };
  }

  get settings(): FaultSettings {
    return this.#settings;
  }

  change(settings: Partial<FaultSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  failAppends(rule: AppendFaultRule): void {
    this.#rules.push(rule);
  }

  /** Restores the settings of the server's start, and removes every other fault. */
  clear(settings: Partial<FaultSettings>): void {
    this.#settings = { ...SOUND, ...settings };
    this.#rules = [];
  }

  /** The fault of the next append. */
  nextAppend(): AppendFault | null {
    const rule = this.#rules[0];
    if (!rule || Math.random() >= rule.chance) return null;
    if (rule.times <= 1) this.#rules.shift();
    else this.#rules[0] = { ...rule, times: rule.times - 1 };
    return rule.fault;
  }

  /** Ends every subscription as if its consumer were too slow. */
  dropSubscriptions(): void {
    for (const drop of this.#subscriptions) drop();
  }

  /** Rejects once subscriptions are dropped. */
  dropped(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const drop = (): void => reject(consumerTooSlow());
      this.#subscriptions.add(drop);
      signal.addEventListener('abort', () => this.#subscriptions.delete(drop), { once: true });
    });
  }

  /** Resolves once a call may be handled. */
  async admit(): Promise<void> {
    if (this.#settings.delayMs > 0) await sleep(this.#settings.delayMs);
    while (this.#settings.silent) await sleep(10);
  }
}
