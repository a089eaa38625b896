import { accept, type Decider, type Decision, type RefusalCodes, refuse } from '../../core/decider.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidateErased } from '../candidate/decider.js';
import { applicationRefOf } from '../candidate/events.js';
import { shareLinkEvent, type ShareLinkEvent, type ShareLinkIds } from './events.js';

/** What is refused here, beside the common codes. */
export const SHARE_LINK_CODES = {
  evaluation_not_ready: { kind: 'conflict', meaning: 'The evaluation is not ready.' },
} as const satisfies RefusalCodes;

type ShareLinkCode = keyof typeof SHARE_LINK_CODES;

/** A link to a candidate's report, as its stream has it. */
export interface ShareLink {
  readonly ids: ShareLinkIds;
  readonly createdAt: string;
  /** Its creator's subject. */
  readonly createdBy: string;
  /** What staff call it; `null`: nothing, or its candidate was erased. */
  readonly label: string | null;
  readonly expiresAt: string;
  /** `null`: it was not revoked. */
  readonly revokedAt: string | null;
  /** How often the report was shown. */
  readonly views: number;
}

/** `null` until it is created. */
export type ShareLinkState = ShareLink | null;

/** Default validity, in days. */
export const DEFAULT_DAYS = 30;
/** Longest validity, in days. */
export const MAX_DAYS = 365;

/** Folds the stream `share_link-<linkId>`. */
export const shareLink: Decider<ShareLinkState, ShareLinkEvent> = {
  kind: 'share_link',
  initial: null,
  evolve(state, event) {
    const { recordedAt, actor } = event.metadata;
    if (event.type === 'share_link.created') {
      const { expiresAt } = event.data;
      return {
        ids: idsOf(event.data),
        createdAt: recordedAt,
        createdBy: actor.id,
        label: event.personal?.label ?? null,
        expiresAt,
        revokedAt: null,
        views: 0,
      };
    }
    if (state === null) throw new Error(`${event.type} on a stream that has not begun.`);
    if (event.type === 'share_link.viewed') return { ...state, views: state.views + 1 };
    return { ...state, revokedAt: state.revokedAt ?? recordedAt };
  },
};

export interface CreateShareLink {
  readonly ids: ShareLinkIds;
  /** Lower-case hex SHA-256 of the token. */
  readonly tokenHash: string;
  /** What staff call it, `null` for nothing. */
  readonly label: string | null;
  /** 1 to `MAX_DAYS`, checked before. */
  readonly expiresInDays: number;
  readonly now: Date;
  /** Whether the candidate was erased, and whether there is a report to show: by their streams, read to the end. */
  readonly erased: boolean;
  readonly ready: boolean;
}

/** Creates a link to a report, of which one generation at least has become ready. */
export const createShareLink = (state: ShareLinkState, input: CreateShareLink): Decision<ShareLinkEvent> => {
  if (state !== null) return refuse('conflict', 'There is a share link by that id already.');
  if (input.erased) return candidateErased();
  if (!input.ready)
    return refuse<ShareLinkCode>(
      'evaluation_not_ready',
      'The evaluation was never ready: there is nothing to share yet.',
    );
  const { ids, tokenHash, label, expiresInDays, now } = input;
  const expiresAt = new Date(now.getTime() + expiresInDays * DAY_MS).toISOString();
  const data = { ...ids, tokenHash, expiresAt };
  return accept(
    label === null
      ? shareLinkEvent('share_link.created', data)
      : shareLinkEvent('share_link.created', data, ids.candidateId as PersonId, { label }),
  );
};

/** Revokes a link for good; a revoked one stays as it is. */
export const revokeShareLink = (state: ShareLinkState): Decision<ShareLinkEvent> => {
  if (state === null) return refuse('not_found', 'There is no such share link.');
  return state.revokedAt === null ? accept(shareLinkEvent('share_link.revoked', state.ids)) : accept();
};

/** Whether the report may be shown by the link. It expires at `expiresAt` itself. */
export const isOpen = (state: ShareLinkState, now: Date): state is ShareLink =>
  state !== null && state.revokedAt === null && now.getTime() < Date.parse(state.expiresAt);

/** Counts a view of the report. A link that is not open is answered like one that does not exist. */
export const viewSharedReport = (
  state: ShareLinkState,
  { now }: { readonly now: Date },
): Decision<ShareLinkEvent> =>
  isOpen(state, now)
    ? accept(shareLinkEvent('share_link.viewed', state.ids))
    : refuse('not_found', 'Not found.');

const idsOf = (data: ShareLinkIds): ShareLinkIds => ({
  ...applicationRefOf(data),
  evaluationId: data.evaluationId,
  linkId: data.linkId,
});
