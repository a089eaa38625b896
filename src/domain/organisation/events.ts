import { type EventIn, eventsOf, eventType } from '../../core/registry.js';

/** Stored names and latest shapes of an organisation's stream (`organisation-<id>`): the storage contract. */

export type MemberRole = 'owner' | 'admin' | 'recruiter' | 'reviewer';

/** What candidates are shown of their evaluations once people have decided. */
export const CANDIDATE_RESULTS = ['nothing', 'result', 'result_with_explanation'] as const;
export type CandidateResults = (typeof CANDIDATE_RESULTS)[number];

export interface OrganisationSettings {
  readonly name: string;
  readonly recordAudio: boolean;
  readonly retentionDays: number | null;
  readonly candidateResults: CandidateResults;
}

/** Settings as they are stored: those from before candidates could be shown results lack `candidateResults`. */
type StoredSettings = Omit<OrganisationSettings, 'candidateResults'> & Partial<OrganisationSettings>;

export const wholeSettings = ({
  name,
  recordAudio,
  retentionDays,
  candidateResults = 'nothing',
}: StoredSettings): OrganisationSettings => ({ name, recordAudio, retentionDays, candidateResults });

interface MemberIds {
  readonly organisationId: string;
  readonly memberId: string;
}

export const organisationEvents = {
  'organisation.created': eventType<StoredSettings & { readonly organisationId: string }>(),
  'organisation.updated': eventType<StoredSettings & { readonly organisationId: string }>(),
  /** Added by e-mail (`subject` null until bound) or by subject (`email` null until the first sign-in). */
  'member.added': eventType<
    MemberIds & { readonly role: MemberRole; readonly subject: string | null },
    { readonly email: string | null }
  >(),
  /** The member's first sign-in: the subject is final, the e-mail is the token's. */
  'member.bound': eventType<MemberIds & { readonly subject: string }, { readonly email: string | null }>(),
  'member.role_changed': eventType<
    MemberIds & { readonly role: MemberRole; readonly formerRole: MemberRole }
  >(),
  'member.removed': eventType<MemberIds & { readonly formerRole: MemberRole }>(),
};

export type OrganisationEvent = EventIn<typeof organisationEvents>;
export const organisationEvent = eventsOf<typeof organisationEvents>();
