import { Inject, Injectable } from '@nestjs/common';
import {
  APPLICATION_STATUSES,
  applications,
  type ApplicationStatus,
  OUTCOME_STATUSES,
  type OutcomeStatus,
  searchedName,
} from '../../../projections/applications.js';
import { CandidateDirectory } from '../../application/applications/directory.js';
import { type Freshness, type ListPart, type ListQuery, narrowedTo, Reads } from '../../application/reads.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { Sort } from '../../http/list-query.js';
import { countsOf, dueWithin, type TimeRange, within } from '../../http/list-range.js';
import { isEmailAddress } from '../../http/validation/formats.js';
import type { ApplicationRecord } from './record.js';
import { StaffApplications } from './staff-applications.js';

/**
 * What a list of applications is narrowed to. `null` in `roleId`, `candidateId`, `status`, `outcome` or `text`: the list
 * is not narrowed by it.
 */
export interface ApplicationFilter {
  readonly roleId: string | null;
  readonly candidateId: string | null;
  readonly status: ApplicationStatus | null;
  readonly outcome: OutcomeStatus | null;
  /** When they were invited. */
  readonly invited: TimeRange;
  /** The candidate's whole address, or how the role's name begins. It is an address if it has the form of one. */
  readonly text: string | null;
}

/**
 * What an application may wait for. `outcome`: it is completed, and none is recorded. `expiring`: it is open, with at most
 * `EXPIRING_DAYS` left. `accommodation`: it is open, and one was asked for that nothing was granted for since. `erasure`:
 * the candidate asked for it.
 */
export const WAITING_APPLICATIONS = ['outcome', 'expiring', 'accommodation', 'erasure'] as const;

export type WaitingApplication = (typeof WAITING_APPLICATIONS)[number];

/** Days before its expiry from which an open application is listed as expiring. */
export const EXPIRING_DAYS = 3;

/**
 * The orders that a filter allows; the first is the default. A page is one stretch of one index: names with a beginning
 * are a stretch only in the order of names, a range of time only in the order of time. A candidate's few applications
 * are indexed by time alone.
 */
export const applicationOrders = ({
  candidateId,
  text,
  invited: { from, to },
}: Pick<ApplicationFilter, 'candidateId' | 'text' | 'invited'>): readonly [
  ApplicationOrder,
  ...ApplicationOrder[],
] => {
  if (candidateId !== null) return ['invitedAt'];
  if (text !== null) return isEmailAddress(text) ? ['invitedAt'] : ['roleName'];
  return from === null && to === null ? ['invitedAt', 'roleName'] : ['invitedAt'];
};

export type ApplicationOrder = 'invitedAt' | 'roleName';

/** The part of an organisation’s applications that a request asks for. */
export type SelectedApplications =
  | { readonly waiting: WaitingApplication; readonly roleId: string | null }
  | { readonly waiting: null; readonly filter: ApplicationFilter; readonly sort: Sort<ApplicationOrder> };

/** Applications that were chosen one by one. */
export interface ChosenApplications {
  readonly ids: readonly string[];
}

/** A page of applications' records. `nextCursor` is `null` on the last page. */
export interface ApplicationPage {
  readonly items: readonly ApplicationRecord[];
  readonly nextCursor: string | null;
}

/** How many applications of an organisation there are, or of one role. */
export interface ApplicationCounts {
  readonly status: Readonly<Record<ApplicationStatus, number>>;
  readonly outcome: Readonly<Record<OutcomeStatus, number>>;
  readonly waiting: Readonly<Record<WaitingApplication, number>>;
}

/** Lists of an organisation's applications, each a stretch of an index. */
@Injectable()
export class ApplicationLists {
  constructor(
    private readonly reads: Reads,
    private readonly staff: StaffApplications,
    @Inject(CandidateDirectory) private readonly directory: Pick<CandidateDirectory, 'find'>,
  ) {}

  /** A page of what a request asks for; what was chosen is one page. */
  selected(
    organisationId: string,
    selected: SelectedApplications | ChosenApplications,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<ApplicationPage> {
    if ('ids' in selected) return this.chosen(organisationId, selected, freshness);
    return selected.waiting === null
      ? this.page(organisationId, selected.filter, selected.sort, list, freshness)
      : this.waiting(organisationId, selected.roleId, selected.waiting, list, freshness);
  }

  /** The chosen applications that are the organisation’s, in the order in which they were chosen. */
  private async chosen(
    organisationId: string,
    { ids }: ChosenApplications,
    freshness: Freshness,
  ): Promise<ApplicationPage> {
    const found = await this.reads.getMany(applications, ids, freshness);
    const own = ids
      .flatMap((id) => found.get(id) ?? [])
      .filter(({ document }) => document.organisationId === organisationId);
    return { items: await this.staff.records(own, freshness), nextCursor: null };
  }

  /**
   * A page of the applications of a filter. It may have fewer items than the limit.
   * @param sort one of `applicationOrders` of the filter
   */
  async page(
    organisationId: string,
    filter: ApplicationFilter,
    sort: Sort<ApplicationOrder>,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<ApplicationPage> {
    const part = await this.part(organisationId, filter, sort);
    if (part === null) return { items: [], nextCursor: null };
    const { items, nextCursor } = await this.shown(part, list, freshness);
    // A candidate belongs to one organisation: if it is another one, the answer is as for an unknown candidate.
    if (items.some((one) => one.organisationId !== organisationId)) return { items: [], nextCursor: null };
    // A record shows an erasure before the index does: leave out records that no longer have the requested status.
    const wanted = filter.outcome === null ? filter.status : 'completed';
    return { items: items.filter(({ status }) => wanted === null || status === wanted), nextCursor };
  }

  /** Waiting applications, the longest wait first; expiring ones, the earliest expiry first. */
  async waiting(
    organisationId: string,
    roleId: string | null,
    what: WaitingApplication,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<ApplicationPage> {
    const { items, nextCursor } = await this.shown(
      waitingPart(organisationId, roleId, what),
      list,
      freshness,
    );
    return { items: items.filter(({ status }) => status !== 'erased'), nextCursor };
  }

  /** How many applications the list has under each status, outcome and wait. @param roleId `null`: of all roles */
  async counts(
    organisationId: string,
    roleId: string | null,
    freshness: Freshness,
  ): Promise<ApplicationCounts> {
    const fields = { Organisation: organisationId, Role: roleId };
    const count = (part: ListPart) => this.reads.count(applications, part, freshness);
    const [status, outcome, waiting] = await Promise.all([
      countsOf(APPLICATION_STATUSES, (one) => count(narrowedTo({ ...fields, Status: one }))),
      countsOf(OUTCOME_STATUSES, (one) => count(narrowedTo({ ...fields, Outcome: one }))),
      countsOf(WAITING_APPLICATIONS, (one) => count(waitingPart(organisationId, roleId, one))),
    ]);
    return { status, outcome, waiting };
  }

  /** A page of a part of the list, as records. */
  private async shown(part: ListPart, list: ListQuery, freshness: Freshness): Promise<ApplicationPage> {
    const { items, nextCursor } = await this.reads.listed(applications, part, list, freshness);
    return { items: await this.staff.records(items, freshness), nextCursor };
  }

  /** @returns `null`: the list is empty, since no candidate has the address or the status excludes the outcome */
  private async part(
    organisationId: string,
    { roleId, candidateId, status, outcome, invited, text }: ApplicationFilter,
    { by, reverse }: Sort<ApplicationOrder>,
  ): Promise<ListPart | null> {
    if (outcome !== null && status !== null && status !== 'completed') return null;
    const narrowed = { Role: roleId, ...(outcome === null ? { Status: status } : { Outcome: outcome }) };
    if (candidateId !== null || (text !== null && isEmailAddress(text))) {
      const candidate = candidateId ?? (await this.directory.find(organisationId, text ?? ''));
      if (candidate === null) return null;
      return { ...narrowedTo({ Candidate: candidate, ...narrowed }), ...within(invited), reverse };
    }
    const fields = { Organisation: organisationId, ...narrowed };
    if (by === 'invitedAt') return { ...narrowedTo(fields), ...within(invited), reverse };
    const startsWith = text === null ? undefined : searchedName(text);
    return { ...narrowedTo(fields, 'Name'), startsWith, reverse };
  }
}

const waitingPart = (organisationId: string, roleId: string | null, what: WaitingApplication): ListPart => {
  const fields = { Organisation: organisationId, Role: roleId };
  switch (what) {
    case 'outcome':
      return narrowedTo({ ...fields, Outcome: 'none' });
    case 'expiring':
      return { ...narrowedTo(fields, 'Expiring'), ...dueWithin(EXPIRING_DAYS * DAY_MS) };
    case 'accommodation':
      return narrowedTo(fields, 'Accommodation');
    case 'erasure':
      return narrowedTo(fields, 'Erasure');
  }
};
