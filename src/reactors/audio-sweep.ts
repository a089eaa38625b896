import { Unavailable } from '../core/errors.js';
import { streamName } from '../core/stream-name.js';
import type { Stores } from '../process/stores.js';
import type { TrialEvent } from '../domain/session/events.js';
import type { PersonId } from '../core/vault/port.js';
import type { AudioOf } from '../vault/port.js';
import { isNeeded, recordedTurns } from '../application/recordings/recorded-turns.js';
import type { Sweep, SweptPart } from './sweeps.js';

/** Sessions of a part. */
const PART = 100;

/**
 * Discards audio that is not kept: the process that closes a turn discards its audio, but may be killed before it does.
 */
export class AudioSweep implements Sweep {
  readonly name = 'audio';
  readonly trouble = 'Audio that is not kept could not be discarded. The service tries again.';
  /** Sessions that have ended, so that their remaining audio is kept for good. */
  private readonly tidied = new Set<string>();

  constructor(private readonly stores: Pick<Stores, 'vault' | 'streams'>) {}

  async part(after: string | null, signal: AbortSignal): Promise<SweptPart> {
    let failure: unknown;
    let seen = 0;
    for await (const of of this.stores.vault.audio.sessions(after === null ? undefined : sessionOf(after))) {
      if (!this.tidied.has(of.trialSessionId))
        await this.tidy(of).catch((error: unknown) => {
          // An unavailable store fails for every session. Any other failure must not delay the other sessions.
          if (error instanceof Unavailable) throw error;
          failure ??= error;
        });
      if (++seen === PART || signal.aborted) return { end: `${of.person} ${of.trialSessionId}`, failure };
    }
    return { end: null, failure };
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

const sessionOf = (place: string): AudioOf => {
  const [person = '', trialSessionId = ''] = place.split(' ');
  return { person: person as PersonId, trialSessionId };
};
