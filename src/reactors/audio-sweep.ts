import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../core/errors.js';
import { streamName } from '../core/stream-name.js';
import { reasonOf } from '../engine/errors.js';
import { type EngineLog, Troubles } from '../engine/log.js';
import type { Stores } from '../process/stores.js';
import type { TrialEvent } from '../domain/session/events.js';
import type { AudioOf } from '../vault/port.js';
import { isNeeded, recordedTurns } from '../api/recordings/recorded-turns.js';

const HOUR_MS = 3_600_000;
/** Pause after a sweep that failed, in milliseconds. */
const AGAIN_MS = 60_000;

export interface AudioSweepOptions {
  readonly stores: Pick<Stores, 'vault' | 'streams'>;
  readonly log: EngineLog;
  /** From the end of one sweep to the next, in milliseconds; an hour by default. */
  readonly everyMs?: number;
}

/**
 * Discards audio that is not kept, at once and every hour: the process that closes a turn discards its audio, but may be
 * killed before it does. Any number of processes may sweep at once.
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
  /** Sessions that have ended, so that their remaining audio is kept for good. */
  private readonly tidied = new Set<string>();

  constructor(
    private readonly stores: AudioSweepOptions['stores'],
    private readonly troubles: Troubles,
  ) {}

  /** @returns whether it succeeded for every session */
  async run(signal: AbortSignal): Promise<boolean> {
    const failures: unknown[] = [];
    try {
      for await (const of of this.stores.vault.audio.sessions()) {
        if (signal.aborted) return true;
        if (this.tidied.has(of.trialSessionId)) continue;
        await this.tidy(of).catch((error: unknown) => {
          // An unavailable store fails for every session. Any other failure must not delay the other sessions.
          if (error instanceof Unavailable) throw error;
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
    const message = 'Audio that is not kept could not be discarded. The service tries again.';
    this.troubles.warn('sweep', { reason: reasonOf(failures[0]) }, message);
    return false;
  }

  private async tidy(of: AudioOf): Promise<void> {
    const { vault, streams } = this.stores;
    const turns = await vault.audio.turns(of);
    const erased = (await vault.keys.get(of.person))?.kind === 'erased';
    const events = erased ? [] : streams.each<TrialEvent>(streamName('trial', of.trialSessionId));
    const recorded = await recordedTurns(events);
    // Audio follows its session's first event: a log without that may have been restored from an older backup.
    if (!erased && !recorded.begun) return;
    for (const turn of turns.keys())
      if (erased || !isNeeded(recorded, turn)) await vault.audio.discard(of, turn);
    if (recorded.ended) this.tidied.add(of.trialSessionId);
  }
}
