import { describe, it } from '@jest/globals';
import { specification, uuid } from '../../../test/support/given-when-then.js';
import type { PersonId } from '../../core/vault/port.js';
import type { FeedbackEvent } from './events.js';
import { feedback, giveFeedback } from './feedback.js';

const spec = specification(feedback);
const person = uuid('candidate') as PersonId;
const ids = {
  organisationId: uuid('org'),
  candidateId: uuid('candidate'),
  applicationId: uuid('app'),
  trialSessionId: uuid('trial'),
  roleId: uuid('role'),
};
const given: FeedbackEvent = {
  type: 'feedback.given',
  data: { ...ids, ease: 4, fairness: null },
  person,
  personal: { text: 'The tasks were clear.' },
};
const input = { ids, status: 'completed', ease: 4, fairness: null, text: 'The tasks were clear.' } as const;

describe('feedback', () => {
  it('is recorded once', () => {
    spec
      .given()
      .when((state) => giveFeedback(state, input))
      .then(given);
    spec
      .given(given)
      .when((state) => giveFeedback(state, input))
      .thenRefused('already_given');
  });

  it.each(['invited', 'started', 'interrupted', 'withdrawn', 'expired'] as const)(
    'is refused on a session that is %s',
    (status) => {
      spec
        .given()
        .when((state) => giveFeedback(state, { ...input, status }))
        .thenRefused('trial_not_completed');
    },
  );
});
