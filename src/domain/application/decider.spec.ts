import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { eventsOf, fold, NOW, specification } from '../../../test/support/given-when-then.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Trial } from '../session/state.js';
import {
  eraseApplication,
  liftSignInLock,
  MAX_ACCOMMODATION_REQUESTS,
  outcome,
  type OutcomeState,
  recordOutcome,
  requestAccommodation,
  requestErasure,
  retractOutcome,
  setAccommodations,
} from './decider.js';
import type { ApplicationErased, ApplicationEvent, OutcomeValues } from './events.js';

const spec = specification(outcome);
const ids = { organisationId: 'o', roleId: 'r', candidateId: 'c', applicationId: 'a', trialSessionId: 't' };
const on = {
  ids,
  trial: { status: 'completed', version: 3 },
  actor: 'staff-1',
  expectedVersion: null,
} as const;
const passed = { humanRound: 'passed', disposition: null } as const;
const hired = { humanRound: 'passed', disposition: 'hired' } as const;
const recorded = (
  values: OutcomeValues,
  former: OutcomeValues | null = null,
  reason: string | null = null,
): ApplicationEvent => ({
  type: 'outcome.recorded',
  data: { ...ids, ...values, former, recordedBy: 'staff-1' },
  person: 'c' as PersonId,
  personal: { reason },
});
const retracted = (former: OutcomeValues): ApplicationEvent => ({
  type: 'outcome.retracted',
  data: { ...ids, former, retractedBy: 'staff-1' },
  person: 'c' as PersonId,
  personal: null,
});

const erased: ApplicationErased = {
  type: 'application.erased',
  data: ids,
  person: 'c' as PersonId,
  personal: null,
};

const unasked = {
  accommodations: { timeFactor: 1, typedOnly: false, captions: false },
  accommodationRequest: null,
  accommodationRequests: 0,
  accommodationUnanswered: false,
  erasureRequestedAt: null,
};
const granted = { timeFactor: 1.5, typedOnly: true, captions: false };
const set: ApplicationEvent = {
  type: 'accommodations.set',
  data: { ...ids, ...granted, setBy: 'staff-1' },
  person: 'c' as PersonId,
  personal: null,
};
const requested = (text: string): ApplicationEvent => ({
  type: 'accommodations.requested',
  data: ids,
  person: 'c' as PersonId,
  personal: { text },
});

describe('accommodations', () => {
  const open = { ...on, trial: { status: 'started', version: 2 } } as const;

  it('are granted as a whole, and counted in the application’s version', () => {
    const decided = spec
      .given()
      .when((state) => setAccommodations(state, { ...open, accommodations: granted }));
    decided.then(set);
    expect(decided.state()).toMatchObject({ accommodations: granted, version: 1, current: null });
    const given = spec.given(set);
    given.when((state) => setAccommodations(state, { ...open, accommodations: granted })).thenNothing();
    given
      .when((state) => setAccommodations(state, { ...open, accommodations: granted, expectedVersion: 2 }))
      .thenRefused('version_mismatch');
  });

  it('are asked for in words, the last of which count', () => {
    const decided = spec
      .given(requested('Time.'))
      .when((state) => requestAccommodation(state, { ...open, text: 'More time.' }));
    decided.then(requested('More time.'));
    expect(decided.state()).toMatchObject({ accommodationRequest: { text: 'More time.', requestedAt: NOW } });
    spec
      .given(requested('Time.'))
      .when((state) => requestAccommodation(state, { ...open, text: 'Time.' }))
      .thenNothing();
  });

  it('are asked for again by words that staff have answered: those are no repetition', () => {
    const decided = spec
      .given(requested('Time.'), set)
      .when((state) => requestAccommodation(state, { ...open, text: 'Time.' }));
    decided.then(requested('Time.'));
    expect(decided.state()).toMatchObject({ accommodationUnanswered: true, accommodationRequests: 2 });
  });

  it('answer a request, also by what was granted before', () => {
    const declined = { ...set, data: { ...set.data, ...unasked.accommodations } } as ApplicationEvent;
    const decline = (state: Parameters<typeof setAccommodations>[0]) =>
      setAccommodations(state, { ...open, accommodations: unasked.accommodations });
    const decided = spec.given(requested('Time.')).when(decline);
    decided.then(declined);
    expect(decided.state()).toMatchObject({ accommodationUnanswered: false });
    spec.given(requested('Time.'), declined).when(decline).thenNothing();
    spec.given(requested('Time.'), declined, requested('Time, please.')).when(decline).then(declined);
  });

  it('are asked for as often as there can be contests, since each request is kept', () => {
    const all = Array.from({ length: MAX_ACCOMMODATION_REQUESTS }, (_, n) => requested(`Time ${n}.`));
    spec
      .given(...all.slice(1))
      .when((state) => requestAccommodation(state, { ...open, text: 'More.' }))
      .then(requested('More.'));
    spec
      .given(...all)
      .when((state) => requestAccommodation(state, { ...open, text: 'More.' }))
      .thenRefused('too_many_requests');
    // The last one sent again changes nothing still.
    spec
      .given(...all)
      .when((state) => requestAccommodation(state, { ...open, text: `Time ${all.length - 1}.` }))
      .thenNothing();
  });

  it('stay beside an outcome, and go with an erasure', () => {
    const all = [requested('Time.'), set, recorded(passed), retracted(passed)];
    expect(fold(outcome, all)).toMatchObject({
      accommodations: granted,
      accommodationRequest: { text: 'Time.' },
    });
    expect(fold(outcome, [...all, erased])).toMatchObject({
      ...{ ...unasked, accommodationRequests: 1 },
      erased: true,
    });
  });

  it('are for an application that is open', () => {
    spec
      .given()
      .when((state) => setAccommodations(state, { ...on, accommodations: granted }))
      .thenRefused('application_closed');
    spec
      .given()
      .when((state) => requestAccommodation(state, { ...on, text: 'Time.' }))
      .thenRefused('application_closed');
    spec
      .given(erased)
      .when((state) => setAccommodations(state, { ...open, accommodations: granted }))
      .thenRefused('erased');
  });
});

describe('a request for erasure', () => {
  const wanted: ApplicationEvent = {
    type: 'erasure.requested',
    data: ids,
    person: 'c' as PersonId,
    personal: null,
  };

  it('is recorded once, also of an application that has ended', () => {
    const decided = spec.given(recorded(passed)).when((state) => requestErasure(state, on));
    decided.then(wanted);
    expect(decided.state()).toMatchObject({ erasureRequestedAt: NOW, version: 2, current: passed });
    spec
      .given(wanted)
      .when((state) => requestErasure(state, on))
      .thenNothing();
  });

  it('goes with the erasure, after which there is none', () => {
    expect(fold(outcome, [wanted, erased])).toMatchObject({ ...unasked, erased: true });
    spec
      .given(erased)
      .when((state) => requestErasure(state, on))
      .thenRefused('erased');
  });
});

describe('lifting the lock of a sign-in', () => {
  const open = {
    ...{ organisationId: 'o', roleId: 'r', candidateId: 'c', applicationId: 'a', trialSessionId: 't' },
    ...{ status: 'started', interview: null, expiresAt: '2026-03-02T00:00:00.000Z' },
  } as unknown as Trial;
  const before = '2026-03-01T00:00:00.000Z';
  const lift = (state: OutcomeState, session = open, now = before) =>
    liftSignInLock(state, { ids, session, now });

  it('is recorded each time, and leaves the application and its version as they are', () => {
    const lifted: ApplicationEvent = {
      type: 'application.sign_in_lock_lifted',
      data: ids,
      person: 'c' as PersonId,
      personal: null,
    };
    const decided = spec.given(recorded(passed), lifted).when((state) => lift(state));
    decided.then(lifted);
    expect(decided.state()).toMatchObject({ version: 1, current: passed });
  });

  it('finds no application that has ended, or whose time is over, and refuses one that is erased', () => {
    for (const status of ['completed', 'withdrawn', 'expired'] as const)
      spec
        .given()
        .when((state) => lift(state, { ...open, status }))
        .thenRefused('not_found');
    spec
      .given()
      .when((state) => lift(state, open, open.expiresAt))
      .thenRefused('not_found');
    spec
      .given(erased)
      .when((state) => lift(state))
      .thenRefused('erased');
  });
});

describe('an erased application', () => {
  it('keeps its current outcome, without the reason', () => {
    const decided = spec.given(recorded(passed, null, 'Calm.')).when((state) => eraseApplication(state, ids));
    decided.then(erased);
    expect(decided.state()).toEqual({
      current: { ...passed, reason: null, recordedAt: NOW, recordedBy: 'staff-1' },
      ...unasked,
      version: 2,
      changedAt: NOW,
      erased: true,
    });
  });

  it('is erased once, with an outcome or without', () => {
    spec
      .given()
      .when((state) => eraseApplication(state, ids))
      .then(erased);
    spec
      .given(erased)
      .when((state) => eraseApplication(state, ids))
      .thenNothing();
  });

  it('takes nothing more, not even what stands', () => {
    const given = spec.given(recorded(passed, null, null), erased);
    given.when((state) => recordOutcome(state, { ...on, ...hired, reason: null })).thenRefused('erased');
    given.when((state) => recordOutcome(state, { ...on, ...passed, reason: null })).thenRefused('erased');
    given.when((state) => retractOutcome(state, on)).thenRefused('erased');
    given.when((state) => retractOutcome(state, { ...on, expectedVersion: 9 })).thenRefused('erased');
  });
});

describe('recording an outcome', () => {
  it('records the first with nothing before it', () => {
    const decided = spec.given().when((state) => recordOutcome(state, { ...on, ...passed, reason: 'Calm.' }));
    decided.then(recorded(passed, null, 'Calm.'));
    expect(decided.state()).toEqual({
      current: { ...passed, reason: 'Calm.', recordedAt: NOW, recordedBy: 'staff-1' },
      ...unasked,
      version: 1,
      changedAt: NOW,
      erased: false,
    });
  });

  it('replaces the current one as a whole and carries what it replaces', () => {
    const decided = spec
      .given(recorded(passed, null, 'Calm.'))
      .when((state) =>
        recordOutcome(state, { ...on, humanRound: null, disposition: 'declined', reason: null }),
      );
    decided.then(recorded({ humanRound: null, disposition: 'declined' }, passed));
    expect(decided.state().current).toMatchObject({
      humanRound: null,
      disposition: 'declined',
      reason: null,
    });
  });

  it('counts from nothing again after a retraction', () => {
    spec
      .given(recorded(passed), retracted(passed))
      .when((state) => recordOutcome(state, { ...on, ...hired, reason: null }))
      .then(recorded(hired));
  });

  it('needs a value', () => {
    spec
      .given()
      .when((state) => recordOutcome(state, { ...on, humanRound: null, disposition: null, reason: 'x' }))
      .thenRefused('validation_failed', 'humanRound', 'disposition');
  });

  it('that stands already does nothing, whoever records it', () => {
    spec
      .given(recorded(hired, null, 'x'))
      .when((state) => recordOutcome(state, { ...on, ...hired, reason: 'x', actor: 'staff-2' }))
      .thenNothing();
    expect(
      spec
        .given(recorded(hired, null, 'x'))
        .when((state) => recordOutcome(state, { ...on, ...hired, reason: 'y' }))
        .events(),
    ).toEqual([recorded(hired, hired, 'y')]);
  });

  it.each(['invited', 'started', 'withdrawn', 'expired'] as const)(
    'waits for a trial that is %s',
    (status) => {
      const early = { ...on, trial: { status, version: 2 } };
      spec
        .given()
        .when((state) => recordOutcome(state, { ...early, ...hired, reason: null }))
        .thenRefused('trial_not_completed');
      spec
        .given()
        .when((state) => retractOutcome(state, early))
        .thenRefused('trial_not_completed');
    },
  );

  it('needs the application’s version: its session’s and its outcome’s together', () => {
    const at = (expectedVersion: number) =>
      spec
        .given(recorded(passed))
        .when((state) => recordOutcome(state, { ...on, ...hired, reason: null, expectedVersion }));
    at(3).thenRefused('version_mismatch');
    at(4).then(recorded(hired, passed));
  });
});

describe('retracting an outcome', () => {
  it('takes the current one back', () => {
    const decided = spec.given(recorded(hired)).when((state) => retractOutcome(state, on));
    decided.then(retracted(hired));
    expect(decided.state()).toEqual({ current: null, ...unasked, version: 2, changedAt: NOW, erased: false });
  });

  it('has nothing to do where none stands', () => {
    spec
      .given()
      .when((state) => retractOutcome(state, on))
      .thenNothing();
    spec
      .given(recorded(hired), retracted(hired))
      .when((state) => retractOutcome(state, on))
      .thenNothing();
  });
});

it('folds an outcome whose reason can no longer be read', () => {
  expect(fold(outcome, [{ ...recorded(hired), personal: null }]).current).toMatchObject({
    ...hired,
    reason: null,
  });
});

it('every event carries exactly the values that stood before it, and a repeated command emits nothing', () => {
  const value = fc.record({
    humanRound: fc.constantFrom('passed' as const, 'failed' as const, null),
    disposition: fc.constantFrom('hired' as const, 'declined' as const, null),
    reason: fc.constantFrom('a', null),
  });
  fc.assert(
    fc.property(fc.array(fc.option(value), { maxLength: 20 }), (sequence) => {
      const past: ApplicationEvent[] = [];
      let current: OutcomeValues | null = null;
      for (const wanted of sequence) {
        const decide = () => {
          const state = fold(outcome, past);
          return wanted ? recordOutcome(state, { ...on, ...wanted }) : retractOutcome(state, on);
        };
        const decision = decide();
        if (decision.kind === 'refused') continue;
        for (const event of decision.events) {
          expect(event.data.former).toEqual(current);
          current =
            event.type === 'outcome.recorded'
              ? { humanRound: event.data.humanRound, disposition: event.data.disposition }
              : null;
        }
        past.push(...decision.events);
        expect(eventsOf(decide())).toEqual([]);
      }
    }),
  );
});
