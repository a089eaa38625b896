import pMap from 'p-map';
import { handIns } from '../../../projections/hand-ins.js';
import { Slices } from '../../core/concurrency.js';
import { isRefused } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { CommandStreams } from '../../core/handle.js';
import type { KeyedHasher } from '../../core/keyed-hash.js';
import { BrokenSeal, MissingKey, PersonErased, type PersonId } from '../../core/vault/port.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import type { SimilarWork } from '../../domain/evaluation/events.js';
import { withLateWork } from '../../domain/evaluation/late-work.js';
import type { TrialCompleted } from '../../domain/session/events.js';
import type { HandIns } from '../../domain/session/hand-ins.js';
import { trial } from '../../domain/session/state.js';
import { allOf, type Found, type ViewReader } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import { type CopyRule, isCopied } from '../../scoring/integrity/work-findings.js';
import { currentRuleSet } from '../../scoring/rule-sets.js';
import type { FileOf, Vault } from '../../vault/port.js';
import { fingerprints, JobExceeded } from '../../work/in-worker.js';
import { HAND_IN_LIMITS } from '../../work/limits.js';
import { StoredFingerprints } from '../../work/stored-fingerprints.js';
import type { FileSets } from '../tickets/file-sets.js';
import type { Uploads } from '../uploads/uploads.js';
import { type HandInOf, keepSimilar, type OtherHandIn } from './similar-hand-in.js';

const END = '-fingerprints';

/** Whether a file has the fingerprints of a hand-in. */
export const isOfFingerprints = ({ fileId }: FileOf): boolean => fileId.endsWith(END);

/** Fingerprints that are read at the same time. */
const AT_ONCE = 10;

/** Work that may be compared. */
interface Comparable extends OtherHandIn, HandInOf {
  readonly organisationId: string;
  readonly ticketId: string;
  /** As it was recorded. */
  readonly work: DocumentOf<typeof handIns>['work'];
}

/** What two pieces of work have in common. */
interface Similarity extends Omit<SimilarWork, 'handInId'> {
  readonly other: Comparable;
}

/**
 * Compares hand-ins with those of other candidates for the same ticket, by fingerprints without the starter. Those of a
 * hand-in are made once, when they are first needed, and stored beside it in the vault, under the same key: the erasure
 * of its candidate destroys them. If they are lost, they are made again.
 */
export class WorkComparison {
  /** In progress, by hand-in: generations that begin together make none twice. */
  private readonly making = new Map<string, Promise<StoredFingerprints | null>>();

  constructor(
    private readonly stores: {
      readonly streams: CommandStreams;
      readonly reader: Pick<ViewReader, 'page' | 'waitFor'>;
      readonly vault: Pick<Vault, 'keys' | 'files'>;
      readonly hasher: KeyedHasher;
    },
    private readonly uploads: Pick<Uploads, 'tree'>,
    private readonly sets: Pick<FileSets, 'starter'>,
  ) {}

  /**
   * Compares the last hand-in of each ticket of a completed session, if the session's notice said that it would be. Of
   * two candidates, the one who completes later is compared with all that the other handed in before.
   * @returns for each hand-in the most that it has in common with one other hand-in, if anything
   * @throws {VaultUnavailable | StoreUnavailable | ReadModelBehind} it cannot be compared now
   * @throws the signal's reason
   */
  async similarWork(completed: Stored<TrialCompleted>, signal: AbortSignal): Promise<readonly SimilarWork[]> {
    const rule = currentRuleSet.integrity.copied_from_other_hand_in;
    const { trialSessionId, evaluationId } = completed.data;
    const { state } = await this.stores.streams.read(trial, trialSessionId);
    if (rule === undefined || !state?.comparesWork || state.handIns.all.length === 0) return [];
    const { state: evaluation, position } = await this.stores.streams.read(evaluationDecider, evaluationId);
    // The view must show what arrived before the completion, and late.
    const last = position > completed.position ? position : completed.position;
    await this.stores.reader.waitFor([handIns], last);
    const similar: SimilarWork[] = [];
    for (const own of await this.ownLast(trialSessionId, withLateWork(state.handIns, evaluation.late))) {
      const found = await this.mostSimilar(own, rule, signal);
      await keepSimilar(this.stores.vault, own, found && isCopied(found, rule) ? found.other : null);
      if (found === null) continue;
      const { shared, fingerprints, otherFingerprints } = found;
      similar.push({ handInId: own.handInId, shared, fingerprints, otherFingerprints });
    }
    return similar;
  }

  /**
   * The last compared hand-in of each ticket of the session, by the events: processes' clocks differ, so the times of two
   * hand-ins can be in the other order.
   */
  private async ownLast(trialSessionId: string, { last }: HandIns): Promise<readonly Comparable[]> {
    const ids = new Set(last.values());
    const own: Comparable[] = [];
    const outlines = { index: 'bySession', prefix: [trialSessionId], outlined: true };
    for await (const one of allOf(this.stores.reader, handIns, outlines))
      if (ids.has(one.id) && one.document.compared) own.push(comparableOf(one));
    return own;
  }

  private async mostSimilar(
    own: Comparable,
    rule: CopyRule,
    signal: AbortSignal,
  ): Promise<Similarity | null> {
    const mine = await this.fingerprintsOf(own);
    if (mine === null || mine.size < rule.minimumFingerprints) return null;
    const others = (await this.lastOf(own.ticketId)).filter(
      ({ person, organisationId }) => person !== own.person && organisationId === own.organisationId,
    );
    const slices = new Slices();
    const found = await pMap(
      others,
      async (other): Promise<Similarity | null> => {
        signal.throwIfAborted();
        const theirs = await this.fingerprintsOf(other);
        await slices.next();
        if (theirs === null || theirs.size < rule.minimumFingerprints) return null;
        const shared = mine.sharedWith(theirs);
        return { shared, fingerprints: mine.size, otherFingerprints: theirs.size, other };
      },
      { concurrency: AT_ONCE },
    );
    return found.reduce((most, one) => (one && isMore(one, most) ? one : most), null);
  }

  /** The last compared hand-in of each session for the ticket, by the time at which it arrived. */
  private async lastOf(ticketId: string): Promise<readonly Comparable[]> {
    const last = new Map<string, Comparable>();
    const outlines = { index: 'byComparedTicket', prefix: [ticketId], outlined: true };
    // In the order in which they arrived.
    for await (const one of allOf(this.stores.reader, handIns, outlines))
      last.set(one.document.trialSessionId, comparableOf(one));
    return [...last.values()];
  }

  /** @returns `null`: they cannot be made, for a reason of this hand-in alone: others are compared without it */
  private async fingerprintsOf(handIn: Comparable): Promise<StoredFingerprints | null> {
    const { handInId } = handIn;
    try {
      const stored = await this.stored(handIn);
      if (stored) return stored;
      const making =
        this.making.get(handInId) ?? this.make(handIn).finally(() => this.making.delete(handInId));
      this.making.set(handInId, making);
      return await making;
    } catch (error) {
      const isItsOwn = [PersonErased, MissingKey, BrokenSeal, JobExceeded].some(
        (kind) => error instanceof kind,
      );
      if (isItsOwn) return null;
      throw error;
    }
  }

  private async stored(handIn: Comparable): Promise<StoredFingerprints | null> {
    const { files } = this.stores.vault;
    const file = fingerprintsAt(handIn);
    // `buffer` of Node would take as long again, and there are many hand-ins.
    const pieces: Buffer[] = [];
    for await (const piece of files.read(file)) pieces.push(piece);
    const read = StoredFingerprints.read(Buffer.concat(pieces));
    // By what was read, not by the present size: another process may have stored them since.
    if (read === null && pieces.length > 0) await files.discard(file);
    return read;
  }

  private async make(handIn: Comparable): Promise<StoredFingerprints | null> {
    const { person, handInId, organisationId, ticketId, work } = handIn;
    const name = await this.nameOf(handIn);
    if (work === null || name === null) return null;
    const tree = await this.uploads.tree({ person, fileId: handInId }, { ...work, name }, HAND_IN_LIMITS);
    if (isRefused(tree)) return null;
    const starter = await this.sets.starter(ticketId, work.ticketVersion);
    // The key is the ticket's: the same work for another ticket has other fingerprints.
    const key = Buffer.from(this.stores.hasher.hmac('work fingerprints', organisationId, ticketId), 'hex');
    const made = StoredFingerprints.from(await fingerprints(tree, starter, key));
    // Another process may have stored the same.
    await this.stores.vault.files.append(fingerprintsAt(handIn), 0, made.bytes);
    return made;
  }

  /** What its candidate calls it; `null`: it can no longer be read. */
  private async nameOf({ trialSessionId, handInId }: Comparable): Promise<string | null> {
    const session = { index: 'bySession', prefix: [trialSessionId] };
    for await (const { id, document } of allOf(this.stores.reader, handIns, session))
      if (id === handInId) return document.personal?.name ?? null;
    return null;
  }
}

const fingerprintsAt = ({ person, handInId }: HandInOf): FileOf => ({
  person,
  fileId: `${handInId}${END}`,
});

const comparableOf = ({ id, document }: Found<DocumentOf<typeof handIns>>): Comparable => {
  const { organisationId, trialSessionId, ticketId, candidateId, work } = document;
  return {
    ...{ handInId: id, organisationId, trialSessionId, ticketId, work },
    person: candidateId as PersonId,
  };
};

/** Whether two hand-ins share a larger part of the smaller of them; if the parts are equal, whether they share more. */
const isMore = (one: Similarity, most: Similarity | null): boolean => {
  if (one.shared === 0) return false;
  if (most === null) return true;
  const part = one.shared * smallerOf(most) - most.shared * smallerOf(one);
  return part > 0 || (part === 0 && one.shared > most.shared);
};

const smallerOf = ({ fingerprints, otherFingerprints }: Omit<Similarity, 'other'>): number =>
  Math.min(fingerprints, otherFingerprints);
