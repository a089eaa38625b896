import { isRefused } from '../../core/decider.js';
import type { CommandStreams } from '../../core/handle.js';
import { BrokenSeal } from '../../core/vault/port.js';
import type { ShownWork } from '../../domain/evaluation/events.js';
import { type LateWork, withLateWork } from '../../domain/evaluation/late-work.js';
import { type HandIn, handInById } from '../../domain/session/hand-ins.js';
import { trial, type Trial } from '../../domain/session/state.js';
import {
  shownChanges,
  SHOWN_WORK_CHARACTERS,
  sizeOfChanges,
  UNREADABLE_WORK,
  WITHHELD_WORK,
} from '../../scoring/model/shown-work.js';
import { difference } from '../../work/in-worker.js';
import { HAND_IN_LIMITS } from '../../work/limits.js';
import type { Tree } from '../../work/tree.js';
import type { FileSets } from '../tickets/file-sets.js';
import { isFinal, notUnpackedNow, type Uploads } from '../uploads/uploads.js';

const EMPTY: Tree = { files: [] };

/**
 * The differences between the hand-ins of a session and their tickets' starters, as a model that scores is shown them.
 */
export class HandInChanges {
  constructor(
    private readonly streams: Pick<CommandStreams, 'read' | 'each'>,
    private readonly uploads: Pick<Uploads, 'tree'>,
    private readonly sets: Pick<FileSets, 'starter'>,
  ) {}

  /**
   * What the model is shown of the last hand-in of each ticket; a note alone if the candidate's notice did not say that a
   * model is shown it. One hand-in is in memory at a time. Called by the reactor that makes an evaluation's generation.
   * @param late what arrived after the session's completion
   * @throws {PersonErased | VaultUnavailable | StoreUnavailable | JobExceeded} a hand-in cannot be read now
   * @throws the signal's reason
   */
  async shownWork(
    trialSessionId: string,
    late: LateWork,
    signal: AbortSignal,
  ): Promise<readonly ShownWork[]> {
    const { state: session } = await this.streams.read(trial, trialSessionId);
    if (session === null) return [];
    const handIns = withLateWork(session.handIns, late);
    const last = [...handIns.last.values()].flatMap((id) => handInById(handIns, id) ?? []);
    if (!session.modelReadsWork) return last.map(({ handInId }) => ({ handInId, ...WITHHELD_WORK }));
    // Smallest first: the room that a small hand-in leaves goes to the larger ones.
    const bySize = last.sort((one, other) => one.bytes - other.bytes);
    const work: ShownWork[] = [];
    let room = SHOWN_WORK_CHARACTERS;
    for (const [index, handIn] of bySize.entries()) {
      signal.throwIfAborted();
      const changes = await this.changesOf(session, handIn, Math.floor(room / (bySize.length - index)));
      room -= sizeOfChanges(changes);
      work.push({ handInId: handIn.handInId, ...changes });
    }
    return work;
  }

  /** @param room how many characters the changes may have together */
  private async changesOf(
    { candidateId, ticketVersions }: Trial,
    { handInId, ticketId, name, treeSha256 }: HandIn,
    room: number,
  ): Promise<Omit<ShownWork, 'handInId'>> {
    if (name === null || treeSha256 === null) return UNREADABLE_WORK;
    try {
      const recorded = { name, treeSha256 };
      const file = { person: candidateId, fileId: handInId };
      const after = await this.uploads.tree(file, recorded, HAND_IN_LIMITS);
      if (isRefused(after)) {
        if (isFinal(after)) return UNREADABLE_WORK;
        throw notUnpackedNow();
      }
      const version = ticketVersions.get(ticketId) ?? null;
      const before = (await this.sets.starter(ticketId, version)) ?? EMPTY;
      return shownChanges(await difference(before, after), room);
    } catch (error) {
      // The stored file is damaged for good: the evaluation is made without it.
      if (error instanceof BrokenSeal) return UNREADABLE_WORK;
      throw error;
    }
  }
}
