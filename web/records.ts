/** What the page reads of the service's records: see /openapi.json. */

export type SessionStatus = 'invited' | 'started' | 'interrupted' | 'completed' | 'expired' | 'withdrawn';

export interface Session {
  readonly id: string;
  readonly status: SessionStatus;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly expiresAt: string;
}

export interface Application {
  readonly id: string;
  readonly roleName: string;
  readonly trialSessions: readonly Session[];
  /** When the candidate asked to be erased. */
  readonly erasureRequestedAt: string | null;
}

export type Progress = 'started' | 'finished';

export interface Ticket {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly links: readonly { readonly title: string; readonly url: string }[];
  readonly estimatedMinutes: number | null;
  /** As the service has it. */
  readonly progress: Progress | null;
  /** The briefing leaves the description and the links out: they are read with the ticket alone. */
  readonly contentLeftOut?: true;
}

export interface Briefing {
  readonly organisationName: string;
  readonly roleName: string;
  readonly candidateName: string | null;
  readonly language: string;
  /** Markdown. */
  readonly instructions: string | null;
  readonly timeFrameMinutes: number | null;
  readonly tickets: readonly Ticket[];
  /** Markdown. */
  readonly notice: { readonly version: string; readonly text: string };
  readonly accommodations: {
    readonly timeFactor: number;
    readonly typedOnly: boolean;
    readonly captions: boolean;
  };
  readonly accommodationRequest: { readonly text: string; readonly requestedAt: string } | null;
}

export interface Me {
  readonly email: string | null;
  readonly applications: readonly { readonly id: string; readonly organisationName: string }[];
}

export type Released = 'nothing' | 'result' | 'result_with_explanation';

export const CONTESTED = ['quote', 'transcript', 'finding', 'score'] as const;
export type Contested = (typeof CONTESTED)[number];

export interface Contest {
  readonly id: string;
  readonly about: { readonly kind: Contested; readonly reference: string | null };
  readonly text: string | null;
  readonly createdAt: string;
  readonly answer: { readonly text: string | null; readonly answeredAt: string } | null;
}

/** What the organisation has released of the evaluation. */
export interface Evaluation {
  readonly evaluationId: string;
  readonly applicationId: string;
  readonly released: Released;
  readonly result: {
    readonly overallScore: number | null;
    readonly overallThreshold: number;
    readonly passed: boolean | null;
  } | null;
  readonly explanation: { readonly dimensions: readonly Dimension[] } | null;
  readonly contests: readonly Contest[];
}

export interface Dimension {
  readonly dimensionId: string;
  readonly dimensionName: string;
  readonly threshold: number | null;
  readonly score: number;
  readonly passed: boolean | null;
  readonly rationale: string | null;
  readonly quotes: readonly { readonly eventId: string; readonly quote: string }[];
}

export interface Feedback {
  readonly ease?: number;
  readonly fairness?: number;
  readonly text?: string;
}

/** How candidates sign in, as `/apply/config.json` has it. */
export interface SignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly signIn: 'email' | 'oidc';
}
