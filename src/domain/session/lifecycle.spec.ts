import { describe, expect, it } from '@jest/globals';
import { NOW, stored } from '../../../test/support/given-when-then.js';
import type { LifecycleEvent } from './events.js';
import {
  atInvitation,
  END_TYPES,
  isClosed,
  isRunning,
  type Life,
  LIFECYCLE_TYPES,
  type LifecycleType,
  evolveLife,
  mayFollow,
  TRIAL_STATUSES,
} from './lifecycle.js';

const LATER = '2026-04-01T00:00:00.000Z';
const invited = atInvitation({ expiresAt: '2026-03-15T00:00:00.000Z' });
const data = { evaluationId: 'e', expiresAt: LATER };
const eventOf = (type: LifecycleType) =>
  stored({ type, data, person: null, personal: null } as unknown as LifecycleEvent);
const after = (before: Life, ...types: readonly LifecycleType[]): Life =>
  types.reduce((life, type) => evolveLife(life, eventOf(type)), before);

describe('the life of a session', () => {
  it('leads from each status by these events alone', () => {
    const table = TRIAL_STATUSES.map((status) => [
      status,
      LIFECYCLE_TYPES.filter((type) => mayFollow({ status }, type)).map(
        (type) => `${type} -> ${evolveLife({ ...invited, status }, eventOf(type)).status}`,
      ),
    ]);
    const ends = ['trial.withdrawn -> withdrawn', 'trial.expired -> expired', 'trial.erased -> withdrawn'];
    expect(Object.fromEntries(table)).toEqual({
      invited: ['trial.started -> started', 'trial.extended -> invited', ...ends],
      started: [
        'trial.extended -> started',
        'trial.interrupted -> interrupted',
        'trial.completed -> completed',
        ...ends,
      ],
      interrupted: [
        'trial.extended -> interrupted',
        'trial.resumed -> started',
        'trial.completed -> completed',
        ...ends,
      ],
      completed: [],
      expired: [],
      withdrawn: [],
    });
  });

  it('ends by one of three events, or by an erasure', () => {
    expect(END_TYPES).toEqual(['trial.completed', 'trial.withdrawn', 'trial.expired']);
    for (const type of [...END_TYPES, 'trial.erased'] as const) {
      const ended = after(invited, 'trial.started', type);
      expect(ended).toMatchObject({ startedAt: NOW, endedAt: NOW, version: 3 });
      expect([isClosed(ended), isRunning(ended)]).toEqual([true, false]);
    }
  });

  it('keeps what it does not change, and what an event brings', () => {
    expect(after(invited, 'trial.extended')).toEqual({ ...invited, expiresAt: LATER, version: 2 });
    expect(after(invited, 'trial.started', 'trial.interrupted', 'trial.resumed')).toEqual({
      ...invited,
      status: 'started',
      startedAt: NOW,
      version: 4,
    });
    expect(after(invited, 'trial.started', 'trial.completed')).toMatchObject({ evaluationId: 'e' });
  });

  it('only counts an event that may not follow', () => {
    for (const status of TRIAL_STATUSES)
      for (const type of LIFECYCLE_TYPES) {
        const before = { ...invited, status };
        if (!mayFollow(before, type)) expect(after(before, type)).toEqual({ ...before, version: 2 });
      }
  });
});
