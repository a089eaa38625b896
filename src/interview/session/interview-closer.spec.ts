import { expect, it } from '@jest/globals';
import { finishInterviews } from './interview-closer.js';

it('an interview is finished as much later as its candidate was granted, and at no time before its first question', () => {
  const { dueAt } = finishInterviews({ finish: async () => undefined });
  const due = (endsAt: string | null, timeFactor: number) =>
    dueAt({ endsAt, timeFactor } as Parameters<typeof dueAt>[0]);
  const endsAt = '2026-03-01T11:00:00.000Z';
  expect(due(endsAt, 1)).toBe(endsAt);
  expect(due(endsAt, 1.5)).toBe('2026-03-01T11:30:00.000Z');
  expect(due(null, 1.5)).toBe('');
});
