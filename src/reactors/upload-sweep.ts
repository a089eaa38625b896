import { isReference, similarIn } from '../application/hand-ins/similar-hand-in.js';
import { isOfFingerprints } from '../application/hand-ins/work-comparison.js';
import { organisationOfLogo } from '../application/organisations/logos.js';
import { fileSetsEverNamed } from '../application/tickets/file-sets.js';
import { timeOfId } from '../core/random.js';
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
import { SkippedEntries, type Sweep, sweepPart, type SweptPart } from './sweeps.js';

/** A hand-in of an open session is late if it has not arrived this long after it was begun. */
const LATE_AFTER_MS = DAY_MS;

/** Time after a deadline until no request that began in time can complete an upload, in milliseconds. */
const MARGIN_MS = HOUR_MS;

/**
 * A logo that no event names is kept this long after its upload: the log may have been restored from an older backup, and
 * be replaced by a newer one. After that, the command that stored it has failed or ended without a known outcome.
 */
const UNNAMED_LOGO_MS = 30 * DAY_MS;

/** A hand-in by its events in the log. */
interface KnownHandIn {
  readonly begunAt: string;
  /** Its announced size. */
  readonly bytes: number;
  readonly handedIn: boolean;
  /** Whether it was refused for good and cannot be sent again. */
  readonly refused: boolean;
  /** When its session ended; `null`: it has not. */
  readonly endedAt: string | null;
}

/** `kept`: until its owner is erased. `open`: not decided yet; the next sweep decides again. */
type Fate = 'kept' | 'open' | 'discarded';

const ENDS: ReadonlySet<string> = new Set(END_TYPES);

/**
 * Discards files that are not needed: of hand-ins that were begun and not completed, of file sets that their ticket
 * never named, of logos that were replaced or never named, and of erased owners, if they have reappeared. Any other file
 * that is not in the log stays, since the log may have been restored from an older backup.
 */
export class UploadSweep implements Sweep {
  readonly name = 'uploads';
  readonly warning = 'Uploads that are not needed could not be discarded. The service tries again.';
  /** Cursors of files that are kept until the erasure of their owner, which removes them itself. */
  private readonly kept = new SkippedEntries();
  /** Bytes of late hand-ins in the vault at the former sweep, by cursor. */
  private readonly sizes = new Map<string, number>();
  /** The hand-ins of the former file's owner. Files are ordered by owner, so that each owner's are read once. */
  private former: { readonly person: PersonId; readonly handIns: Promise<HandInsById> } | null = null;

  constructor(
    private readonly stores: Pick<Stores, 'vault' | 'streams'>,
    private readonly timekeeper: Timekeeper,
  ) {}

  async part(after: string | null, signal: AbortSignal): Promise<SweptPart> {
    const now = await this.timekeeper.nowIfTrusted('erase');
    this.former = null;
    const files = this.stores.vault.files.files(after === null ? undefined : parseCursor(after));
    return sweepPart(files, cursorOf, (of) => this.sweepFile(of, now), signal);
  }

  /** @param now `null`: the clock may be wrong, so that nothing is discarded because of the time */
  private async sweepFile(of: FileOf, now: Date | null): Promise<void> {
    if (this.kept.has(cursorOf(of))) return;
    const { vault } = this.stores;
    const erased = (await vault.keys.get(of.person))?.kind === 'erased';
    const fate = erased ? 'discarded' : await this.fateOf(of, now);
    if (fate !== 'open') this.sizes.delete(cursorOf(of));
    if (fate === 'kept') this.kept.add(cursorOf(of));
    if (fate === 'discarded') await vault.files.discard(of);
  }

  private async fateOf(of: FileOf, now: Date | null): Promise<Fate> {
    if (isOfFingerprints(of)) return 'kept';
    // The file names a similar hand-in of another candidate: it is discarded once that candidate is erased.
    if (isReference(of)) return (await similarIn(this.stores.vault, of)) ? 'open' : 'discarded';
    const organisationId = organisationOfLogo(of);
    if (organisationId !== null) return this.fateOfLogo(organisationId, of, now);
    let set: FileSetState = fileSet.initial;
    for await (const event of this.stores.streams.each(fileSet, of.fileId)) set = fileSet.evolve(set, event);
    if (set) return this.fateOfSet(set, of, now);
    const handIn = (await this.handInsOf(of.person)).get(of.fileId);
    return handIn ? this.fateOfHandIn(handIn, of, now) : 'open';
  }

  /** The current logo stays `open`, since it may be replaced. */
  private async fateOfLogo(organisationId: string, { person }: FileOf, now: Date | null): Promise<Fate> {
    let [isInLog, wasShown, isShown] = [false, false, false];
    for await (const { type, data } of this.stores.streams.each(organisation, organisationId)) {
      isInLog = true;
      if (type === 'organisation.logo_changed') {
        isShown = data.logo?.id === person;
        wasShown ||= isShown;
      }
    }
    if (wasShown) return isShown ? 'open' : 'discarded';
    const uploadedAt = timeOfId(person);
    const isOld = now && uploadedAt !== null && uploadedAt < before(now, UNNAMED_LOGO_MS).getTime();
    return isInLog && isOld ? 'discarded' : 'open';
  }

  private async fateOfSet(set: UploadedFileSet, of: FileOf, now: Date | null): Promise<Fate> {
    // The set of that id belongs to another ticket, so the log does not name this file.
    if (set.ticketId !== of.person) return 'open';
    if ((await fileSetsEverNamed(this.stores.streams, set.ticketId)).has(set.fileSetId)) return 'kept';
    return now && isLapsed(set, before(now, MARGIN_MS)) ? 'discarded' : 'open';
  }

  private async fateOfHandIn(handIn: KnownHandIn, of: FileOf, now: Date | null): Promise<Fate> {
    const { begunAt, bytes, handedIn, refused, endedAt } = handIn;
    if (handedIn) return 'kept';
    if (refused) return 'discarded';
    if (now === null) return 'open';
    if (endedAt !== null) return isBefore(endedAt, now, MARGIN_MS) ? 'discarded' : 'open';
    if (!isBefore(begunAt, now, LATE_AFTER_MS)) return 'open';
    const sizeBefore = this.sizes.get(cursorOf(of));
    const size = await this.stores.vault.files.size(of);
    this.sizes.set(cursorOf(of), size);
    // A complete file may be handed in at this moment, and one that grows is being sent.
    return size < bytes && size === sizeBefore ? 'discarded' : 'open';
  }

  private handInsOf(person: PersonId): Promise<HandInsById> {
    if (this.former?.person !== person) this.former = { person, handIns: this.readHandIns(person) };
    return this.former.handIns;
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
    // Hand-ins that end after the session are recorded in the evaluation's stream.
    if (evaluationId !== null && arrived.size + refused.size < begun.size)
      for await (const { type, data } of streams.each(evaluationDecider, evaluationId)) {
        if (type === 'evaluation.work_handed_in') arrived.add(data.handInId);
        if (type === 'evaluation.work_refused') refused.add(data.handInId);
      }
    return new Map(
      [...begun].map(([id, one]) => {
        const outcome = { handedIn: arrived.has(id), refused: refused.has(id) };
        return [id, { ...one, ...outcome, endedAt }] as const;
      }),
    );
  }
}

type HandInsById = ReadonlyMap<string, KnownHandIn>;

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/** Whether a time is at least so many milliseconds before now. */
const isBefore = (time: string, now: Date, ms: number): boolean =>
  Date.parse(time) <= before(now, ms).getTime();

const cursorOf = ({ person, fileId }: FileOf): string => `${person} ${fileId}`;

const parseCursor = (cursor: string): FileOf => {
  const [person = '', fileId = ''] = cursor.split(' ');
  return { person: person as PersonId, fileId };
};
