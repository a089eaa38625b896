import { pendingErasures } from '../../projections/pending-erasures.js';
import type { CommandContexts } from '../core/command-context.js';
import type { CommandStreams } from '../core/handle.js';
import type { Found } from '../engine/reads.js';
import type { DocumentOf } from '../engine/view.js';
import type { PersonId } from '../core/vault/port.js';
import type { Vault } from '../vault/port.js';
import { carryOn, NAME } from '../api/applications/carry-on.js';

/** What carries erasures on needs. */
export interface ErasingStores {
  readonly streams: CommandStreams;
  readonly vault: Pick<Vault, 'keys'>;
}

/**
 * Carries every erasure on that whoever recorded it has not carried on to its end: to the key, where they were stopped
 * before it was destroyed, then to the sessions, applications and evaluations of the candidate.
 */
export const eraseCandidates = ({ streams, vault }: ErasingStores, contexts: CommandContexts) => ({
  name: NAME,
  view: pendingErasures,
  index: 'byRequest',
  act: async ({ id, document }: Found<DocumentOf<typeof pendingErasures>>): Promise<void> => {
    if (!document.requested) return;
    await vault.keys.erase(id as PersonId);
    await carryOn(streams, contexts, id);
  },
});
