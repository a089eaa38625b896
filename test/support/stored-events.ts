import { randomUUID } from 'node:crypto';
import type { Position, StreamName } from '../../src/core/event-store.js';
import type { Metadata, Stored } from '../../src/core/event.js';
import type { PersonId } from '../../src/core/vault/port.js';

/** An event as a test writes it, with only the fields that matter: `storedEvents` adds the others. */
export interface Given {
  readonly type: string;
  readonly data: object;
  readonly person?: string | null;
  readonly personal?: object | null;
  /** `metadata.recordedAt`; by default one second after the former event. */
  readonly at?: string;
  readonly actor?: Metadata['actor'];
  readonly stream?: string;
  readonly revision?: number;
  readonly id?: string;
  readonly chain?: Stored['chain'];
}

const EPOCH = Date.UTC(2026, 0, 1);

/** The events, in this order, as a log returns them: with positions, times and metadata. */
export function storedEvents(given: readonly Given[]): Stored[] {
  const revisions = new Map<string, number>();
  return given.map((event, index) => {
    const stream = event.stream ?? 'test-1';
    const revision = event.revision ?? (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    return {
      type: event.type,
      data: event.data,
      person: (event.person ?? null) as PersonId | null,
      personal: event.personal ?? null,
      id: event.id ?? randomUUID(),
      stream: stream as StreamName,
      revision,
      position: String(index + 1).padStart(16, '0') as Position,
      metadata: {
        schemaVersion: 1,
        recordedAt: event.at ?? new Date(EPOCH + index * 1000).toISOString(),
        actor: event.actor ?? { type: 'system', id: 'test' },
        commandId: `command-${String(index)}`,
        requestHash: null,
        correlationId: 'correlation',
        causationId: null,
      },
      chain: event.chain ?? null,
    };
  });
}
