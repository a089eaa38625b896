import { planActivities, type PlannedActivity } from '../simulate/plan.js';
import { Random } from '../simulate/random.js';
import type { DemoRole, Skill } from './cast.js';

/** What candidates do on their tickets, as their programs report it. */

const SEED = 7;
/** People are slower than those who are simulated. */
const SLOWER = 6;

const FILES: Readonly<Record<DemoRole, readonly string[]>> = {
  backend: ['main.mjs', 'README.md', 'test/till.test.mjs'],
  data: ['first-month.sql', 'checks.sql', 'report.md'],
  support: ['answers.md'],
};
/** Nothing is run to write an answer to a customer. */
const LEFT_OUT: Readonly<Record<DemoRole, readonly string[]>> = {
  backend: [],
  data: [],
  support: ['test.run', 'file.changed'],
};

/** @param place the candidate's number: candidates of different numbers do different things */
export const activitiesOf = (candidate: {
  readonly role: DemoRole;
  readonly skill: Skill;
  readonly place: number;
  /** Ids of the tickets of the role for which nothing is handed in. */
  readonly tickets: readonly string[];
}): readonly PlannedActivity[] => {
  const { role, skill, place, tickets } = candidate;
  const finishes = skill === 'strong' || (skill === 'fair' && place % 3 !== 0);
  const leftOut = [
    'message.sent',
    'editor.theme_changed',
    ...LEFT_OUT[role],
    ...(finishes ? [] : ['ticket.finished']),
  ];
  const random = new Random(SEED, place);
  return planActivities(random, tickets)
    .filter(({ eventType }) => !leftOut.includes(eventType))
    .map(({ eventType, payload, at }) => ({
      eventType,
      payload: eventType === 'file.changed' ? { ...payload, path: random.pick(FILES[role]) } : payload,
      at: at * SLOWER,
    }));
};
