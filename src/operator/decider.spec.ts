import { describe, expect, it } from '@jest/globals';
import { installReactor, operator } from './decider.js';
import type { OperatorEvent } from './events.js';
import type { Stored } from '../event-store/event.js';
import type { Position } from '../event-store/port.js';

const installed = (reactor: string, position: string): Stored<OperatorEvent> => ({
  type: 'reactor.installed',
  data: { reactor },
  person: null,
  personal: null,
  id: position,
  stream: 'operator-log' as Stored['stream'],
  revision: 0,
  position: position as Position,
  metadata: {
    schemaVersion: 1,
    recordedAt: '2026-01-01T00:00:00.000Z',
    actor: { type: 'system', id: reactor },
    commandId: reactor,
    requestHash: null,
    correlationId: reactor,
    causationId: null,
  },
  chain: null,
});

describe('the operator’s stream', () => {
  it('installs a reactor once', () => {
    expect(installReactor(operator.initial, { reactor: 'a' })).toMatchObject({
      events: [{ type: 'reactor.installed', data: { reactor: 'a' } }],
    });
    const state = operator.evolve(operator.initial, installed('a', '1'));
    expect(installReactor(state, { reactor: 'a' })).toEqual({ kind: 'accepted', events: [] });
  });

  it('keeps the first position of each, so that nothing asked in between is left out', () => {
    const state = [installed('a', '1'), installed('b', '2'), installed('a', '3')].reduce(
      operator.evolve,
      operator.initial,
    );
    expect([...state.reactors]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });
});
