import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type MemberDocument, members } from '../../../projections/members.js';
import { gapless, EXPIRE_WHEN_UNUSED } from '../../core/aggregate.js';
import { within } from '../../core/backoff.js';
import type { Codec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { Slices } from '../../core/concurrency.js';
import { StoreUnavailable } from '../../core/errors.js';
import { type EventStore, type Position, START, streamName } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { bindMember, organisation, type Member as RosterMember } from '../../domain/organisation/decider.js';
import type { MemberRole, OrganisationEvent } from '../../domain/organisation/events.js';
import type { Found } from '../../engine/reads/reads.js';
import type { Vault } from '../../vault/port.js';
import type { Caller, Member, Memberships, MembershipFreshness } from '../caller.js';
import { type Freshness, Reads } from '../reads.js';
import { CODEC, EVENT_STORE, VAULT } from '../tokens.js';

/** The members of one organisation, without their e-mail addresses, as its stream has them. */
interface Roster {
  readonly members: readonly RosterMember[];
  /** The position of the stream's last event; `START` without one. */
  readonly position: Position;
}

/** A roster with what is needed to continue reading from it. */
interface Known extends Roster {
  readonly state: typeof organisation.initial;
  /** The revision of the next event to read. */
  readonly next: number;
  /** When the last read began that reached the stream's end, by `performance.now()`. */
  asOf: number;
}

/** Age up to which a roster in memory may decide about a read, in milliseconds: a removal ends reads within 1 s. */
const RECENT_MS = 500;
/** How long a read waits for the log while it cannot be reached, in milliseconds. */
const UNREACHABLE_WAIT_MS = 250;
/** How many organisations are cached. */
const CACHED_ORGANISATIONS = 2_000;

/**
 * The members of organisations, by the organisations' own streams. Callers are admitted by these and not by a view, which
 * may lag: a removal has to count at once.
 */
@Injectable()
export class Rosters {
  private readonly known = new LRUCache<string, Known>({ max: CACHED_ORGANISATIONS, ...EXPIRE_WHEN_UNUSED });
  /** By organisation, the read under way, and the next one, which all calls meanwhile share. */
  private readonly running = new Map<string, Promise<Known>>();
  private readonly queued = new Map<string, Promise<Known>>();
  /** Whether the log could not be reached at the last read. */
  private isLogUnreachable = false;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CODEC) private readonly codec: Codec,
  ) {}

  /**
   * The members as the stream has them at the call. One read of an organisation runs at a time: calls meanwhile share
   * the next one.
   * @throws {StoreUnavailable}
   */
  now(organisationId: string): Promise<Roster> {
    const queued = this.queued.get(organisationId);
    if (queued) return queued;
    const running = this.running.get(organisationId);
    if (!running) return this.begin(organisationId);
    const leave = () => this.queued.delete(organisationId);
    const next = running.then(
      () => {
        leave();
        return this.begin(organisationId);
      },
      (error: unknown) => {
        leave();
        throw error;
      },
    );
    this.queued.set(organisationId, next);
    return next;
  }

  /**
   * The members as of at most `maxAgeMs` ago; `null`: the log cannot be reached.
   * @param maxAgeMs 0: as of the call
   */
  async recent(organisationId: string, maxAgeMs = RECENT_MS): Promise<Roster | null> {
    const known = this.known.get(organisationId);
    if (known && performance.now() - known.asOf < maxAgeMs) return known;
    const reading = this.now(organisationId).catch(nullIfUnreachable);
    return this.isLogUnreachable ? within(UNREACHABLE_WAIT_MS, reading, () => null) : reading;
  }

  /** The roster in memory, of any age; `null`: there is none. */
  last(organisationId: string): Roster | null {
    return this.known.get(organisationId) ?? null;
  }

  private begin(organisationId: string): Promise<Known> {
    const running = this.catchUp(organisationId).finally(() => this.running.delete(organisationId));
    this.running.set(organisationId, running);
    return running;
  }

  /** Reads what the stream has beyond the cached roster. @throws {StoreUnavailable} */
  private async catchUp(organisationId: string): Promise<Known> {
    const asOf = performance.now();
    const stream = streamName('organisation', organisationId);
    const from = this.known.get(organisationId);
    let { state, next, position } = from ?? { state: organisation.initial, next: 0, position: START };
    const slices = new Slices();
    try {
      for await (const recorded of gapless(this.store, stream, { from: next })) {
        const decoded = this.codec.outline(recorded);
        if (decoded.kind !== 'event')
          throw new StoreUnavailable(
            `The stream ${stream} holds an event of type ${decoded.type} that a newer version of this program wrote.`,
          );
        state = organisation.evolve(state, decoded.event as Stored<OrganisationEvent>);
        next = recorded.revision + 1;
        position = recorded.position;
        await slices.next();
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) this.isLogUnreachable = true;
      throw error;
    }
    this.isLogUnreachable = false;
    if (from && next === from.next) {
      from.asOf = asOf;
      return from;
    }
    const known: Known = { state, members: state?.members ?? [], next, position, asOf };
    // An id without an organisation is not cached: any caller can send such ids.
    if (state !== null) this.known.set(organisationId, known);
    return known;
  }
}

const nullIfUnreachable = (error: unknown): null => {
  if (error instanceof StoreUnavailable) return null;
  throw error;
};

const ANY = { consistencyToken: null };

/** A membership of the caller's, by its organisation's stream. */
export interface CallerMembership {
  readonly organisationId: string;
  readonly role: MemberRole;
}

/**
 * Memberships by the organisations' own streams, so that a removal or another role counts though no view shows it: at
 * once for commands, within 1 s for reads. While the log cannot be reached, reads use the members view, or the roster in
 * memory if it is newer. If the stream does not have the caller's subject, the caller may have been invited by e-mail: a
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

  async find(caller: Caller, organisationId: string, need: MembershipFreshness): Promise<Member | null> {
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
  async all({ subject }: Caller, freshness: Freshness): Promise<readonly CallerMembership[]> {
    const shown = await this.shown(subject, freshness);
    const current = await Promise.all(
      shown.map(async (document): Promise<CallerMembership | null> => {
        const { organisationId } = document.document;
        const roster = await this.roster(subject, organisationId, { ...freshness, command: false });
        const member = roster ? bySubject(roster, subject) : this.agreed(document);
        return member ? { organisationId, role: member.role } : null;
      }),
    );
    return current.flatMap((one) => one ?? []);
  }

  /** The roster that decides about a request; `null`: the log cannot be reached, and the request is a read. */
  private async roster(
    subject: string,
    organisationId: string,
    { command, consistencyToken }: MembershipFreshness,
  ): Promise<Roster | null> {
    if (command) return this.rosters.now(organisationId);
    const recent = consistencyToken === null ? await this.rosters.recent(organisationId) : null;
    // What was read a moment ago may lack a member who was added since.
    return recent && bySubject(recent, subject)?.signedIn ? recent : this.rosters.recent(organisationId, 0);
  }

  /** The caller's membership that the view shows, for a read while the log cannot be reached. */
  private async inView(
    subject: string,
    organisationId: string,
    freshness: Freshness,
  ): Promise<Member | null> {
    const shown = await this.reads.only(members, 'bySubject', [subject, organisationId], freshness);
    const agreed = shown?.document.signedIn ? this.agreed(shown) : null;
    return agreed && memberOf(agreed, subject);
  }

  /** The membership by the view, or by the roster in memory if that is as new. */
  private agreed({ document, position }: Found<MemberDocument>): Pick<Member, 'memberId' | 'role'> | null {
    const last = this.rosters.last(document.organisationId);
    if (!last || last.position < position) return document;
    return last.members.find(({ memberId }) => memberId === document.memberId) ?? null;
  }

  /** Memberships that the members view has under the subject, invitations that wait for a sign-in included. */
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

  /** Binds the subject, and waits until the members view shows it: the answer to this request must show the membership. */
  private async signIn(caller: Caller, organisationId: string): Promise<Member | null> {
    const { subject, email, emailVerified } = caller;
    const handled = await this.streams.handle(
      organisation,
      organisationId,
      this.contexts.forSystem({ type: 'staff', id: subject }, 'first sign-in'),
      (state) => bindMember(state, { subject, verifiedEmail: emailVerified ? email : null }),
    );
    if (handled.kind === 'refused') return null;
    const member = handled.state?.members.find((one) => one.subject === subject);
    if (!member) return null;
    // Also if nothing changed: the view may lag behind a sign-in whose answer was lost.
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
