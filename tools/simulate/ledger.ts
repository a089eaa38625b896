import type { RoleSignal, SignalSummary, SignalTotals } from '../../packages/client/src/index.js';
import type { HandInKind } from './exercise.js';
import type { Outcome } from './plan.js';

/** Counts of completed trials and of their outcomes: of one role, or their sum. */
export type Figures = SignalTotals;
/** A role's row of the signal, the service's view of how each role's hiring goes. */
export type RoleFigures = RoleSignal;
/** The signal of an organisation: its roles' rows and their totals. */
export type Signal = SignalSummary;

export type EndStatus = 'completed' | 'withdrawn' | 'expired';

/** What was acknowledged about one application. */
export interface KnownTrial {
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  readonly candidateEmail: string;
  /** Pinned at the invitation: a renamed role leaves it. */
  readonly roleName: string;
  /** How it ended; `null`: it has not. */
  readonly status: EndStatus | null;
  /** `null`: none is recorded, or the last one was retracted. */
  readonly outcome: Outcome | null;
  /** Activities by type, each counted once however often it was sent. */
  readonly activities: ReadonlyMap<string, number>;
  /** In the order in which they were asked; `null`: no interview was held. */
  readonly questions: readonly KnownQuestion[] | null;
  /** What was handed in; `null`: the role has nothing to hand in. */
  readonly handIn: HandInKind | null;
}

/** A question of an interview as the candidate got it, with the answers to it in their order. */
export interface KnownQuestion {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly answers: readonly string[];
}

type Invited = Pick<
  KnownTrial,
  'applicationId' | 'trialSessionId' | 'roleId' | 'candidateEmail' | 'roleName'
>;

/** The simulation's own count of what the service acknowledged, independent of the service's figures. */
export class Ledger {
  private readonly names = new Map<string, string>();
  private readonly known = new Map<string, KnownTrial>();

  /** Adds a role, or gives it another name. */
  role(roleId: string, name: string): void {
    this.names.set(roleId, name);
  }

  /** An invitation was acknowledged. */
  invited(application: Invited): void {
    this.known.set(application.applicationId, {
      ...application,
      status: null,
      outcome: null,
      activities: new Map(),
      questions: null,
      handIn: null,
    });
  }

  /** Activities were acknowledged. @param eventTypes one of each activity */
  sent(applicationId: string, eventTypes: readonly string[]): void {
    this.change(applicationId, (trial) => {
      const activities = new Map(trial.activities);
      for (const type of eventTypes) activities.set(type, (activities.get(type) ?? 0) + 1);
      return { ...trial, activities };
    });
  }

  /** An interview was held. */
  interviewed(applicationId: string, questions: readonly KnownQuestion[]): void {
    this.change(applicationId, (trial) => ({ ...trial, questions }));
  }

  /** Work was handed in. */
  handedIn(applicationId: string, handIn: HandInKind): void {
    this.change(applicationId, (trial) => ({ ...trial, handIn }));
  }

  /** A trial has ended. */
  ended(applicationId: string, status: EndStatus): void {
    this.change(applicationId, (trial) => ({ ...trial, status }));
  }

  /** An outcome was recorded, or retracted (`null`). */
  outcome(applicationId: string, outcome: Outcome | null): void {
    this.change(applicationId, (trial) => ({ ...trial, outcome }));
  }

  /** What was acknowledged about each application, in the order of the invitations. */
  trials(): readonly KnownTrial[] {
    return [...this.known.values()];
  }

  /** Every role's row, in the order of the signal. */
  rows(): readonly RoleFigures[] {
    return [...this.names]
      .map(([roleId, roleName]) => ({
        roleId,
        roleName,
        ...figuresOf(this.trials().filter((trial) => trial.roleId === roleId)),
      }))
      .sort(bySignalOrder);
  }

  private change(applicationId: string, next: (trial: KnownTrial) => KnownTrial): void {
    const trial = this.known.get(applicationId);
    if (trial === undefined) throw new Error(`Nothing is known of the application ${applicationId}.`);
    this.known.set(applicationId, next(trial));
  }
}

/** Orders roles as the signal lists them. */
export const bySignalOrder = (a: RoleFigures, b: RoleFigures): number =>
  byText(a.roleName, b.roleName) || byText(a.roleId, b.roleId);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function figuresOf(trials: readonly KnownTrial[]): Figures {
  const completed = trials.filter(({ status }) => status === 'completed');
  const outcomes = completed.map(({ outcome }) => outcome).filter((outcome) => outcome !== null);
  const having = (wanted: Outcome): number =>
    outcomes.filter(
      (outcome) =>
        (wanted.humanRound === undefined || outcome.humanRound === wanted.humanRound) &&
        (wanted.disposition === undefined || outcome.disposition === wanted.disposition),
    ).length;
  return {
    trialCompletedCount: completed.length,
    outcomeRecordedCount: outcomes.length,
    awaitingOutcomeCount: completed.length - outcomes.length,
    humanRound: { passed: having({ humanRound: 'passed' }), failed: having({ humanRound: 'failed' }) },
    disposition: { hired: having({ disposition: 'hired' }), declined: having({ disposition: 'declined' }) },
  };
}

/** The sum of rows: what `totals` must be. */
export const sumOf = (rows: readonly Figures[]): Figures => {
  const sum = (figure: (row: Figures) => number): number => rows.reduce((all, row) => all + figure(row), 0);
  return {
    trialCompletedCount: sum((row) => row.trialCompletedCount),
    outcomeRecordedCount: sum((row) => row.outcomeRecordedCount),
    awaitingOutcomeCount: sum((row) => row.awaitingOutcomeCount),
    humanRound: { passed: sum((row) => row.humanRound.passed), failed: sum((row) => row.humanRound.failed) },
    disposition: {
      hired: sum((row) => row.disposition.hired),
      declined: sum((row) => row.disposition.declined),
    },
  };
};
