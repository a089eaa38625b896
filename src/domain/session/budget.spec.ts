import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_ACTIVITIES } from '../../../packages/interview-client/src/protocol/messages.js';
import { testId } from '../../../test/support/evidence-builder.js';
import { eventsOf, fold, NOW } from '../../../test/support/given-when-then.js';
import { openingFor, roleWith } from '../../../test/support/invited-session.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import type { StreamName } from '../../core/event-store.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Invitation } from '../candidate/events.js';
import { eventRegistry } from '../event-registry.js';
import { MAX_BATCH_BYTES } from './activity-types.js';
import { type Activity, checkActivities } from './activity.js';
import { recordActivity, startTrial } from './decider.js';
import type { TrialEvent } from './events.js';
import { trial } from './state.js';

const CANDIDATE = testId(9, 1) as PersonId;
const invitation: Invitation = {
  organisationId: testId(2, 1),
  candidateId: CANDIDATE,
  applicationId: testId(4, 1),
  trialSessionId: testId(5, 1),
  roleId: testId(3, 1),
  ...openingFor(roleWith()),
};
const started = eventsOf(
  startTrial(null, {
    invitation,
    now: NOW,
    expectedVersion: null,
    consent: true,
    identity: 'verified',
    notice: null,
    tickets: [],
  }),
);

const activity: fc.Arbitrary<Activity> = fc.record({
  clientEventId: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }),
  eventType: fc.stringMatching(/^[a-z][a-z0-9_.]{0,63}$/u),
  occurredAt: fc.constant(NOW),
  payload: fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<unknown>, { noNullPrototype: true }),
});

/** What a caller has a say in of an event's metadata, at its shortest and at its longest. */
const sent = fc.record({
  requestHash: fc.constantFrom(null, 'f'.repeat(64)),
  correlationId: fc.constantFrom('x', 'x'.repeat(64)),
});

const valuesIn = (value: unknown): number => {
  const inner: readonly unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.reduce((sum: number, one) => sum + valuesIn(one), 1);
};

describe('the budget of a session', () => {
  it('counts of an activity what it takes up in the log: never less, and little more for one that is alone', async () => {
    const vault = new MemoryVault();
    await vault.keys.create(CANDIDATE);
    const codec = createCodec(eventRegistry, new Sealer(vault));
    const batches = fc.oneof(fc.tuple(activity), fc.array(activity, { minLength: 1, maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(batches, sent, async (activities, { requestHash, correlationId }) => {
        const events = eventsOf(recordActivity(fold(trial, started), { invitation, now: NOW, activities }));
        const alone = activities.reduce<readonly TrialEvent[]>((past, one) => {
          const input = { invitation, now: NOW, activities: [one] };
          return [...past, ...eventsOf(recordActivity(fold(trial, past), input))];
        }, started);
        const { encoded } = await codec.encode(
          events,
          {
            recordedAt: NOW,
            actor: { type: 'candidate', id: CANDIDATE },
            commandId: testId(12, 1),
            requestHash,
            correlationId,
            causationId: null,
          },
          { previousHash: null },
        );
        const stored = encoded.reduce(
          (sum, { type, data, metadata }) => sum + 2 * type.length + data.byteLength + metadata.byteLength,
          0,
        );
        const counted = fold(trial, [...started, ...events])!.evidenceBytes;
        const values = activities.reduce((sum, { payload }) => sum + valuesIn(payload), 0);
        expect(counted).toBeGreaterThanOrEqual(stored);
        expect(counted).toBe(fold(trial, alone)!.evidenceBytes);
        if (alone.length === 2) expect(counted - stored).toBeLessThan(600 + values * 64 + 1);
      }),
      { numRuns: 30 },
    );
  });

  it('lets one append take the largest batch', async () => {
    const vault = new MemoryVault();
    await vault.keys.create(CANDIDATE);
    const empty = { clientEventId: 'x'.repeat(64), eventType: 'x', occurredAt: NOW, payload: { text: '' } };
    const text = 'x'.repeat(MAX_BATCH_BYTES / MAX_ACTIVITIES - JSON.stringify(empty).length);
    const sentTogether = Array.from({ length: MAX_ACTIVITIES }, (_, n) => ({
      ...empty,
      clientEventId: `${n}`.padStart(64, 'x'),
      payload: { text },
    }));
    const checked = checkActivities(sentTogether);
    if (checked.kind === 'invalid') throw new Error('It is as large as a batch may be.');
    const { activities } = checked;
    const events = eventsOf(recordActivity(fold(trial, started), { invitation, now: NOW, activities }));
    const metadata = {
      recordedAt: NOW,
      actor: { type: 'candidate', id: CANDIDATE },
      commandId: testId(12, 1),
      requestHash: 'f'.repeat(64),
      correlationId: 'x'.repeat(64),
      causationId: null,
    } as const;
    const codec = createCodec(eventRegistry, new Sealer(vault));
    const { encoded } = await codec.encode(events, metadata, { previousHash: null });
    const log = new MemoryEventStore();
    expect(await log.append('trial-1' as StreamName, 'no-stream', encoded)).toMatchObject({
      kind: 'appended',
    });
  });

  it('counts of an activity what it takes up once it is read, where that is more', () => {
    const full = (payload: Activity['payload']) => {
      const activities = [{ clientEventId: 'x', eventType: 'x', occurredAt: NOW, payload }];
      const events = eventsOf(recordActivity(fold(trial, started), { invitation, now: NOW, activities }));
      return fold(trial, [...started, ...events])!.evidenceBytes;
    };
    const list = Array.from({ length: 5_000 }, () => ({}));
    const text = 'x'.repeat(JSON.stringify(list).length);
    expect(full({ list })).toBeGreaterThan(full({ text }) + 5_000 * 50);
  });
});
