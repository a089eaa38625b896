import { describe, expect, it } from '@jest/globals';
import type { Application, Outcome } from '../../../packages/client/src/index.js';
import { afterConflict, chosenOf, isSame, outcomeBody } from './outcome.js';

const outcome = (over: Partial<Outcome> = {}): Outcome => ({
  ...{ humanRound: 'passed', disposition: null, reason: null },
  ...{ recordedAt: '2026-03-01T09:00:00.000Z', recordedBy: 'sub-1' },
  ...over,
});

describe('an outcome that is chosen', () => {
  it('begins with what is saved, and sends no more than is chosen', () => {
    expect(chosenOf(null)).toEqual({ humanRound: '', disposition: '', reason: '' });
    expect(outcomeBody(chosenOf(outcome()))).toEqual({ humanRound: 'passed' });
    expect(outcomeBody({ humanRound: '', disposition: 'hired', reason: ' Clear. ' })).toEqual({
      disposition: 'hired',
      reason: 'Clear.',
    });
    expect(outcomeBody({ humanRound: 'failed', disposition: 'declined', reason: '' })).toEqual({
      humanRound: 'failed',
      disposition: 'declined',
    });
    expect(outcomeBody({ humanRound: '', disposition: '', reason: 'A reason alone' })).toBeNull();
  });

  it('is unsaved once it differs by more than blanks', () => {
    const began = chosenOf(outcome({ reason: 'Clear.' }));
    expect(isSame(began, { ...began, reason: 'Clear. ' })).toBe(true);
    expect(isSame(began, { ...began, reason: '' })).toBe(false);
    expect(isSame(began, { ...began, disposition: 'hired' })).toBe(false);
  });

  it('is compared if somebody else changed the outcome, not if something else of the application changed', () => {
    const application = (saved: Outcome | null) => ({ outcome: saved }) as Application;
    const began = chosenOf(outcome());
    const chosen = chosenOf(outcome({ humanRound: 'failed' }));
    const after = (saved: Outcome | null) => afterConflict(began, chosen, application(saved));
    expect(after(outcome({ recordedAt: '2026-03-02T09:00:00.000Z' }))).toBe('save again');
    expect(after(outcome({ disposition: 'hired' }))).toBe('ask');
    expect(after(null)).toBe('ask');
    // One's own write, whose answer was lost, is no other person's.
    expect(after(outcome({ humanRound: 'failed' }))).toBe('saved');
  });
});
