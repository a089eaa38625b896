import { createHash, randomUUID } from 'node:crypto';
import { storedLinks } from '../../src/core/codec-evidence.js';
import { createCodec } from '../../src/core/codec.js';
import {
  START,
  type EventStore,
  type Position,
  type RecordedEvent,
  type StreamName,
} from '../../src/core/event-store.js';
import type { AnyEvent } from '../../src/core/event.js';
import { Sealer } from '../../src/core/sealing.js';
import { evidenceKeys } from '../../src/core/signing.js';
import type { PersonId } from '../../src/core/vault/port.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { DEFINITION_DEFAULTS, type RoleDefinition } from '../../src/domain/role/events.js';
import { checkedWork } from '../../src/domain/session/check-decider.js';
import { metadata } from '../support/encoded-events.js';
import { readyResult } from '../support/evaluation-results.js';
import { MemoryVault } from '../support/memory-vault.js';

/** Signs the evidence of these tests. */
export const keys = evidenceKeys(Buffer.alloc(32, 0x11));

const role: RoleDefinition = {
  name: 'Backend engineer',
  overallThreshold: 60,
  dimensions: [
    { id: randomUUID(), name: 'Testing', weight: 60, category: 'correctness', threshold: 50, rubric: null },
    { id: randomUUID(), name: 'Rhythm', weight: 30, category: 'process', threshold: null, rubric: null },
  ],
  ticketIds: [],
  questions: [],
  ...DEFINITION_DEFAULTS,
};

/** A session's evidence as it is stored, and what a check of it needs. */
export interface StoredSession {
  readonly session: string;
  readonly evaluation: string;
  readonly person: PersonId;
  /** The events of the session, then those of its evaluation. */
  readonly events: readonly RecordedEvent[];
}

/**
 * A completed session with activities, and its evaluation with two generations.
 * @param signedBy the key that signs it
 * @param erased whether its last events are those of an erasure
 * @param batches the number of activities in each batch, in their order
 * @param late adds two hand-ins after the completion: one that arrived and was checked, one that never arrived
 */
export const storedSession = async (
  vault: MemoryVault,
  signedBy = keys,
  erased = false,
  batches: readonly number[] = [1, 1, 1],
  late = false,
): Promise<StoredSession> => {
  const person = randomUUID() as PersonId;
  await vault.keys.create(person);
  const codec = createCodec(eventRegistry, new Sealer(vault), signedBy.signer);
  const [session, evaluation] = [randomUUID(), randomUUID()];
  const ids = {
    organisationId: randomUUID(),
    candidateId: person,
    applicationId: randomUUID(),
    trialSessionId: session,
    roleId: randomUUID(),
  };
  const sentBefore = (batch: number): number => batches.slice(0, batch).reduce((sum, size) => sum + size, 0);
  const activity = (at: number) => ({
    clientEventId: `c${at}`,
    eventType: 'message.sent',
    payload: { text: `Answer ${at}` },
  });
  const opening = {
    roleVersion: 1,
    role,
    invitedAt: metadata.recordedAt,
    expiresAt: metadata.recordedAt,
    language: 'en',
  };
  const trial = [
    { type: 'trial.started', data: { opening, consent: true, identity: 'verified' }, personal: null },
    ...batches.map((size, batch) => ({
      type: 'trial.activity_recorded',
      data: { items: Array.from({ length: size }, () => ({ occurredAt: metadata.recordedAt })) },
      personal: {
        items: Array.from({ length: size }, (_, place) => activity(sentBefore(batch) + place + 1)),
      },
    })),
    {
      type: 'trial.completed',
      data: { evaluationId: evaluation, roleName: role.name, overallThreshold: 60 },
      personal: null,
    },
  ].map(({ type, data, personal }, index): AnyEvent => ({
    type,
    data: { ...ids, sequenceNumber: index === 0 ? 1 : 2 + sentBefore(index - 1), ...data },
    person,
    personal,
  }));
  const first = await codec.encode(trial, metadata, { previousHash: null });
  const head = { sequenceNumber: 2 + sentBefore(batches.length), hash: first.lastHash };
  const result = (generation: number): AnyEvent => {
    const made = readyResult({ ...ids, evaluationId: evaluation, generation }, role);
    const rationales = Object.fromEntries(role.dimensions.map(({ id }) => [id, 'Clear words.']));
    return { ...made, data: { ...made.data, head }, person, personal: { rationales, quotes: {} } };
  };
  const asked: AnyEvent = {
    type: 'evaluation.regeneration_requested',
    data: { ...ids, evaluationId: evaluation, generation: 2 },
    person,
    personal: null,
  };
  const ending = (type: string, data: object): readonly AnyEvent[] =>
    erased ? [{ type, data: { ...ids, ...data }, person, personal: null }] : [];
  const last = await codec.encode(
    ending('trial.erased', { sequenceNumber: head.sequenceNumber + 1, opening: null, withdrawn: false }),
    metadata,
    { previousHash: first.lastHash },
  );
  const after = (type: string, data: object, personal: object | null): AnyEvent => ({
    ...{ type, data: { ...ids, evaluationId: evaluation, generation: 1, ...data }, person, personal },
  });
  const content = Buffer.from(
    '# An answer in so many words that base64 needs several lines for it.\n'.repeat(3),
  );
  const bytes = content.byteLength;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const work = { handInId: randomUUID(), ticketId: 'T-1', ticketVersion: null, bytes, sha256, files: 1 };
  if (late) await vault.files.append({ person, fileId: work.handInId }, 0, content);
  const missing = [{ kind: 'hand_in', id: randomUUID(), until: metadata.recordedAt }];
  const { work: checked, findings } = checkedWork(
    { handInId: work.handInId, ticketId: 'T-1', scope: 'all', isolation: 'separate' },
    [
      {
        ...{
          hidden: true,
          treeSha256: sha256,
          runner: { name: 'command', digest: sha256 },
          ms: 9,
          output: '',
        },
        ...{ tests: [{ name: 'adds', status: 'pass', message: null }], reason: null, detail: '' },
      },
    ],
  );
  const afterwards = [
    after(
      'evaluation.work_handed_in',
      { sequenceNumber: head.sequenceNumber + 1, ...work, treeSha256: sha256 },
      { name: 'answer.md', manifest: [{ path: 'answer.md', bytes, sha256 }] },
    ),
    after('evaluation.work_checked', { sequenceNumber: head.sequenceNumber + 2, ...checked }, findings),
    after('evaluation.wait_ended', { missing }, null),
  ];
  const gone = ending('evaluation.erased', { evaluationId: evaluation, generation: 2 });
  const second = await codec.encode(
    [...(late ? afterwards : []), result(1), asked, result(2), ...gone],
    metadata,
    {
      previousHash: first.lastHash,
    },
  );
  const placed = (kind: string, id: string, encoded: typeof first.encoded): readonly RecordedEvent[] =>
    encoded.map((event, revision) => ({
      ...event,
      stream: `${kind}-${id}` as StreamName,
      revision,
      position: START,
    }));
  const events = [
    ...placed('trial', session, [...first.encoded, ...last.encoded]),
    ...placed('evaluation', evaluation, second.encoded),
  ];
  return { session, evaluation, person, events };
};

/** A log of exactly these events in this order, even if they were tampered with. */
export const logOf = (
  events: readonly RecordedEvent[],
): Pick<EventStore, 'readStream' | 'readAll' | 'head'> => {
  const log = events.map((event, index) => ({ ...event, position: positionAt(index + 1) }));
  return {
    async *readStream(stream, { from, direction = 'forward', limit = Infinity } = {}) {
      const own = log.filter((event) => event.stream === stream);
      if (direction === 'backward') own.reverse();
      const chosen = own.filter(({ revision }) => direction === 'backward' || revision >= (from ?? 0));
      yield* chosen.slice(0, limit);
    },
    async *readAll({ after = START, limit = Infinity } = {}) {
      yield* log.filter(({ position }) => position > after).slice(0, limit);
    },
    head: async () => positionAt(log.length),
  };
};

const positionAt = (place: number): Position => String(place).padStart(8, '0') as Position;

/** Gives the events of each stream new, gapless revisions, as somebody would who hides a removed event. */
export const renumbered = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => {
  const next = new Map<string, number>();
  return events.map((event) => {
    const revision = next.get(event.stream) ?? 0;
    next.set(event.stream, revision + 1);
    return { ...event, revision };
  });
};

/** An event with other bytes in its data. */
export const withData = (event: RecordedEvent, change: (text: string) => string): RecordedEvent => ({
  ...event,
  data: Buffer.from(change(Buffer.from(event.data).toString())),
});

/** An event with other bytes in its metadata. */
export const withMetadata = (event: RecordedEvent, change: (text: string) => string): RecordedEvent => ({
  ...event,
  metadata: Buffer.from(change(Buffer.from(event.metadata).toString())),
});

/** The hash of an event's link, as it is stored. */
export const hashOf = (event: RecordedEvent): string => storedLinks(event).at(-1)?.link.hash ?? '';
