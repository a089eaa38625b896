import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { foldedReader } from '../../../test/support/folded-reader.js';
import { uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { accept } from '../../core/decider.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { EventStore, RecordedEvent, StreamName } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { organisation } from '../../domain/organisation/decider.js';
import {
  INITIAL_SETTINGS,
  type MemberRole,
  type OrganisationEvent,
} from '../../domain/organisation/events.js';
import { ConsistencyTokens } from '../../engine/reads/tokens.js';
import type { Caller } from '../caller.js';
import { Reads } from '../reads.js';
import { Rosters, StreamMemberships } from './memberships.js';

const ORG = uuid('org');
const READ = { command: false, consistencyToken: null };
const COMMAND = { command: true, consistencyToken: null };
const as = (subject: string): Caller => ({
  subject,
  email: null,
  emailVerified: false,
  expiresAt: Infinity,
});

/** A log that can be unreachable, or be slow to answer, and that counts its reads. */
class UnsteadyStore extends MemoryEventStore {
  isUnreachable = false;
  reads = 0;
  gate: Promise<void> = Promise.resolve();

  override async *readStream(
    stream: StreamName,
    options?: Parameters<EventStore['readStream']>[1],
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    this.reads++;
    await this.gate;
    if (this.isUnreachable) throw new StoreUnavailable('The log cannot be reached.');
    yield* super.readStream(stream, options);
  }
}

/** One organisation; a view that shows the log as of the last `show`. */
const openRig = async () => {
  const store = new UnsteadyStore();
  const vault = new MemoryVault();
  const codec = createCodec(eventRegistry, new Sealer(vault));
  const hasher = new KeyedHasher(randomBytes(32));
  const contexts = new CommandContexts(hasher);
  const streams = new CommandStreams(store, codec);
  const submit = async (...events: readonly OrganisationEvent[]): Promise<void> => {
    const context = contexts.forSystem({ type: 'system', id: 'test' }, 'test');
    await streams.handle(organisation, ORG, context, () => accept(...events));
  };
  const plain = { organisationId: ORG };
  const join = async (subject: string, role: MemberRole): Promise<void> => {
    const memberId = uuid(subject) as PersonId;
    await vault.keys.create(memberId);
    const ids = { ...plain, memberId };
    const personal = { email: `${subject}@example.org` };
    await submit(
      { type: 'member.added', data: { ...ids, role, subject }, person: memberId, personal },
      { type: 'member.bound', data: { ...ids, subject }, person: memberId, personal },
    );
  };
  const about = (subject: string) => ({ ...plain, memberId: uuid(subject) });
  const remove = (subject: string) =>
    submit({
      type: 'member.removed',
      data: { ...about(subject), formerRole: 'admin' },
      person: null,
      personal: null,
    });
  const demote = (subject: string) =>
    submit({
      type: 'member.role_changed',
      data: { ...about(subject), role: 'reviewer', formerRole: 'admin' },
      person: null,
      personal: null,
    });
  let shown: Stored[] = [];
  const show = async (): Promise<void> => {
    shown = [];
    for await (const recorded of store.readAll({})) {
      const decoded = await codec.decode(recorded);
      if (decoded.kind === 'event') shown.push(decoded.event);
    }
  };
  /** As a process that has read nothing yet. */
  const open = (): StreamMemberships => {
    const tokens = new ConsistencyTokens(store.logId, (...parts) => hasher.hmac(...parts));
    const reads = new Reads(foldedReader(shown), store, tokens);
    return new StreamMemberships(reads, streams, new Rosters(store, codec), vault, hasher, contexts);
  };
  const settings = {
    name: 'Example',
    ...INITIAL_SETTINGS,
  } as const;
  await submit({
    type: 'organisation.created',
    data: { ...plain, ...settings },
    person: null,
    personal: null,
  });
  return { store, join, remove, demote, show, open };
};

describe('a membership', () => {
  it('is judged by the stream for a command, whatever was read a moment ago and any view shows', async () => {
    const { join, remove, demote, show, open } = await openRig();
    await join('ann', 'admin');
    await join('ben', 'admin');
    await show();
    const memberships = open();
    for (const subject of ['ann', 'ben'])
      expect(await memberships.find(as(subject), ORG, READ)).toMatchObject({ role: 'admin' });
    await remove('ann');
    await demote('ben');
    expect(await memberships.find(as('ann'), ORG, COMMAND)).toBeNull();
    expect(await memberships.find(as('ben'), ORG, COMMAND)).toMatchObject({ role: 'reviewer' });
    expect(await memberships.find(as('ann'), ORG, READ)).toBeNull();
    expect(await memberships.all(as('ann'), { consistencyToken: null })).toEqual([]);
  });

  it('of somebody who came a moment ago counts for a read too', async () => {
    const { join, open } = await openRig();
    await join('ann', 'admin');
    const memberships = open();
    await memberships.find(as('ann'), ORG, READ);
    await join('ben', 'reviewer');
    expect(await memberships.find(as('ben'), ORG, READ)).toMatchObject({ role: 'reviewer' });
  });

  it('costs the log one read for many who ask at the same time, and never an older one', async () => {
    const { store, join, remove, open } = await openRig();
    await join('ann', 'admin');
    const memberships = open();
    await memberships.find(as('ann'), ORG, COMMAND);
    let release = (): void => undefined;
    store.gate = new Promise((resolve) => (release = resolve));
    store.reads = 0;
    const early = memberships.find(as('ann'), ORG, COMMAND);
    const late = Promise.all(
      Array.from({ length: 20 }, async () => memberships.find(as('ann'), ORG, COMMAND)),
    );
    const removed = remove('ann');
    release();
    await Promise.all([early, removed]);
    await late;
    expect(store.reads).toBeLessThanOrEqual(4);
    expect(await memberships.find(as('ann'), ORG, COMMAND)).toBeNull();
  });

  describe('while the log cannot be reached', () => {
    it('stands for reads as the view shows it, and for no command', async () => {
      const { store, join, show, open } = await openRig();
      await join('ann', 'admin');
      await show();
      const memberships = open();
      store.isUnreachable = true;
      expect(await memberships.find(as('ann'), ORG, READ)).toMatchObject({ role: 'admin' });
      expect(await memberships.find(as('eve'), ORG, READ)).toBeNull();
      expect(await memberships.all(as('ann'), { consistencyToken: null })).toMatchObject([{ role: 'admin' }]);
      await expect(memberships.find(as('ann'), ORG, COMMAND)).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('does not come back by a view that is behind what was read of the stream', async () => {
      const { store, join, remove, demote, show, open } = await openRig();
      await join('ann', 'admin');
      await join('ben', 'admin');
      await show();
      const memberships = open();
      await remove('ann');
      await demote('ben');
      expect(await memberships.find(as('ann'), ORG, COMMAND)).toBeNull();
      store.isUnreachable = true;
      // Read with a token, so that the stream is asked again.
      const fresh = { command: false, consistencyToken: 'any' };
      expect(await memberships.find(as('ann'), ORG, fresh)).toBeNull();
      expect(await memberships.find(as('ben'), ORG, fresh)).toMatchObject({ role: 'reviewer' });
    });

    it('is waited for no longer by the next read than a moment, and by the stream again once it is back', async () => {
      const { store, join, remove, show, open } = await openRig();
      await join('ann', 'admin');
      await show();
      const memberships = open();
      store.isUnreachable = true;
      await memberships.find(as('ann'), ORG, READ);
      let release = (): void => undefined;
      store.gate = new Promise((resolve) => (release = resolve));
      expect(await memberships.find(as('ann'), ORG, READ)).toMatchObject({ role: 'admin' });
      store.isUnreachable = false;
      release();
      await remove('ann');
      expect(await memberships.find(as('ann'), ORG, COMMAND)).toBeNull();
      expect(await memberships.find(as('ann'), ORG, READ)).toBeNull();
    });
  });
});
