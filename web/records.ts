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
}

export interface Ticket {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly links: readonly { readonly title: string; readonly url: string }[];
  readonly estimatedMinutes: number | null;
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

/** How candidates sign in, as `/apply/config.json` has it. */
export interface SignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly signIn: 'email' | 'oidc';
}
