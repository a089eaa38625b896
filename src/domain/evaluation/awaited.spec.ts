import { expect, it } from '@jest/globals';
import { after, NOW } from '../../../test/support/given-when-then.js';
import { firstDeadline } from './awaited.js';

it('what is awaited is given up first at the earliest of its deadlines, of which checks have none', () => {
  const handIn = (id: string, until: string) => ({ kind: 'hand_in', id, until }) as const;
  const check = { kind: 'check', id: 'c' } as const;
  const [late, early] = [handIn('late', after(2_000)), handIn('early', NOW)];
  expect(firstDeadline([late, check, early])).toBe(NOW);
  expect(firstDeadline([early, late])).toBe(NOW);
  expect(firstDeadline([check])).toBeNull();
});
