import { COMMON_CODES, type RefusalKind } from '../core/decider.js';
import { APPLICATION_CODES } from './application/decider.js';
import { FEEDBACK_CODES } from './application/feedback.js';
import { CANDIDATE_CODES } from './candidate/decider.js';
import { EVALUATION_CODES } from './evaluation/decider.js';
import { MAIL_CODES } from './mail/decider.js';
import { ORGANISATION_CODES } from './organisation/decider.js';
import { SESSION_CODES } from './session/decider.js';
import { HAND_IN_CODES } from './session/hand-in-decider.js';
import { SHARE_LINK_CODES } from './share-link/decider.js';

/** Every code that a command may be refused with. */
export const REFUSAL_CODES = {
  ...COMMON_CODES,
  ...CANDIDATE_CODES,
  ...ORGANISATION_CODES,
  ...APPLICATION_CODES,
  ...SESSION_CODES,
  ...HAND_IN_CODES,
  ...EVALUATION_CODES,
  ...SHARE_LINK_CODES,
  ...FEEDBACK_CODES,
  ...MAIL_CODES,
  work_refused: {
    kind: 'invalid',
    meaning: 'The archive or file cannot be taken; the message says what is wrong with it, and where.',
  },
} as const;

export type RefusalCode = keyof typeof REFUSAL_CODES;

/** Whether a text is one of the codes. */
export const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(REFUSAL_CODES, code);

/** The kind of a refusal, which the API gives an HTTP status. */
export const refusalKindOf = (code: RefusalCode): RefusalKind => REFUSAL_CODES[code].kind;
