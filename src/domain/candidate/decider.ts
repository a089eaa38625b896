import {
  accept,
  type Decider,
  type Decision,
  type RefusalCodes,
  refuse,
  type Refused,
  refuseInvalid,
} from '../../core/decider.js';
import { isSameEmail } from '../../core/email-address.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Language } from '../../languages/languages.js';
import type { Role } from '../role/decider.js';
import {
  type CandidateErased,
  candidateEvent,
  type CandidateEvent,
  type CandidateInvited,
  type Invitation,
  type Naming,
} from './events.js';
import { parseExpiry } from './expiry.js';

/** What is refused here, beside the common codes. */
export const CANDIDATE_CODES = {
  role_draft: { kind: 'conflict', meaning: 'The role is a draft: its definition is not complete.' },
  role_archived: { kind: 'conflict', meaning: 'The role is archived: nobody can be invited to it.' },
  already_invited: { kind: 'conflict', meaning: 'The address has an open application for this role.' },
  erased: { kind: 'gone', meaning: 'What was held about the candidate was erased for good.' },
} as const satisfies RefusalCodes;

type CandidateCode = keyof typeof CANDIDATE_CODES;

/**
 * An invitation with its personal data: `candidateName` and `externalId` are `null` if they were not given or can no
 * longer be read.
 */
export interface PersonalInvitation
  extends Invitation, Pick<CandidateInvited['data'], 'earlierEnded' | 'retakeOf'> {
  readonly candidateName: string | null;
  readonly externalId: string | null;
}

/** One e-mail address in one organisation, with all its invitations. */
export interface Candidate {
  readonly organisationId: string;
  readonly candidateId: PersonId;
  /** As first written; `null` once it can no longer be read. */
  readonly email: string | null;
  /** Whether the candidate has a subject, also if it can no longer be read. */
  readonly bound: boolean;
  /** `null` until the candidate is bound, and once the subject can no longer be read. */
  readonly subject: string | null;
  /** Erasure is final: every further command is refused. */
  readonly erased: boolean;
  /** Oldest first. */
  readonly invitations: readonly PersonalInvitation[];
}

/** `null` until the first invitation. */
export type CandidateState = Candidate | null;

/** Folds the stream `candidate-<candidateId>`. */
export const candidate: Decider<CandidateState, CandidateEvent> = {
  kind: 'candidate',
  initial: null,
  evolve(state, event) {
    if (event.type === 'candidate.invited') {
      const { organisationId, candidateId } = event.data;
      const { name: candidateName = null, externalId = null } = event.personal ?? {};
      const invitations = state?.invitations ?? [];
      // Most invitations are to the same role: they share one definition in memory.
      const role = invitations.findLast((one) => isSameRole(one, event.data))?.role ?? event.data.role;
      return {
        organisationId,
        candidateId: candidateId as PersonId,
        email: state?.email ?? event.personal?.email ?? null,
        bound: state?.bound ?? false,
        subject: state?.subject ?? null,
        erased: state?.erased ?? false,
        invitations: [...invitations, { ...event.data, role, candidateName, externalId }],
      };
    }
    if (state === null) throw new Error(`${event.type} on a stream that has not begun.`);
    if (event.type === 'candidate.erased') {
      const unnamed = { candidateName: null, externalId: null };
      const invitations = state.invitations.map((invitation) => ({ ...invitation, ...unnamed }));
      return { ...state, email: null, subject: null, erased: true, invitations };
    }
    return { ...state, bound: true, subject: event.personal?.subject ?? null };
  },
};

const isSameRole = (one: Invitation, other: Invitation): boolean =>
  one.roleId === other.roleId && one.roleVersion === other.roleVersion;

const DEFAULT_DAYS = 14;

export interface InviteCandidate {
  readonly candidateId: PersonId;
  readonly email: string;
  readonly naming: Naming;
  readonly language: Language;
  /** The role, read from its stream to its end. */
  readonly role: Role;
  readonly applicationId: string;
  readonly trialSessionId: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly now: string;
  /** `null`: 14 days from now. */
  readonly expiresAt: string | null;
  /**
   * An application that this one is to be a retake of, unchecked: it may be any text. Without it, this one is no
   * retake.
   */
  readonly retakeOf?: string;
  /** How the sessions of `earlierInvitations` have ended, by session id; those that are open are missing. */
  readonly endedSessions: ReadonlyMap<string, SessionEnd>;
}

/** Whether a session ended by an event, which is certain, or by the clock alone, which may be wrong. */
export type SessionEnd = 'by event' | 'by time';

/** Why candidates cannot be invited to a role now; `null`: they can. */
export const notInvitable = ({ archivedAt, status }: Pick<Role, 'archivedAt' | 'status'>): Refused | null => {
  if (archivedAt !== null)
    return refuse<CandidateCode>(
      'role_archived',
      'This role is archived: take it out of the archive before inviting to it.',
    );
  return status === 'draft'
    ? refuse<CandidateCode>(
        'role_draft',
        'This role is a draft: complete its definition before inviting to it.',
      )
    : null;
};

/** Opens an application and its trial session, which pins the role's current definition. */
export const inviteCandidate = (state: CandidateState, input: InviteCandidate): Decision<CandidateEvent> => {
  const { role, candidateId, applicationId, trialSessionId, now } = input;
  if (state?.erased) return candidateErased();
  const expiry =
    input.expiresAt === null ? { time: inDays(now, DEFAULT_DAYS) } : parseExpiry(input.expiresAt, now);
  if ('problem' in expiry) return refuseInvalid([expiry.problem]);
  const closed = notInvitable(role);
  if (closed) return closed;
  const earlier = earlierInvitations(state, role.roleId).map((one) =>
    input.endedSessions.get(one.trialSessionId),
  );
  if (earlier.includes(undefined))
    return refuse<CandidateCode>(
      'already_invited',
      'This address has an open application for the role already.',
    );
  const { retakeOf } = input;
  if (retakeOf !== undefined && !isOfRole(state, retakeOf, role.roleId)) return refuseInvalid([NO_RETAKE]);
  const invitation = {
    organisationId: role.organisationId,
    candidateId,
    applicationId,
    trialSessionId,
    roleId: role.roleId,
    roleVersion: role.version,
    role: role.definition,
    invitedAt: now,
    expiresAt: expiry.time,
    language: input.language,
    ...(earlier.length > 0 && earlier.every((end) => end === 'by event') && { earlierEnded: true as const }),
    ...(retakeOf !== undefined && { retakeOf }),
  };
  const { email, naming } = input;
  return accept(candidateEvent('candidate.invited', invitation, candidateId, { email, ...naming }));
};

const NO_RETAKE = {
  path: 'retakeOf',
  rule: 'retake',
  message: 'retakeOf must be an application of this candidate for this role.',
};

const isOfRole = (state: CandidateState, applicationId: string, roleId: string): boolean =>
  state?.invitations.some((one) => one.applicationId === applicationId && one.roleId === roleId) ?? false;

/**
 * The candidate's invitations to a role whose sessions may still be open. Sessions before an invitation with
 * `earlierEnded` are certain to have ended: most often the last invitation alone is left, however many there were.
 */
export const earlierInvitations = (state: CandidateState, roleId: string): readonly PersonalInvitation[] => {
  const toRole = (state?.invitations ?? []).filter((one) => one.roleId === roleId);
  return toRole.slice(
    Math.max(
      0,
      toRole.findLastIndex((one) => one.earlierEnded),
    ),
  );
};

const inDays = (now: string, days: number): string => new Date(Date.parse(now) + days * DAY_MS).toISOString();

export interface BindCandidate {
  readonly subject: string;
  /** The token's address, `null` unless it is verified. */
  readonly verifiedEmail: string | null;
}

/** Binds the candidate to a subject, once: a later subject with the same address is another person. */
export const bindCandidate = (state: CandidateState, input: BindCandidate): Decision<CandidateEvent> => {
  if (state?.subject === input.subject) return accept();
  const { verifiedEmail } = input;
  const matches =
    state !== null &&
    !state.bound &&
    state.email !== null &&
    verifiedEmail !== null &&
    isSameEmail(state.email, verifiedEmail);
  if (!matches) return refuse('not_found', 'There is no such candidate.');
  const { organisationId, candidateId } = state;
  const { subject } = input;
  return accept(candidateEvent('candidate.bound', { organisationId, candidateId }, candidateId, { subject }));
};

/**
 * Erases the candidate for good. If they are erased already, nothing changes. The caller destroys the key afterwards.
 */
export const eraseCandidate = (
  state: CandidateState,
  { cause }: { readonly cause: CandidateErased['data']['cause'] },
): Decision<CandidateEvent> => {
  if (state === null) return refuse('not_found', 'There is no such candidate.');
  if (state.erased) return accept();
  const { organisationId, candidateId } = state;
  return accept(candidateEvent('candidate.erased', { organisationId, candidateId, cause }, candidateId));
};

/** The refusal of any command on an erased candidate. */
export const candidateErased = (): Refused =>
  refuse<CandidateCode>('erased', 'The data of this candidate was erased for good.');
