import { expect, it } from '@jest/globals';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MAIL_ACTIONS, preRestoreDetails } from '../../domain/operations/decider.js';
import { OperatorError } from './program.js';
import { requestsIn } from './requests.js';

it.each([
  [MAIL_ACTIONS.release, MAIL_ACTIONS.giveUp],
  [MAIL_ACTIONS.giveUp, MAIL_ACTIONS.release],
])('one decision is taken on what is held, of two that come at once: %s, %s', async (...actions) => {
  const log = new MemoryEventStore();
  const until = '2026-03-01T09:30:00.000Z';
  await requestsIn(log).record(MAIL_ACTIONS.hold, preRestoreDetails({ until, are: 'held' }));
  const operators = actions.map((action) => requestsIn(log).decideOnHeldMails(action));
  const [first, second] = await Promise.allSettled(operators);
  expect(first).toEqual({ status: 'fulfilled', value: until });
  expect(second).toMatchObject({ status: 'rejected', reason: expect.any(OperatorError) });
  const { preRestoreMails } = await requestsIn(log).state();
  expect(preRestoreMails).toEqual(actions[0] === MAIL_ACTIONS.giveUp ? { until, are: 'failed' } : null);
});
