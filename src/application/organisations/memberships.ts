import { Inject, Injectable } from '@nestjs/common';
import { type MemberDocument, members } from '../../../projections/members.js';
import type { Caller, Member, Memberships, Need } from '../caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { type Freshness, Reads } from '../reads.js';
import { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import type { Found } from '../../engine/reads/reads.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { VAULT } from '../tokens.js';
import type { Vault } from '../../vault/port.js';
import { bindMember, organisation } from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';
import { type Roster, Rosters } from './rosters.js';

const ANY = { consistencyToken: null };

/** A membership of the caller's, by its organisation's stream. */
export interface Standing {
  readonly organisationId: string;
  readonly role: MemberRole;
}

/**
 * Memberships by the organisations' own streams, so that a removal or another role counts though no view shows it: at
 * once for commands, within 1 s for reads. While the log is away reads go by the members view, and by the stream where
 * that was read further. A caller whom the stream does not name by subject may be one who was invited by e-mail: a
 * verified address binds the subject, once.
 */
@Injectable()
export class StreamMemberships implements Memberships {
  constructor(
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    private readonly rosters: Rosters,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly hasher: KeyedHasher,
    private readonly contexts: CommandContexts,
  ) {}

  async find(caller: Caller, organisationId: string, need: Need): Promise<Member | null> {
    const { subject } = caller;
    const roster = await this.roster(subject, organisationId, need);
    if (roster === null) return this.inView(subject, organisationId, need);
    const found = bySubject(roster, subject);
    if (found?.signedIn) return memberOf(found, subject);
    if (found || (await this.mayBeInvited(caller)).has(organisationId))
      return this.signIn(caller, organisationId);
    return null;
  }

  /** The caller's memberships that the view shows, each as its stream has it. */
  async all({ subject }: Caller, freshness: Freshness): Promise<readonly Standing[]> {
    const shown = await this.shown(subject, freshness);
    const current = await Promise.all(
      shown.map(async (document): Promise<Standing | null> => {
        const { organisationId } = document.document;
        const roster = await this.roster(subject, organisationId, { ...freshness, command: false });
        const member = roster ? bySubject(roster, subject) : this.agreed(document);
        return member ? { organisationId, role: member.role } : null;
      }),
    );
    return current.flatMap((one) => one ?? []);
  }

  /** What a caller is judged by; `null`: the log is away, and this is no command. */
  private async roster(
    subject: string,
    organisationId: string,
    { command, consistencyToken }: Need,
  ): Promise<Roster | null> {
    if (command) return this.rosters.now(organisationId);
    const recent = consistencyToken === null ? await this.rosters.recent(organisationId) : null;
    // What was read a moment ago may lack a member who was added since.
    return recent && bySubject(recent, subject)?.signedIn ? recent : this.rosters.recent(organisationId, 0);
  }

  private async inView(
    subject: string,
    organisationId: string,
    freshness: Freshness,
  ): Promise<Member | null> {
    const shown = await this.reads.only(members, 'bySubject', [subject, organisationId], freshness);
    const agreed = shown?.document.signedIn ? this.agreed(shown) : null;
    return agreed && memberOf(agreed, subject);
  }

  /** What the view shows, unless the stream was read as far: then that. */
  private agreed({ document, position }: Found<MemberDocument>): Pick<Member, 'memberId' | 'role'> | null {
    const last = this.rosters.last(document.organisationId);
    if (!last || last.position < position) return document;
    return last.members.find(({ memberId }) => memberId === document.memberId) ?? null;
  }

  private async shown(subject: string, freshness: Freshness): Promise<readonly Found<MemberDocument>[]> {
    const query = { index: 'bySubject', prefix: [subject], limit: 1_000 };
    return (await this.reads.page(members, query, freshness)).items;
  }

  /** Binds the caller wherever a verified address is expected, before all memberships are listed. */
  async signInEverywhere(caller: Caller): Promise<void> {
    const items = await this.shown(caller.subject, ANY);
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
    const lists = await Promise.all(
      this.hasher.emailHashes(email).map((hash) => this.vault.carriers.list(hash)),
    );
    return new Set(lists.flat().flatMap((ref) => (ref.kind === 'member' ? ref.organisationId : [])));
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

const bySubject = ({ members: all }: Roster, subject: string) =>
  all.find((member) => member.subject === subject);

const memberOf = ({ memberId, role }: Pick<Member, 'memberId' | 'role'>, subject: string): Member => ({
  memberId,
  subject,
  role,
});
