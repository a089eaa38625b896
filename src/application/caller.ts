import type { MemberRole } from '../domain/organisation/events.js';

/** Who sent a request, by a verified ID token. It establishes identity alone, never access. */
export interface Caller {
  /** The provider's `sub`: 1 to 255 characters. */
  readonly subject: string;
  /** As the provider wrote it, `null` where the token carries none. */
  readonly email: string | null;
  /** True only if the token has an e-mail and `email_verified: true`, or its issuer's addresses count without that. */
  readonly emailVerified: boolean;
  /** The token has an e-mail, and no `email_verified` or the text "true": what is known by the address stays closed. */
  readonly unclearEmail?: 'missing' | 'text';
  /** The token's `exp`, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Signed in by a code for candidates: never a member of an organisation. */
  readonly candidateOnly?: true;
}

/**
 * What keeps a caller's address from counting, for who configures the provider; `null`: nothing does. It says nothing
 * but what the caller's own token has.
 */
export const unclearEmail = ({ unclearEmail: why }: Caller): string | null =>
  why === undefined
    ? null
    : `The claim email_verified of your ID token ${why === 'missing' ? 'is missing' : 'is the text "true"'}, so your e-mail address does not count. Let the identity provider send email_verified: true, or name it in OIDC_TRUSTED_EMAIL_ISSUERS.`;

/** A record may be the caller's own, but for what `unclearEmail` says of the address. */
export class AddressDoesNotCount extends Error {
  override readonly name = 'AddressDoesNotCount';
}

/** A caller's membership of one organisation. */
export interface Member {
  readonly memberId: string;
  readonly subject: string;
  readonly role: MemberRole;
}

/** How fresh the knowledge of a membership must be. */
export interface Need {
  /** Whether something may change by the request: it is judged by the current state, a read by the state within 1 s. */
  readonly command: boolean;
  /** Sent with a read: it is judged by the current state too. */
  readonly consistencyToken: string | null;
}

/** Where the guard looks memberships up. */
export interface Memberships {
  /** The caller's membership, `null` where there is none or no such organisation. Binds a first sign-in. */
  find(caller: Caller, organisationId: string, need: Need): Promise<Member | null>;
}
/** Injection token of `Memberships`. */
export const MEMBERSHIPS = Symbol('Memberships');
