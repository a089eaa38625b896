import { Inject, Injectable } from '@nestjs/common';
import { handIns } from '../../../projections/hand-ins.js';
import { type OtherHandIn, similarTo } from '../../application/hand-ins/similar-hand-in.js';
import type { Freshness, ListQuery } from '../../application/reads.js';
import { Reads } from '../../application/reads.js';
import { FileSets } from '../../application/tickets/file-sets.js';
import { VAULT } from '../../application/tokens.js';
import { Uploads } from '../../application/uploads/uploads.js';
import { CommandStreams } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { NO_CONTENT } from '../../domain/session/hand-in-decider.js';
import { trial } from '../../domain/session/state.js';
import type { Found, FoundPage } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import { allowed, ApiError, notFound } from '../../http/api-error.js';
import type { Vault } from '../../vault/port.js';
import type { FileDifference } from '../../work/difference.js';
import { difference } from '../../work/in-worker.js';
import { HAND_IN_LIMITS } from '../../work/limits.js';
import type { Tree, TreeFileWithContent } from '../../work/tree.js';
import type { FoundApplication } from '../applications/record.js';
import { assertNotErased, StaffApplications } from '../applications/staff-applications.js';

export type FoundHandIn = Found<DocumentOf<typeof handIns>>;

const noSuchHandIn = (): ApiError => notFound('There is no such hand-in.');

/** What candidates of one organisation handed in, as its staff find and read it. */
@Injectable()
export class StaffHandIns {
  constructor(
    private readonly reads: Reads,
    private readonly staff: StaffApplications,
    private readonly streams: CommandStreams,
    private readonly uploads: Uploads,
    private readonly sets: FileSets,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys' | 'files'>,
  ) {}

  /**
   * The application of a session.
   * @throws {ApiError} `not_found`; `erased`: the candidate was
   */
  async session(
    organisationId: string,
    trialSessionId: string,
    freshness: Freshness,
  ): Promise<FoundApplication> {
    const found = await this.staff.bySession(organisationId, trialSessionId, freshness);
    if (!found) throw notFound('There is no such trial session.');
    await assertNotErased(this.vault, found.document.candidateId);
    return found;
  }

  /** A session's hand-ins, in the order in which they were begun. */
  list(
    { document }: FoundApplication,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<typeof handIns>>> {
    return this.reads.list(handIns, 'bySession', [document.trialSessionId], list, freshness);
  }

  /** @throws {ApiError} `not_found`: the session has no such hand-in */
  async find({ document }: FoundApplication, id: string, freshness: Freshness): Promise<FoundHandIn> {
    const found = await this.reads.get(handIns, id, freshness);
    if (found?.document.trialSessionId !== document.trialSessionId) throw noSuchHandIn();
    return found;
  }

  /**
   * The hand-in of another candidate that the last evaluation found it to be similar to; `null` once that one is erased.
   * @throws {PersonErased | VaultUnavailable}
   */
  similar({ id, document: { candidateId } }: FoundHandIn): Promise<OtherHandIn | null> {
    return similarTo(this.vault, { person: candidateId as PersonId, handInId: id });
  }

  /**
   * One of its files.
   * @throws {ApiError} `not_found`: it has none of that path; as `tree`
   */
  async file(found: FoundHandIn, path: string): Promise<TreeFileWithContent> {
    const known = found.document.personal?.manifest?.some((file) => file.path === path);
    if (known === false) throw notFound('This hand-in has no such file.');
    const { files } = await this.tree(found);
    const file = files.find((one) => one.path === path);
    if (file === undefined) throw notFound('This hand-in has no such file.');
    return file;
  }

  /**
   * How it differs from an earlier one, or from its ticket's starter as the session began with it.
   * @param from `null`: from the starter; without one all of it is added
   * @param path of the one file that is compared; `null`: all are
   * @throws {ApiError} as `tree`
   * @throws {JobExceeded}
   */
  async difference(
    found: FoundHandIn,
    from: FoundHandIn | null,
    path: string | null,
  ): Promise<readonly FileDifference[]> {
    const after = await this.tree(found);
    const before = from === null ? await this.starter(found) : await this.tree(from);
    const part = ({ files }: Tree): Tree => ({
      files: path === null ? files : files.filter((file) => file.path === path),
    });
    return difference(part(before), part(after));
  }

  /** What the ticket began with in this session; without a starter no file. */
  private async starter({ document: { trialSessionId, ticketId } }: FoundHandIn): Promise<Tree> {
    const { state } = await this.streams.read(trial, trialSessionId);
    const version = state?.ticketVersions.get(ticketId) ?? null;
    return (await this.sets.starter(ticketId, version)) ?? { files: [] };
  }

  /**
   * What it unpacks to.
   * @throws {ApiError} `hand_in_incomplete`: it has not arrived; `work_refused`: it can no longer be unpacked
   * @throws {PersonErased | VaultUnavailable}
   * @throws {StoreUnavailable} too many others are unpacked
   */
  private async tree({ id, document }: FoundHandIn): Promise<Tree> {
    const { candidateId, personal, work } = document;
    if (work === null || personal === null) return allowed<Tree>(NO_CONTENT);
    const file = { person: candidateId as PersonId, fileId: id };
    return allowed(await this.uploads.tree(file, { ...work, name: personal.name }, HAND_IN_LIMITS));
  }
}
