import type { DevelopmentPerson } from '../../src/api/console/console.js';
import type { RoleTemplateId } from '../../src/languages/en/shapes.js';
import type { HandInKind } from '../simulate/exercise.js';
import type { Ending, Outcome } from '../simulate/plan.js';

/** Who is in the demo: a company, its people, its roles, and how each candidate's application ends. */

export const COMPANY = 'Larkspur Systems';

/** The company's people; the first is its owner. */
export const MEMBERS = {
  owner: { name: 'Nora Lindqvist', email: 'nora@larkspur.example', role: 'owner' },
  recruiter: { name: 'Ben Okafor', email: 'ben@larkspur.example', role: 'recruiter' },
  reviewer: { name: 'Mei Tanaka', email: 'mei@larkspur.example', role: 'reviewer' },
} as const satisfies Readonly<Record<string, DevelopmentPerson>>;

/** The roles, each made from a template that ships. */
export const ROLES = ['backend', 'data', 'support'] as const satisfies readonly RoleTemplateId[];
export type DemoRole = (typeof ROLES)[number];

/** How well somebody works and answers. */
export type Skill = 'strong' | 'fair' | 'weak';

/** What happens to an application beside its trial, in this order. */
export type Extra =
  | 'expires_soon'
  | 'asks_for_accommodation'
  | 'is_accommodated'
  | 'scorer_is_unavailable'
  | 'contests'
  | 'is_answered'
  | 'is_shared'
  | 'asks_for_erasure'
  | 'is_erased';

interface Story {
  readonly ending: Ending;
  readonly skill?: Skill;
  readonly outcomes?: readonly (Outcome | null)[];
  readonly extras?: readonly Extra[];
}

const PASSED: Outcome = { humanRound: 'passed' };
const FAILED: Outcome = {
  humanRound: 'failed',
  disposition: 'declined',
  reason: 'Could not explain the trade-offs when we asked further.',
};
const HIRED: Outcome = {
  humanRound: 'passed',
  disposition: 'hired',
  reason: 'Careful, and clear about what was left open.',
};
const DECLINED: Outcome = { disposition: 'declined', reason: 'Another candidate was further along.' };

/** What may become of an application. */
export const STORIES = {
  invited: { ending: 'invited' },
  expiring: { ending: 'invited', extras: ['expires_soon'] },
  needs_more_time: { ending: 'invited', extras: ['asks_for_accommodation'] },
  started: { ending: 'started', skill: 'fair' },
  in_interview: { ending: 'in_interview', skill: 'strong' },
  awaiting: { ending: 'completed', skill: 'fair' },
  awaiting_strong: { ending: 'completed', skill: 'strong' },
  accommodated: {
    ending: 'completed',
    skill: 'strong',
    outcomes: [PASSED],
    extras: ['asks_for_accommodation', 'is_accommodated'],
  },
  passed: { ending: 'completed', skill: 'strong', outcomes: [PASSED] },
  hired: { ending: 'completed', skill: 'strong', outcomes: [PASSED, HIRED] },
  hired_and_shared: {
    ending: 'completed',
    skill: 'strong',
    outcomes: [PASSED, HIRED],
    extras: ['is_shared'],
  },
  failed: { ending: 'completed', skill: 'weak', outcomes: [FAILED] },
  undecided: { ending: 'completed', skill: 'fair', outcomes: [{ humanRound: 'failed' }] },
  declined: { ending: 'completed', skill: 'fair', outcomes: [DECLINED] },
  corrected: { ending: 'completed', skill: 'fair', outcomes: [FAILED, PASSED] },
  retracted: { ending: 'completed', skill: 'fair', outcomes: [DECLINED, null] },
  contested: { ending: 'completed', skill: 'weak', outcomes: [FAILED], extras: ['contests'] },
  contest_answered: {
    ending: 'completed',
    skill: 'fair',
    outcomes: [DECLINED],
    extras: ['contests', 'is_answered'],
  },
  not_evaluated: { ending: 'completed', skill: 'fair', extras: ['scorer_is_unavailable'] },
  wants_erasure: { ending: 'completed', skill: 'weak', outcomes: [FAILED], extras: ['asks_for_erasure'] },
  erased: { ending: 'completed', skill: 'fair', outcomes: [DECLINED], extras: ['is_erased'] },
  withdrawn: { ending: 'withdrawn', skill: 'fair' },
  withdrawn_before_start: { ending: 'withdrawn_before_start' },
  cancelled: { ending: 'cancelled' },
  expired: { ending: 'expired' },
  expired_before_start: { ending: 'expired_before_start' },
} as const satisfies Readonly<Record<string, Story>>;

export type StoryName = keyof typeof STORIES;

/** A candidate of the demo's company. */
export interface DemoCandidate {
  readonly name: string;
  readonly role: DemoRole;
  readonly story: StoryName;
  /** How many days ago they were invited. */
  readonly invited: number;
}

/** What happens to a candidate. */
export const storyOf = ({ story }: DemoCandidate): Story => STORIES[story];

/** What somebody of a skill hands in. */
export const WORK_OF: Readonly<Record<Skill, HandInKind>> = {
  strong: 'right',
  fair: 'half',
  weak: 'nothing',
};

/** The e-mail address of a candidate, by their name. */
export const addressOf = (name: string): string =>
  `${name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '.')}@candidates.example`;

/** Who can be signed in as to see the candidate's side. */
export const VISITOR = 'Lena Hoffmann';

const candidate = (name: string, role: DemoRole, story: StoryName, invited: number): DemoCandidate => ({
  ...{ name, role, story, invited },
});

/** Two weeks of applications. */
export const CANDIDATES: readonly DemoCandidate[] = [
  candidate('Amara Nwosu', 'backend', 'hired_and_shared', 14),
  candidate('Jonas Keller', 'backend', 'failed', 14),
  candidate('Sofia Rossi', 'data', 'hired', 14),
  candidate('Daniel Brandt', 'support', 'declined', 14),
  candidate('Yuki Mori', 'backend', 'passed', 13),
  candidate('Priya Raman', 'data', 'contest_answered', 13),
  candidate('Tomás Herrera', 'support', 'hired', 13),
  candidate('Ewa Kowalska', 'backend', 'withdrawn', 13),
  candidate('Omar Haddad', 'data', 'expired_before_start', 12),
  candidate('Clara Meier', 'support', 'failed', 12),
  candidate('Ravi Menon', 'backend', 'corrected', 12),
  candidate('Ingrid Solberg', 'data', 'erased', 12),
  candidate('Malik Johnson', 'backend', 'cancelled', 11),
  candidate('Hannah Weiss', 'data', 'accommodated', 11),
  candidate('Chen Li', 'backend', 'hired', 11),
  candidate('Fatima Zahra', 'support', 'contested', 11),
  candidate('Lukas Novak', 'backend', 'declined', 10),
  candidate('Aisha Bello', 'data', 'passed', 10),
  candidate('Marek Horvat', 'support', 'withdrawn_before_start', 10),
  candidate('Olivia Grant', 'backend', 'wants_erasure', 10),
  candidate('Pedro Alves', 'data', 'retracted', 9),
  candidate('Sara Nilsson', 'backend', 'not_evaluated', 9),
  candidate('Viktor Petrov', 'support', 'expired', 9),
  candidate('Leila Karimi', 'backend', 'contested', 8),
  candidate('Noah Fischer', 'data', 'undecided', 8),
  candidate('Zanele Dube', 'support', 'passed', 8),
  candidate('Emil Larsen', 'data', 'withdrawn', 7),
  candidate('Grace Kim', 'backend', 'awaiting_strong', 7),
  candidate('Hugo Lefèvre', 'support', 'awaiting', 7),
  candidate('Ivana Marić', 'data', 'expired_before_start', 6),
  candidate('Jakub Zielinski', 'backend', 'awaiting', 6),
  candidate('Kavya Iyer', 'data', 'awaiting_strong', 5),
  candidate('Liam Murphy', 'support', 'cancelled', 5),
  candidate('Mina Park', 'backend', 'awaiting', 4),
  candidate('Nils Bergström', 'data', 'started', 3),
  candidate('Oksana Hrytsenko', 'support', 'in_interview', 2),
  candidate('Paul Adeyemi', 'backend', 'started', 2),
  candidate('Quentin Dubois', 'data', 'needs_more_time', 2),
  candidate('Rosa Delgado', 'support', 'expiring', 1),
  candidate(VISITOR, 'backend', 'invited', 1),
];
