import { describe, expect, it } from '@jest/globals';
import {
  AssayError,
  type AssayErrorCode,
  type ErrorDetail,
  errorCodeValues,
} from '../../../packages/client/src/index.js';
import { CONSOLE_TEXTS } from '../../../src/languages/languages.js';
import { sentenceOf } from './sentences.js';

const german = CONSOLE_TEXTS.de.failure;
const english = CONSOLE_TEXTS.en.failure;
const failure = (code: AssayErrorCode, sentence: string, ...details: readonly ErrorDetail[]): AssayError =>
  new AssayError(409, code, sentence, { details });

describe('why something failed', () => {
  it('is told by its code, in the reader’s language', () => {
    const refused = failure('last_owner', 'The last owner cannot be removed.');
    expect(sentenceOf(refused, german)).toBe(german.byCode.last_owner);
    expect(sentenceOf(refused, english)).toBe(english.byCode.last_owner);
    expect(sentenceOf(new TypeError('no'), german)).toBe(german.unknown);
  });

  it('is told in the reader’s language also if another server answers in place of the service', () => {
    const answer = (status: number): string =>
      sentenceOf(
        new AssayError(status, 'unknown', `This is not an answer of the service (${status}).`),
        german,
      );
    expect([answer(502), answer(503), answer(413), answer(403)]).toEqual([
      ...[german.byCode.unavailable, german.byCode.unavailable],
      ...[german.byCode.too_large, german.byCode.unknown],
    ]);
  });

  it('is told by the rule that a field breaks, with the figures of the service’s sentence', () => {
    const path = 'dimensions[2].threshold';
    const detail = (rule: string, rest: string) => ({ path, rule, message: `${path} ${rest}` });
    const of = (one: ErrorDetail) => sentenceOf(failure('validation_failed', one.message, one), german);
    expect(of(detail('range', 'must be a whole number from 0 to 100.'))).toBe(
      'Eine ganze Zahl von 0 bis 100.',
    );
    expect(of(detail('maxLength', 'must have at most 200 characters.'))).toBe(
      'Das ist zu lang: höchstens 200 Zeichen.',
    );
    expect(of(detail('notBlank', 'must not be blank.'))).toBe('Das darf nicht leer sein.');
    // Without its figures, or by a rule of a later version: in the service's own words.
    for (const one of [detail('min', 'must name at least one.'), detail('later', 'is wrong.')])
      expect(of(one)).toBe(one.message);
  });

  it('is told as its command means a conflict: a limit, or what is in the way', () => {
    const conflict = { limit: (most: string) => `Höchstens ${most}.`, other: 'Schon da.' };
    const full = failure('conflict', 'At most 50 saved views: remove one first.');
    const taken = failure('conflict', 'There is one by that name already.');
    expect(sentenceOf(full, german, conflict)).toBe('Höchstens 50.');
    expect(sentenceOf(taken, german, conflict)).toBe('Schon da.');
    expect(sentenceOf(taken, german, { limit: conflict.limit })).toBe(german.byCode.conflict);
    expect(sentenceOf(taken, german)).toBe(german.byCode.conflict);
  });

  it('has a sentence for every code but what candidates and programs alone meet, and for what is told by fields', () => {
    const withoutSentence = errorCodeValues.filter((code) => !Object.hasOwn(english.byCode, code));
    expect(new Set(withoutSentence)).toEqual(
      new Set([
        'validation_failed',
        ...['too_many_requests', 'notice_changed', 'session_full', 'already_given', 'work_refused'],
        ...['nothing_to_hand_in', 'hand_ins_full', 'hand_in_incomplete'],
        ...['nothing_released', 'too_many_contests'],
        ...['malformed_json', 'method_not_allowed', 'unsupported_media_type', 'range_not_satisfiable'],
        'pdf_script_unsupported',
      ]),
    );
  });
});
