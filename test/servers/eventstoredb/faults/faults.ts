import { setTimeout as sleep } from 'node:timers/promises';
import { consumerTooSlow } from '../streams/rpc-errors.js';
import type { Patience } from '../streams/subscribe.js';

/** How the server misbehaves; each of it can be changed while it runs. */
export interface FaultSettings {
  /** Every call is refused with UNAVAILABLE. */
  readonly unavailable: boolean;
  /** Every call is refused as one that this user may not make. */
  readonly accessDenied: boolean;
  /** Calls that require the leader are sent to this other node. */
  readonly leader: { readonly host: string; readonly port: number } | null;
  /** Calls are accepted and not answered until it is taken back; the connection's pings are answered. */
  readonly silent: boolean;
  /** Before each call is looked at, in milliseconds. */
  readonly delayMs: number;
  /** How long what is written stays uncommitted, seen by no reader, in milliseconds. */
  readonly commitMs: number;
  /** When a live subscription's consumer is too slow. */
  readonly patience: Patience;
  /** A subscription to the whole log begins so many records before the place that it was asked for. */
  readonly repeat: number;
  /** Subscriptions stay open and hand over nothing. */
  readonly muted: boolean;
  /** Reads of the whole log see so many records fewer than there are, as at a leader that was deposed. */
  readonly stale: number;
  /** The server writes an event of its own after so many appends; 0 for never. */
  readonly systemEventEvery: number;
}

/**
 * What happens to an append whose writer shall not learn its outcome: whether it is stored, and whether then the
 * connection is reset, or nothing is answered, or a timeout, or a conflict that names the very place it was sent to.
 */
export type AppendFault = `${'stored' | 'lost'}-${'reset' | 'silent' | 'timeout' | 'stale'}`;

export interface AppendFaultRule {
  readonly fault: AppendFault;
  /** How many appends it may still happen to. */
  readonly times: number;
  /** How likely it happens to one of them, 0 to 1. */
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

  /** Back to how the server started: every fault is taken back. */
  clear(settings: Partial<FaultSettings>): void {
    this.#settings = { ...SOUND, ...settings };
    this.#rules = [];
  }

  /** What shall happen to the next append. */
  nextAppend(): AppendFault | null {
    const rule = this.#rules[0];
    if (!rule || Math.random() >= rule.chance) return null;
    if (rule.times <= 1) this.#rules.shift();
    else this.#rules[0] = { ...rule, times: rule.times - 1 };
    return rule.fault;
  }

  /** Every subscription ends as if its consumer were too slow. */
  dropSubscriptions(): void {
    for (const drop of this.#subscriptions) drop();
  }

  /** Rejects when subscriptions are dropped. */
  dropped(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const drop = (): void => reject(consumerTooSlow());
      this.#subscriptions.add(drop);
      signal.addEventListener('abort', () => this.#subscriptions.delete(drop), { once: true });
    });
  }

  /** Resolves when a call may be looked at. */
  async admit(): Promise<void> {
    if (this.#settings.delayMs > 0) await sleep(this.#settings.delayMs);
    while (this.#settings.silent) await sleep(10);
  }
}
