import type { MemberRole } from '../../domain/organisation/events.js';

/** Who sent a request, as a verified ID token says. It establishes identity alone, never access. */
export interface Caller {
  /** The provider's `sub`: 1 to 255 characters. */
  readonly subject: string;
  /** As the provider wrote it, `null` where the token carries none. */
  readonly email: string | null;
  /** True only where the token says `email_verified: true` of an e-mail that it carries. */
  readonly emailVerified: boolean;
  /** The token's `exp`, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A caller's standing in one organisation. */
export interface Member {
  readonly memberId: string;
  readonly subject: string;
  readonly role: MemberRole;
}

/** How surely a membership must stand at the moment of the request. */
export interface Need {
  /** Whether something may change by the request: it is judged by what stands now, a read by what stood within 1 s. */
  readonly command: boolean;
  /** Sent with a read: it is judged by what stands now too. */
  readonly consistencyToken: string | null;
}

/** Where the guard looks memberships up. */
export interface Memberships {
  /** The caller's membership, `null` where there is none or no such organisation. Binds a first sign-in. */
  find(caller: Caller, organisationId: string, need: Need): Promise<Member | null>;
}
/** Injection token of `Memberships`. */
export const MEMBERSHIPS = Symbol('Memberships');

/** What the guard reads of a request, and what it leaves on it for rate limits, logs and handlers. */
export interface AccessRequest {
  readonly method: string;
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly 'consistency-token'?: string | string[] | undefined;
  };
  readonly params: unknown;
  caller?: Caller;
  member?: Member;
}
