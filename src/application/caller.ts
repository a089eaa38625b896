import type { MemberRole } from '../domain/organisation/events.js';
import type { Permission } from '../domain/organisation/permissions.js';

/** Who sent a request, by a verified ID token. It establishes identity alone, never access. */
export interface Caller {
  /** The provider's `sub`: 1 to 255 characters. */
  readonly subject: string;
  /** As the provider wrote it, `null` if the token carries none. */
  readonly email: string | null;
  /** True only if the token has an e-mail and `email_verified: true`, or its issuer's addresses count without that. */
  readonly emailVerified: boolean;
  /**
   * The token has an e-mail, and no `email_verified` or the text "true": the address gives access to nothing. Left out
   * if neither is so.
   */
  readonly unclearEmail?: 'missing' | 'text';
  /** The token's `exp`, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Signed in by a code for candidates: never a member of an organisation. */
  readonly candidateOnly?: true;
}

/**
 * Why a caller's address does not count, as a sentence for the person who configures the provider; `null`: it counts. It
 * reveals only what the caller's own token has.
 */
export const unclearEmail = ({ unclearEmail: why }: Caller): string | null =>
  why === undefined
    ? null
    : `The claim email_verified of your ID token ${why === 'missing' ? 'is missing' : 'is the text "true"'}, so your e-mail address does not count. Let the identity provider send email_verified: true, or name it in OIDC_TRUSTED_EMAIL_ISSUERS.`;

/** The record may belong to the caller, but their address does not count: the message is `unclearEmail`'s. */
export class AddressDoesNotCount extends Error {
  override readonly name = 'AddressDoesNotCount';
}

/** A caller's membership of one organisation. */
export interface Member {
  readonly memberId: string;
  /** The subject by which limits and Idempotency-Keys are counted; of an API key the key's id. */
  readonly subject: string;
  readonly role: MemberRole;
  /** The key that the member's program called with; left out if the member called. */
  readonly apiKey?: {
    /** Only permissions among these are allowed, and only if the role has them. */
    readonly scopes: readonly Permission[];
  };
}

/** How fresh the knowledge of a membership must be. */
export interface MembershipFreshness {
  /** Whether the request is a command: it is admitted by the current state, a read by a state at most 1 s old. */
  readonly command: boolean;
  /** Sent with a read: the read is admitted by the current state too. `null`: it came with none. */
  readonly consistencyToken: string | null;
}

/** Finds memberships, for the guard. */
export interface Memberships {
  /** The caller's membership, `null` if there is none or no such organisation. Binds a first sign-in. */
  find(caller: Caller, organisationId: string, need: MembershipFreshness): Promise<Member | null>;
}
/** Injection token of `Memberships`. */
export const MEMBERSHIPS = Symbol('Memberships');

/** Finds the owners of API keys, for the guard. */
export interface ApiKeyHolders {
  /**
   * The owner by what is recorded at the call; `null`: the key is unknown, has ended or was revoked.
   * @throws {StoreUnavailable | VaultUnavailable}
   */
  find(token: string): Promise<{ readonly organisationId: string; readonly member: Member } | null>;
}
/** Injection token of `ApiKeyHolders`. */
export const API_KEY_HOLDERS = Symbol('ApiKeyHolders');
