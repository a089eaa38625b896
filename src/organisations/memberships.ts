import { LRUCache } from 'lru-cache';
import { type MemberDocument, members } from '../../projections/members.js';
import type { Caller, Member, Memberships } from '../access/caller.js';
import type { CommandContexts } from '../app/commands/context.js';
import type { Freshness, Reads } from '../app/reads.js';
import type { CommandStreams } from '../event-store/handle.js';
import { streamName } from '../event-store/stream-name.js';
import type { KeyedHasher } from '../vault/keyed-hash.js';
import type { Vault } from '../vault/port.js';
import { bindMember } from './decider-members.js';
import { organisation } from './decider.js';

const ANY = { consistencyToken: null };
const REMEMBERED = 10_000;

/**
 * Memberships by the members view, so that reads go on while the event store is away. A caller whom the view does
 * not know by subject may be one who was invited by e-mail: a verified address binds the subject, once.
 */
export class ViewMemberships implements Memberships {
  /**
   * Where a caller's membership was found last. Only the place is remembered: what stands there is read each time,
   * so that a role that was changed or taken away, by whatever process, counts at once.
   */
  private readonly places = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    private readonly vault: Vault,
    private readonly hasher: KeyedHasher,
    private readonly contexts: CommandContexts,
  ) {}

  async find(caller: Caller, organisationId: string, freshness: Freshness): Promise<Member | null> {
    const { subject } = caller;
    const key = `${organisationId} ${subject}`;
    const place = this.places.get(key);
    const there = place === undefined ? null : await this.reads.outline(members, place, freshness);
    if (there?.document.signedIn && there.document.subject === subject)
      return memberOf(there.document, subject);
    const known = await this.reads.only(members, 'bySubject', [subject, organisationId], freshness);
    if (known?.document.signedIn) {
      this.places.set(key, known.id);
      return memberOf(known.document, subject);
    }
    if (known || (await this.mayBeInvited(caller)).has(organisationId))
      return this.signIn(caller, organisationId);
    return null;
  }

  /** Binds the caller wherever a verified address is expected, before all memberships are listed. */
  async signInEverywhere(caller: Caller): Promise<void> {
    const { items } = await this.reads.page(
      members,
      { index: 'bySubject', prefix: [caller.subject], limit: 1_000 },
      ANY,
    );
    const bound = new Set(
      items.flatMap(({ document }) => (document.signedIn ? document.organisationId : [])),
    );
    const waiting = items.flatMap(({ document }) => (document.signedIn ? [] : document.organisationId));
    for (const organisationId of new Set([...waiting, ...(await this.mayBeInvited(caller))])) {
      if (!bound.has(organisationId)) await this.signIn(caller, organisationId);
    }
  }

  /** Organisations in which the caller's verified address was added; a hint, the organisation's stream decides. */
  private async mayBeInvited({ email, emailVerified }: Caller): Promise<ReadonlySet<string>> {
    if (email === null || !emailVerified) return new Set();
    const carriers = await this.vault.carriers.list(this.hasher.emailHash(email));
    return new Set(carriers.flatMap((ref) => (ref.kind === 'member' ? ref.organisationId : [])));
  }

  /** The answer to this very request shows the membership, so it waits until the view does. */
  private async signIn(caller: Caller, organisationId: string): Promise<Member | null> {
    const { subject, email, emailVerified } = caller;
    const handled = await this.streams.handle(
      organisation,
      streamName('organisation', organisationId),
      this.contexts.forSystem({ type: 'staff', id: subject }, 'first sign-in'),
      (state) => bindMember(state, { subject, verifiedEmail: emailVerified ? email : null }),
    );
    if (handled.kind === 'refused') return null;
    const member = handled.state?.members.find((one) => one.subject === subject);
    if (!member) return null;
    // Also where nothing changed: the view may lag behind a sign-in whose answer was lost.
    await this.reads.waitFor([members], handled.position);
    return { memberId: member.memberId, subject, role: member.role };
  }
}

const memberOf = ({ memberId, role }: MemberDocument, subject: string): Member => ({
  memberId,
  subject,
  role,
});
