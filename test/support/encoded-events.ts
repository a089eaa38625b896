import { randomUUID } from 'node:crypto';
import type { EncodedEvent, Position, RecordedEvent, StreamName } from '../../src/core/event-store.js';
import type { PersonId } from '../../src/core/vault/port.js';
import { MemoryVault } from './memory-vault.js';

/** Metadata for events whose metadata does not matter. */
export const metadata = {
  recordedAt: '2026-01-02T03:04:05.006Z',
  actor: { type: 'candidate', id: 'person-1' },
  commandId: 'command',
  requestHash: 'request',
  correlationId: 'correlation',
  causationId: null,
} as const;

/** A vault, and a person with a key in it. @param waits whether the vault returns keys only by promises */
export const personWithKey = async (waits = false) => {
  const vault = new MemoryVault(waits);
  const person = randomUUID() as PersonId;
  await vault.keys.create(person);
  return { vault, person };
};

/** Encoded events as a store returns them: all events of one stream. */
export const recordedTrial = (encoded: readonly EncodedEvent[]): RecordedEvent[] =>
  encoded.map((event, revision) => ({
    ...event,
    stream: 'trial-1' as StreamName,
    revision,
    position: String(revision) as Position,
  }));

export const isFrozenThroughout = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout));
