import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { NoticesDocument, PendingNotice } from '../../../projections/notices.js';
import { uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { wrapEventStore } from '../../../test/support/projection-rig.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { accept } from '../../core/decider.js';
import { START } from '../../core/event-store.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidate, eraseCandidate } from '../../domain/candidate/decider.js';
import type { CandidateInvited } from '../../domain/candidate/events.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { DEFINITION_DEFAULTS } from '../../domain/role/events.js';
import type { DeliveryRequested } from '../../domain/webhook/events.js';
import { requestDeliveries } from './request-deliveries.js';

const organisationId = uuid('org');
const notice: PendingNotice = {
  type: 'outcome.recorded',
  causedBy: uuid('cause'),
  timestamp: '2026-03-01T09:00:00.000Z',
  correlationId: 'request-1',
  ids: { applicationId: uuid('app') },
  webhookIds: [uuid('w1'), uuid('w2')],
};

const openRig = () => {
  const vault = new MemoryVault();
  const eventStore = new MemoryEventStore();
  const codec = createCodec(eventRegistry, new Sealer(vault));
  const hasher = new KeyedHasher(randomBytes(32));
  const contexts = new CommandContexts(hasher);
  /** As another process would: without anything kept in memory. */
  const react = async (...pending: readonly PendingNotice[]): Promise<void> => {
    const document: NoticesDocument = { organisationId, webhooks: [], pending };
    const { act } = requestDeliveries(new CommandStreams(eventStore, codec), contexts);
    await act({ id: organisationId, document, position: START });
  };
  const requested = async (): Promise<readonly DeliveryRequested['data'][]> => {
    const found: DeliveryRequested['data'][] = [];
    for await (const recorded of eventStore.readAll({})) {
      const decoded = await codec.decode(recorded);
      if (decoded.kind === 'event' && decoded.event.type === 'delivery.requested')
        found.push(decoded.event.data as DeliveryRequested['data']);
    }
    return found;
  };
  return {
    vault,
    eventStore,
    codec,
    streams: new CommandStreams(eventStore, codec),
    contexts,
    react,
    requested,
  };
};

describe('The reactor that requests deliveries', () => {
  it('asks for one to each webhook, once, whoever does it again', async () => {
    const { react, requested } = openRig();
    await react(notice);
    await Promise.all([react(notice), react({ ...notice, webhookIds: [uuid('w2')] })]);
    const found = await requested();
    expect(found.map(({ webhookId }) => webhookId)).toEqual([uuid('w1'), uuid('w2')]);
    expect(new Set(found.map(({ deliveryId }) => deliveryId)).size).toBe(2);
    const { type, causedBy, timestamp, ids } = notice;
    for (const one of found) expect(one).toMatchObject({ organisationId, type, causedBy, timestamp, ids });
  });

  it('asks for many at once, whose document is then written once', async () => {
    const { contexts, eventStore, codec } = openRig();
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let waiting = 0;
    const gated = wrapEventStore(eventStore, {
      append: async (...input) => {
        if (++waiting === 20) open();
        await opened;
        return eventStore.append(...input);
      },
    });
    const pending = Array.from({ length: 20 }, (_, n) => ({
      ...notice,
      causedBy: uuid(`c${n}`),
      webhookIds: [uuid('w1')],
    }));
    const document: NoticesDocument = { organisationId, webhooks: [], pending };
    const { act } = requestDeliveries(new CommandStreams(gated, codec), contexts);
    await act({ id: organisationId, document, position: START });
    expect(waiting).toBe(20);
  });

  it('asks again for what happened again', async () => {
    const { react, requested } = openRig();
    await react(notice, { ...notice, causedBy: uuid('later') });
    expect(await requested()).toHaveLength(4);
  });

  it('names all applications of whoever was erased', async () => {
    const { vault, streams, contexts, react, requested } = openRig();
    const candidateId = uuid('person') as PersonId;
    await vault.keys.create(candidateId);
    const context = () => contexts.forSystem({ type: 'system', id: 'test' }, 'test');
    const invited = (name: string): CandidateInvited => ({
      type: 'candidate.invited',
      data: {
        organisationId,
        candidateId,
        applicationId: uuid(`a${name}`),
        trialSessionId: uuid(`t${name}`),
        roleId: uuid('role'),
        roleVersion: 1,
        role: {
          name: '',
          overallThreshold: 0,
          dimensions: [],
          ticketIds: [],
          questions: [],
          ...DEFINITION_DEFAULTS,
        },
        invitedAt: notice.timestamp,
        expiresAt: notice.timestamp,
        language: 'en',
      },
      person: candidateId,
      personal: { email: 'ada@example.com' },
    });
    await streams.handle(candidate, candidateId, context(), () => accept(invited('1'), invited('2')));
    await streams.handle(candidate, candidateId, context(), (state) =>
      eraseCandidate(state, { cause: 'staff' }),
    );
    const ids = { organisationId, candidateId };
    await react({ ...notice, type: 'candidate.erased', ids, webhookIds: [uuid('w1')] });
    expect((await requested()).map((one) => one.ids)).toEqual([
      { ...ids, applicationIds: [uuid('a1'), uuid('a2')] },
    ]);
  });
});
