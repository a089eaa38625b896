import type { PlannedActivity } from './activity-plan.js';
import { planActivities } from './activity-plan.js';
import { type PlannedInterview, planInterview } from './interview-plan.js';
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
  readonly ticketIds: readonly string[];
}

/** How one invitation ends. */
export type Ending =
  'completed' | 'withdrawn_before_start' | 'withdrawn' | 'cancelled' | 'expired_before_start' | 'expired';

export interface Outcome {
  readonly humanRound?: 'passed' | 'failed';
  readonly disposition?: 'hired' | 'declined';
  readonly reason?: string;
}

export interface PlannedTrial {
  readonly ending: Ending;
  /** Staff give more time before it starts. */
  readonly extended: boolean;
  /** Batches, in the order they are sent. */
  readonly batches: readonly (readonly PlannedActivity[])[];
  /** Held once the batches are sent, and ends the session; `null`: the candidate completes it without one. */
  readonly interview: PlannedInterview | null;
  /** What staff record one after the other, `null` retracts; only where the trial is completed. */
  readonly outcomes: readonly (Outcome | null)[];
}

export interface PlannedCandidate {
  readonly number: number;
  readonly name: string;
  readonly role: number;
  /** `same_key`: every command twice at once under one Idempotency-Key; `no_key`: again, without one. */
  readonly resends: 'never' | 'same_key' | 'no_key';
  /** One after the other: invited again once the former one has ended. */
  readonly trials: readonly PlannedTrial[];
}

export interface Plan {
  readonly roles: readonly PlannedRole[];
  /** Halfway, this role gets another name. */
  readonly renamed: { readonly role: number; readonly name: string };
  readonly candidates: readonly PlannedCandidate[];
}

const BATCH = 12;

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
  {
    // Nobody is invited: its row of zeros must be in the signal all the same.
    name: 'Site reliability engineer',
    overallThreshold: 70,
    ticketIds: ['SRE-1'],
    dimensions: [{ name: 'Keeps it up', weight: 1, category: 'process' }],
  },
];
const INVITED_ROLES = ROLES.length - 1;

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

/** A whole hiring round, with an interview in each trial that is completed if wanted. Candidate n is the same person with the same plan however many others there are. */
export function planRound(candidates: number, seed: number, interviews = false): Plan {
  return {
    roles: ROLES,
    renamed: { role: 0, name: 'Platform engineer' },
    candidates: Array.from({ length: candidates }, (_, index) => planCandidate(index + 1, seed, interviews)),
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
      ['no_key', 2],
    ]),
    trials: interviews
      ? trials.map((trial, place) => withInterview(trial, new Random(seed, number, place)))
      : trials,
  };
}

const withInterview = (trial: PlannedTrial, random: Random): PlannedTrial =>
  trial.ending === 'completed' ? { ...trial, interview: planInterview(random) } : trial;

function planTrial(random: Random, role: number): PlannedTrial {
  const ending = random.weighted(ENDINGS);
  const activities = planActivities(random, ROLES[role]?.ticketIds ?? []);
  const batches = Array.from({ length: Math.ceil(activities.length / BATCH) }, (_, index) =>
    activities.slice(index * BATCH, (index + 1) * BATCH),
  );
  return {
    ending,
    extended: (ending === 'completed' || ending === 'withdrawn') && random.chance(0.15),
    batches: ending === 'completed' ? batches : ending === 'withdrawn' ? batches.slice(0, 1) : [],
    interview: null,
    outcomes: ending === 'completed' ? planOutcomes(random) : [],
  };
}

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
