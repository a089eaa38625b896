import type { RecordOutcome } from '../../packages/client/src/index.js';
import { FORGED_RUN, HAND_IN_KINDS, type HandInKind } from './exercise.js';
import { planInterview, type PlannedInterview } from './plan-interview.js';
import { Random } from './random.js';

export interface PlannedRole {
  readonly name: string;
  readonly overallThreshold: number;
  readonly dimensions: readonly {
    readonly name: string;
    readonly weight: number;
    readonly category: 'correctness' | 'process';
    readonly threshold?: number;
  }[];
  /** What a candidate works on elsewhere, or `EXERCISE_TICKET`. */
  readonly ticketIds: readonly string[];
}

/** Replaced by the id of the ticket whose work is handed in, which is made before the roles. */
export const EXERCISE_TICKET = 'exercise';

/** How one invitation ends, or how far it goes: the last three stay open. */
export type Ending =
  | 'completed'
  | 'withdrawn_before_start'
  | 'withdrawn'
  | 'cancelled'
  | 'expired_before_start'
  | 'expired'
  | 'invited'
  | 'started'
  | 'in_interview';

export type Outcome = RecordOutcome;

export interface PlannedTrial {
  readonly ending: Ending;
  /** Staff give more time before it starts. */
  readonly extended: boolean;
  /** Batches, in the order they are sent. */
  readonly batches: readonly (readonly PlannedActivity[])[];
  /** Held once the batches are sent, and ends the session; `null`: the candidate completes it without one. */
  readonly interview: PlannedInterview | null;
  /** `null`: the role has nothing to hand in, or the session is never worked on. */
  readonly handIn: HandInKind | null;
  /** What staff record one after the other, `null` retracts; only where the trial is completed. */
  readonly outcomes: readonly (Outcome | null)[];
}

/** A candidate who uses the API. */
export interface PlannedCandidate {
  readonly number: number;
  readonly name: string;
  readonly role: number;
  /** What the invitation says beside the address. Default: nothing. */
  readonly invitation?: { readonly candidateName: string };
  /** `same_key`: every command twice at the same time under one Idempotency-Key; `other_key`: again, under another. */
  readonly resends: 'never' | 'same_key' | 'other_key';
  /** One after the other: invited again once the former one has ended. */
  readonly trials: readonly PlannedTrial[];
}

/** All that a simulated round does, made from a seed. */
export interface Plan {
  readonly roles: readonly PlannedRole[];
  /** Halfway, this role gets another name. */
  readonly renamed: { readonly role: number; readonly name: string };
  readonly candidates: readonly PlannedCandidate[];
  /** The candidates who go the whole way on the page. */
  readonly visitors: readonly PlannedVisitor[];
}

/** A candidate who uses the page. */
export interface PlannedVisitor {
  readonly number: number;
  readonly name: string;
  readonly role: number;
  readonly interview: PlannedInterview;
}

const BATCH = 12;

/** The role whose work is handed in and checked. */
export const EXERCISE_ROLE: PlannedRole = {
  name: 'Tools engineer',
  overallThreshold: 55,
  ticketIds: [EXERCISE_TICKET],
  dimensions: [
    { name: 'Its tests pass', weight: 70, category: 'correctness', threshold: 60 },
    { name: 'Hands in and explains', weight: 30, category: 'process' },
  ],
};

const ROLES: readonly PlannedRole[] = [
  {
    name: 'Backend engineer',
    overallThreshold: 60,
    ticketIds: ['BE-1', 'BE-2', 'BE-3'],
    dimensions: [
      { name: 'It works', weight: 60, category: 'correctness', threshold: 50 },
      { name: 'Way of working', weight: 40, category: 'process' },
    ],
  },
  {
    name: 'Data engineer',
    overallThreshold: 55,
    ticketIds: ['DE-1', 'DE-2'],
    dimensions: [
      { name: 'Pipelines run', weight: 2, category: 'correctness' },
      { name: 'Small steps', weight: 1, category: 'process', threshold: 40 },
      { name: 'Asks before guessing', weight: 1, category: 'process' },
    ],
  },
  {
    name: 'Frontend engineer',
    overallThreshold: 50,
    ticketIds: [],
    dimensions: [{ name: 'Tests pass', weight: 100, category: 'correctness', threshold: 70 }],
  },
  EXERCISE_ROLE,
  {
    // No candidate is invited to it: its row of zeros must be in the signal all the same.
    name: 'Site reliability engineer',
    overallThreshold: 70,
    ticketIds: ['SRE-1'],
    dimensions: [{ name: 'Keeps it up', weight: 1, category: 'process' }],
  },
];
const INVITED_ROLES = ROLES.length - 1;
/** Roles that candidates on the page are invited to: not the exercise's, since they hand in nothing. */
const VISITED_ROLES = INVITED_ROLES - 1;

const FIRST = ['ada', 'alan', 'barbara', 'edsger', 'frances', 'grace', 'hedy', 'ken', 'margaret', 'niklaus'];
const LAST = ['almeida', 'brandt', 'chen', 'diaz', 'eze', 'farah', 'greco', 'haas', 'ito', 'jansen'];
const ENDINGS: readonly (readonly [Ending, number])[] = [
  ['completed', 64],
  ['withdrawn', 9],
  ['withdrawn_before_start', 6],
  ['cancelled', 7],
  ['expired_before_start', 7],
  ['expired', 7],
];

/**
 * A whole hiring round, with an interview in each trial that is completed if wanted. Candidate n is the same person
 * with the same plan however many others there are.
 */
export function planRound(candidates: number, seed: number, interviews = false, visitors = 0): Plan {
  return {
    roles: ROLES,
    renamed: { role: 0, name: 'Platform engineer' },
    candidates: Array.from({ length: candidates }, (_, index) => planCandidate(index + 1, seed, interviews)),
    visitors: Array.from({ length: visitors }, (_, index) => planVisitor(index + 1, seed)),
  };
}

function planCandidate(number: number, seed: number, interviews: boolean): PlannedCandidate {
  const random = new Random(seed, number);
  const role = random.between(0, INVITED_ROLES - 1);
  const trials = [planTrial(random, role)];
  if (random.chance(trials[0]?.ending === 'completed' ? 0.1 : 0.45)) trials.push(planTrial(random, role));
  return {
    number,
    name: `${random.pick(FIRST)}.${random.pick(LAST)}.${number}`,
    role,
    resends: random.weighted([
      ['never', 6],
      ['same_key', 2],
      ['other_key', 2],
    ]),
    trials: interviews
      ? trials.map((trial, place) => withInterview(trial, new Random(seed, number, place)))
      : trials,
  };
}

function planVisitor(number: number, seed: number): PlannedVisitor {
  const random = new Random(seed, number, VISITORS);
  const role = random.between(0, VISITED_ROLES - 1);
  const name = `${random.pick(FIRST)}.${random.pick(LAST)}.web.${number}`;
  return { number, name, role, interview: planInterview(random) };
}

/** Seeds the random numbers of visitors, apart from those of a candidate's trials. */
const VISITORS = 1_000;

const withInterview = (trial: PlannedTrial, random: Random): PlannedTrial =>
  trial.ending === 'completed' ? { ...trial, interview: planInterview(random) } : trial;

function planTrial(random: Random, role: number): PlannedTrial {
  const ending = random.weighted(ENDINGS);
  const ticketIds = ROLES[role]?.ticketIds ?? [];
  const isWorked = ending === 'completed' || ending === 'withdrawn';
  const handIn = ticketIds.includes(EXERCISE_TICKET) && isWorked ? random.pick(HAND_IN_KINDS) : null;
  const activities = handIn === null ? planActivities(random, ticketIds) : claimsOf(handIn);
  const batches = Array.from({ length: Math.ceil(activities.length / BATCH) }, (_, index) =>
    activities.slice(index * BATCH, (index + 1) * BATCH),
  );
  return {
    ending,
    extended: isWorked && random.chance(0.15),
    batches: ending === 'completed' ? batches : ending === 'withdrawn' ? batches.slice(0, 1) : [],
    interview: null,
    handIn,
    outcomes: ending === 'completed' ? planOutcomes(random) : [],
  };
}

/** What a candidate's own program reports of the exercise: scores of it are computed by the simulation. */
const claimsOf = (handIn: HandInKind): readonly PlannedActivity[] =>
  handIn === 'hostile' ? [{ eventType: 'test.run', payload: FORGED_RUN, at: 1 }] : [];

function planOutcomes(random: Random): readonly (Outcome | null)[] {
  const steps = random.weighted<readonly ('record' | 'retract')[]>([
    [[], 3],
    [['record'], 8],
    [['record', 'record'], 4],
    [['record', 'retract'], 2],
    [['record', 'retract', 'record'], 2],
    [['retract'], 1],
  ]);
  return steps.map((step) => (step === 'retract' ? null : planOutcome(random)));
}

function planOutcome(random: Random): Outcome {
  const humanRound = random.pick(['passed', 'failed'] as const);
  const disposition = random.pick(
    humanRound === 'passed' ? (['hired', 'declined'] as const) : ['declined' as const],
  );
  return random.pick<Outcome>([
    { humanRound },
    { disposition, reason: 'Decided without a further round.' },
    { humanRound, disposition },
    { humanRound, disposition, reason: 'Discussed by the panel.' },
  ]);
}

export interface PlannedActivity {
  readonly eventType: string;
  readonly payload: Readonly<Record<string, string | number>>;
  /** Seconds since the candidate began. */
  readonly at: number;
}

const QUESTIONS = [
  'Which of the two parsers does the report use?',
  'Should an empty list be an error or an empty report?',
  'ok',
  'I would rather add a test for the rounding first.',
  'The totals are off by one cent when the tax is split. Is that known?',
  'done',
];
const PATHS = ['src/parser.ts', 'src/report.ts', 'src/totals.ts', 'test/report.spec.ts'];

/** The activities of one session: work on the role's tickets, messages, and at times a hidden page. */
export function planActivities(random: Random, ticketIds: readonly string[]): readonly PlannedActivity[] {
  const activities: PlannedActivity[] = [];
  let at = 0;
  let passed = 0;
  const act = (eventType: string, payload: PlannedActivity['payload'] = {}): void => {
    at += random.between(2, 9);
    activities.push({ eventType, payload, at });
  };
  const carefulness = random.next();
  for (const ticketId of ticketIds.length > 0 ? ticketIds : ['']) {
    if (ticketId !== '') act('ticket.started', { ticketId });
    for (let step = random.between(1, 5); step > 0; step -= 1) {
      if (random.chance(0.4)) act('message.sent', { text: random.pick(QUESTIONS), to: 'assistant' });
      act('file.changed', {
        path: random.pick(PATHS),
        linesAdded: random.between(1, carefulness > 0.4 ? 50 : 160),
        linesRemoved: random.between(0, 20),
      });
      if (!random.chance(carefulness)) continue;
      passed += random.between(0, 3);
      const failed = random.chance(0.4) ? random.between(1, 4) : 0;
      act('test.run', { passed, failed, durationMs: random.between(200, 9000) });
    }
    if (random.chance(0.2)) {
      const characters = random.between(40, 900);
      act('clipboard.pasted', { characters, nonBlankCharacters: Math.floor(characters * 0.8) });
    }
    if (random.chance(0.25)) {
      act('page.hidden');
      at += random.between(1, 60);
      act('page.shown');
    }
    if (random.chance(0.15)) at += 180;
    if (ticketId !== '' && random.chance(0.8)) act('ticket.finished', { ticketId });
  }
  if (random.chance(0.3)) act('editor.theme_changed', { theme: 'dark', 'a.b': 1, $where: '1' });
  return activities;
}
