import { isNeeded, recordedTurns } from '../application/recordings/recorded-turns.js';
import type { PersonId } from '../core/vault/port.js';
import { trial } from '../domain/session/state.js';
import type { Stores } from '../process/stores.js';
import type { AudioOf } from '../vault/port.js';
import { SkippedEntries, type Sweep, sweepPart, type SweptPart } from './sweeps.js';

/** Discards audio that is not kept. The process that closes a turn discards its audio, but may be killed before. */
export class AudioSweep implements Sweep {
  readonly name = 'audio';
  readonly warning = 'Audio that is not kept could not be discarded. The service tries again.';
  /** Ids of sessions that have ended: the rest of their audio is kept until the candidate is erased. */
  private readonly finished = new SkippedEntries();

  constructor(private readonly stores: Pick<Stores, 'vault' | 'streams'>) {}

  part(after: string | null, signal: AbortSignal): Promise<SweptPart> {
    const sessions = this.stores.vault.audio.sessions(after === null ? undefined : parseCursor(after));
    return sweepPart(sessions, cursorOf, (of) => this.sweepSession(of), signal);
  }

  private async sweepSession(of: AudioOf): Promise<void> {
    if (this.finished.has(of.trialSessionId)) return;
    const { vault, streams } = this.stores;
    const turns = await vault.audio.turns(of);
    const erased = (await vault.keys.get(of.person))?.kind === 'erased';
    const events = erased ? [] : streams.each(trial, of.trialSessionId);
    const recorded = await recordedTurns(events);
    // Audio comes after its session's first event. If the log has none, it may have been restored
    // from a backup that is older than the audio.
    if (!erased && !recorded.begun) return;
    for (const turn of turns.keys())
      if (erased || !isNeeded(recorded, turn)) await vault.audio.discard(of, turn);
    if (recorded.ended) this.finished.add(of.trialSessionId);
  }
}

const cursorOf = ({ person, trialSessionId }: AudioOf): string => `${person} ${trialSessionId}`;

const parseCursor = (cursor: string): AudioOf => {
  const [person = '', trialSessionId = ''] = cursor.split(' ');
  return { person: person as PersonId, trialSessionId };
};
