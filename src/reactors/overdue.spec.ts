import { describe, expect, it } from '@jest/globals';
import { after, NOW, specification } from '../../test/support/given-when-then.js';
import type { PersonId } from '../core/vault/port.js';
import { candidate } from '../domain/candidate/decider.js';
import type { CandidateEvent } from '../domain/candidate/events.js';
import { eraseOverdue, keptSince } from './retention.js';

const DAY = 86_400_000;
const ids = { organisationId: 'o', candidateId: 'c' };
const base = { person: 'c' as PersonId };
const invited = {
  ...base,
  type: 'candidate.invited',
  data: ids,
  personal: { email: 'cy@x.org' },
} as CandidateEvent;
const erased: CandidateEvent = {
  ...base,
  type: 'candidate.erased',
  data: { ...ids, cause: 'retention' },
  personal: null,
};
const spec = specification(candidate);
const on = { retentionDays: 30, now: new Date(NOW) };
const ended = (days: number, outcomeDays: number | null = null) => ({
  endedAt: after(-days * DAY),
  outcomeChangedAt: outcomeDays === null ? null : after(-outcomeDays * DAY),
});
const open = { endedAt: null, outcomeChangedAt: null };

it('days are counted back from now', () => {
  expect(keptSince(1, new Date(NOW))).toBe(after(-DAY));
});

describe('a candidate who was kept for 30 days', () => {
  it.each([
    ['30 days after the end', [ended(30)]],
    ['30 days after the last outcome', [ended(90, 30)]],
    ['30 days after the last of several ends', [ended(90, 60), ended(30)]],
  ])('is erased %s', (_, applications) => {
    spec
      .given(invited)
      .when((state) => eraseOverdue(state, { ...on, applications }))
      .then(erased);
  });

  it.each([
    ['before that', [{ ...ended(0), endedAt: after(1 - 30 * DAY) }]],
    ['while an outcome is more recent', [ended(90, 29)]],
    ['while another session is open', [ended(90), open]],
    ['while another ended later', [ended(90), ended(2)]],
  ])('is not erased %s', (_, applications) => {
    spec
      .given(invited)
      .when((state) => eraseOverdue(state, { ...on, applications }))
      .thenNothing();
  });

  it('is not erased where nobody is, nor twice, nor where there is nobody', () => {
    const applications = [ended(90)];
    spec
      .given(invited)
      .when((state) => eraseOverdue(state, { ...on, retentionDays: null, applications }))
      .thenNothing();
    spec
      .given(invited, erased)
      .when((state) => eraseOverdue(state, { ...on, applications }))
      .thenNothing();
    spec
      .given()
      .when((state) => eraseOverdue(state, { ...on, applications: [] }))
      .thenNothing();
  });
});
