import type { HandInTexts } from '../../../src/languages/en/hand-in.js';
import { Status } from '../../shared/components.js';
import type { CheckFailure, HandIn } from './contract.js';
import type { HandIns } from './hand-ins.js';

interface ChecksProps {
  readonly handIns: HandIns;
  readonly handIn: HandIn;
  /** The service refuses to show a result that is not known yet. */
  readonly isHidden: boolean;
}

/** The result of a hand-in's visible checks. The list of tests begins open unless all have passed. */
export const Checks = ({ handIns, handIn, isHidden }: ChecksProps) => {
  const t = handIns.t.value.checks;
  const { checks } = handIn;
  if (checks === null) return null;
  const { state, reason, tally, tests } = checks;
  const all = tally.passed + tally.failed + tally.errors;
  const sentence = {
    waiting: isHidden ? t.hiddenResult : t.waiting,
    checked: t.passed(tally.passed, all),
    error: `${t.failed} ${t.reasons[(reason && REASONS[reason]) ?? 'other']}`,
  }[state];
  const isGood = state === 'checked' && tally.passed === all;
  return (
    <>
      <Status tone={isGood ? 'good' : state === 'checked' ? 'bad' : ''}>{sentence}</Status>
      {tests.length > 0 && (
        <details open={!isGood}>
          <summary>{t.title}</summary>
          <ul class="tests">
            {tests.map(({ name, status, message }, place) => (
              <li key={place}>
                <span class={status === 'pass' ? 'good' : 'bad'}>{t.status[status]}:</span> {name}
                {message && (
                  <pre tabIndex={0} role="region" aria-label={`${t.message}: ${name}`}>
                    {message}
                  </pre>
                )}
              </li>
            ))}
          </ul>
          {tests.length < all && <p class="soft small">{t.leftOut(all - tests.length)}</p>}
        </details>
      )}
    </>
  );
};

/** The text for each reason that there is no result. Any other reason gets the text `other`. */
const REASONS: Readonly<Partial<Record<CheckFailure, keyof HandInTexts['checks']['reasons']>>> = {
  no_checker: 'unavailable',
  isolation: 'unavailable',
  not_started: 'unavailable',
  unavailable: 'unavailable',
  timed_out: 'tooLong',
  too_much_output: 'tooMuch',
  too_much_stored: 'tooMuch',
  results_too_large: 'tooMuch',
  no_tests: 'noTests',
  work_did_not_run: 'workFailed',
  given_up: 'tooLong',
};
