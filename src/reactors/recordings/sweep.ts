import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/errors.js';
import { streamName } from '../../core/stream-name.js';
import { reasonOf } from '../../engine/errors.js';
import { type EngineLog, Troubles } from '../../engine/log.js';
import type { WriteSide } from '../../process/stores.js';
import type { TrialEvent } from '../../domain/session/events.js';
import type { AudioOf } from '../../vault/port.js';
import { VaultUnavailable } from '../../core/vault/port.js';
import { isNeeded, recordedTurns } from '../../api/recordings/recorded-turns.js';

const HOUR_MS = 3_600_000;
/** After a sweep that did not come to its end, in milliseconds. */
const AGAIN_MS = 60_000;

export interface AudioSweepOptions {
  readonly stores: Pick<WriteSide, 'vault' | 'streams'>;
  readonly log: EngineLog;
  /** From the end of one sweep to the next, in milliseconds; an hour unless said. */
  readonly everyMs?: number;
}

/**
 * Discards audio that nobody needs any more, at once and every hour: whoever closes a turn discards what it does not
 * keep, but may be killed before it does. Any number of processes may sweep at once.
 */
export const startAudioSweep = ({
  stores,
  log,
  everyMs = HOUR_MS,
}: AudioSweepOptions): { stop(): Promise<void> } => {
  const sweep = new AudioSweep(stores, new Troubles(log));
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const done = await sweep.run(signal);
      const pause = done ? everyMs : Math.min(everyMs, AGAIN_MS);
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

class AudioSweep {
  /** Sessions that have ended and keep what they have for good: not looked at again. */
  private readonly settled = new Set<string>();

  constructor(
    private readonly stores: AudioSweepOptions['stores'],
    private readonly troubles: Troubles,
  ) {}

  /** @returns whether it came to its end without trouble */
  async run(signal: AbortSignal): Promise<boolean> {
    const failures: unknown[] = [];
    try {
      for await (const of of this.stores.vault.audio.sessions()) {
        if (signal.aborted) return true;
        if (this.settled.has(of.trialSessionId)) continue;
        await this.tidy(of).catch((error: unknown) => {
          // A store that is away is so for every session; whatever else it is holds up no other session.
          if (isAway(error)) throw error;
          failures.push(error);
        });
      }
    } catch (error) {
      failures.unshift(error);
    }
    if (failures.length === 0) {
      this.troubles.over('sweep');
      return true;
    }
    const message = 'Audio that nobody needs any more could not be discarded; it is tried again.';
    this.troubles.warn('sweep', { reason: reasonOf(failures[0]) }, message);
    return false;
  }

  private async tidy(of: AudioOf): Promise<void> {
    const { vault, streams } = this.stores;
    const turns = await vault.audio.turns(of);
    const erased = (await vault.keys.get(of.person))?.kind === 'erased';
    const events = erased ? [] : streams.each<TrialEvent>(streamName('trial', of.trialSessionId));
    const recorded = await recordedTurns(events);
    // Audio comes after its session's first event: without any, the log may have been restored from further back.
    if (!erased && !recorded.begun) return;
    for (const turn of turns.keys())
      if (erased || !isNeeded(recorded, turn)) await vault.audio.discard(of, turn);
    if (recorded.ended) this.settled.add(of.trialSessionId);
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof StoreUnavailable || error instanceof VaultUnavailable;
