import { describe, expect, it } from '@jest/globals';
import { event } from '../../../test/contracts/event-store-kit.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import type { EncodedEvent, StreamName } from '../../core/event-store.js';
import { carryErasures } from './erasures.js';

describe('Erasures that are carried into a restored log', () => {
  const [ann, bob] = ['candidate-ann', 'candidate-bob'] as StreamName[] as [StreamName, StreamName];

  const erasure = (): EncodedEvent => ({ ...event(), type: 'candidate.erased' });

  /** A former log with an erasure in each stream, and the backup of what came before. */
  const logs = async () => {
    const [former, restored] = [new MemoryEventStore(), new MemoryEventStore()];
    const invited = [event(), event()];
    for (const log of [former, restored]) await log.append(ann, 'no-stream', invited);
    await former.append(ann, 1, [erasure()]);
    await former.append(bob, 'no-stream', [event(), erasure()]);
    const erasures = former.log.filter(({ type }) => type === 'candidate.erased');
    return { restored, erasures };
  };

  it('are appended unchanged, at the end of their streams, and once', async () => {
    const { restored, erasures } = await logs();
    // The restored log continues in that stream.
    await restored.append(ann, 1, [event()]);
    expect(await carryErasures(restored, erasures)).toBe(1);
    expect(restored.log.map(({ stream, revision }) => [stream, revision])).toEqual(
      [0, 1, 2, 3].map((n) => [ann, n]),
    );
    const { id, type, data, metadata } = erasures[0]!;
    expect(restored.log[3]).toMatchObject({ id, type, data, metadata });
    expect(await carryErasures(restored, erasures)).toBe(0);
    await restored.append(ann, 3, [event()]);
    expect(await carryErasures(restored, erasures)).toBe(0);
    expect(restored.log).toHaveLength(5);
  });

  it('are left out of a log that holds nothing about the person', async () => {
    const { restored, erasures } = await logs();
    await carryErasures(restored, erasures);
    expect(restored.log.map(({ stream }) => stream)).not.toContain(bob);
  });
});
