import { isReference, similarIn } from '../application/hand-ins/similar-hand-in.js';
import { isOfFingerprints } from '../application/hand-ins/work-comparison.js';
import { organisationOfLogo } from '../application/organisations/logos.js';
import { everNamed } from '../application/tickets/file-sets.js';
import { DAY_MS, HOUR_MS } from '../core/timestamp.js';
import type { PersonId } from '../core/vault/port.js';
import { candidate } from '../domain/candidate/decider.js';
import { evaluationDecider } from '../domain/evaluation/decider.js';
import { organisation } from '../domain/organisation/decider.js';
import { END_TYPES } from '../domain/session/lifecycle.js';
import { trial } from '../domain/session/state.js';
import { fileSet, type FileSetState, isLapsed, type UploadedFileSet } from '../domain/ticket/file-set.js';
import type { Timekeeper } from '../engine/trusted-clock.js';
import type { Stores } from '../process/stores.js';
import type { FileOf } from '../vault/port.js';
import { type Sweep, sweepPart, type SweptPart } from './sweeps.js';

/** From when it was begun, in a session that goes on. */
const ARRIVES_WITHIN_MS = DAY_MS;

/** Longer than a hand-in may go on after its session's end, and than a request takes that had begun in time. */
const MARGIN_MS = HOUR_MS;

/** A hand-in as the log knows it. */
interface KnownHandIn {
  readonly begunAt: string;
  /** As announced. */
  readonly bytes: number;
  readonly handedIn: boolean;
  /** For good. */
  readonly refused: boolean;
  /** When its session ended; `null`: it goes on. */
  readonly endedAt: string | null;
}

/**
 * `kept`: for good. `open`: it may still be needed. `given up`: nobody can need it any more.
 */
type Fate = 'kept' | 'open' | 'given up';

const ENDS: ReadonlySet<string> = new Set(END_TYPES);

/**
 * Discards uploads that were begun and not completed, file sets that their ticket never named, and logos that were
 * replaced. A file that the log
 * does not know stays: the log may have been restored from an older backup.
 */
export class UploadSweep implements Sweep {
  readonly name = 'uploads';
  readonly warning = 'Uploads that nobody needs could not be discarded. The service tries again.';
  private readonly kept = new Set<string>();
  /** How much of hand-ins that are late had arrived at the sweep before. */
  private readonly sizes = new Map<string, number>();
  /** Files come by owner: the hand-ins of the last one are read once. */
  private last: { readonly person: PersonId; readonly handIns: Promise<HandInsById> } | null = null;

  constructor(
    private readonly stores: Pick<Stores, 'vault' | 'streams'>,
    private readonly timekeeper: Timekeeper,
  ) {}

  async part(after: string | null, signal: AbortSignal): Promise<SweptPart> {
    const now = await this.timekeeper.now('erase');
    this.last = null;
    const files = this.stores.vault.files.files(after === null ? undefined : fileAt(after));
    return sweepPart(files, placeOf, (of) => this.tidy(of, now), signal);
  }

  /** @param now `null`: the clock may be wrong, so nothing is discarded because of the time */
  private async tidy(of: FileOf, now: Date | null): Promise<void> {
    if (this.kept.has(placeOf(of))) return;
    const { vault } = this.stores;
    const erased = (await vault.keys.get(of.person))?.kind === 'erased';
    const fate = erased ? 'given up' : await this.fateOf(of, now);
    if (fate !== 'open') this.sizes.delete(placeOf(of));
    if (fate === 'kept') this.kept.add(placeOf(of));
    if (fate === 'given up') await vault.files.discard(of);
  }

  private async fateOf(of: FileOf, now: Date | null): Promise<Fate> {
    if (isOfFingerprints(of)) return 'kept';
    // What it names may be erased at any time.
    if (isReference(of)) return (await similarIn(this.stores.vault, of)) ? 'open' : 'given up';
    const organisationId = organisationOfLogo(of);
    if (organisationId !== null) return this.fateOfLogo(organisationId, of);
    let set: FileSetState = fileSet.initial;
    for await (const event of this.stores.streams.each(fileSet, of.fileId)) set = fileSet.evolve(set, event);
    if (set) return this.fateOfSet(set, of, now);
    const handIn = (await this.handInsOf(of.person)).get(of.fileId);
    return handIn ? this.fateOfHandIn(handIn, of, now) : 'open';
  }

  /** One that the organisation has is not kept for good: it may be replaced. */
  private async fateOfLogo(organisationId: string, { person }: FileOf): Promise<Fate> {
    let [wasShown, isShown] = [false, false];
    for await (const { type, data } of this.stores.streams.each(organisation, organisationId))
      if (type === 'organisation.logo_changed') {
        isShown = data.logo?.id === person;
        wasShown ||= isShown;
      }
    return wasShown && !isShown ? 'given up' : 'open';
  }

  private async fateOfSet(set: UploadedFileSet, of: FileOf, now: Date | null): Promise<Fate> {
    if (set.ticketId !== of.person) return 'open';
    if ((await everNamed(this.stores.streams, set.ticketId)).has(set.fileSetId)) return 'kept';
    return now && isLapsed(set, before(now, MARGIN_MS)) ? 'given up' : 'open';
  }

  private async fateOfHandIn(handIn: KnownHandIn, of: FileOf, now: Date | null): Promise<Fate> {
    const { begunAt, bytes, handedIn, refused, endedAt } = handIn;
    if (handedIn) return 'kept';
    if (refused) return 'given up';
    if (now === null) return 'open';
    if (endedAt !== null) return isBefore(endedAt, now, MARGIN_MS) ? 'given up' : 'open';
    if (!isBefore(begunAt, now, ARRIVES_WITHIN_MS)) return 'open';
    const former = this.sizes.get(placeOf(of));
    const size = await this.stores.vault.files.size(of);
    this.sizes.set(placeOf(of), size);
    // What has arrived as a whole may be completed at this moment, and what grows is being sent.
    return size < bytes && size === former ? 'given up' : 'open';
  }

  private handInsOf(person: PersonId): Promise<HandInsById> {
    if (this.last?.person !== person) this.last = { person, handIns: this.readHandIns(person) };
    return this.last.handIns;
  }

  private async readHandIns(person: PersonId): Promise<HandInsById> {
    const handIns = new Map<string, KnownHandIn>();
    for await (const { type, data } of this.stores.streams.each(candidate, person))
      if (type === 'candidate.invited')
        for (const [id, handIn] of await this.handInsIn(data.trialSessionId)) handIns.set(id, handIn);
    return handIns;
  }

  private async handInsIn(trialSessionId: string): Promise<HandInsById> {
    const { streams } = this.stores;
    const begun = new Map<string, Pick<KnownHandIn, 'begunAt' | 'bytes'>>();
    const arrived = new Set<string>();
    const refused = new Set<string>();
    let endedAt: string | null = null;
    let evaluationId: string | null = null;
    for await (const { type, data, metadata } of streams.each(trial, trialSessionId)) {
      if (type === 'work.hand_in_begun')
        begun.set(data.handInId, { begunAt: metadata.recordedAt, bytes: data.bytes });
      if (type === 'work.handed_in') arrived.add(data.handInId);
      if (type === 'work.refused') refused.add(data.handInId);
      if (type === 'trial.completed') ({ evaluationId } = data);
      if (ENDS.has(type)) endedAt = metadata.recordedAt;
    }
    // What came after the end is recorded with the evaluation.
    if (evaluationId !== null && arrived.size + refused.size < begun.size)
      for await (const { type, data } of streams.each(evaluationDecider, evaluationId)) {
        if (type === 'evaluation.work_handed_in') arrived.add(data.handInId);
        if (type === 'evaluation.work_refused') refused.add(data.handInId);
      }
    return new Map(
      [...begun].map(([id, one]) => {
        const now = { handedIn: arrived.has(id), refused: refused.has(id) };
        return [id, { ...one, ...now, endedAt }] as const;
      }),
    );
  }
}

type HandInsById = ReadonlyMap<string, KnownHandIn>;

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

const isBefore = (time: string, now: Date, ms: number): boolean =>
  Date.parse(time) <= before(now, ms).getTime();

const placeOf = ({ person, fileId }: FileOf): string => `${person} ${fileId}`;

const fileAt = (place: string): FileOf => {
  const [person = '', fileId = ''] = place.split(' ');
  return { person: person as PersonId, fileId };
};
