import { SaxesParser } from 'saxes';
import type { CheckedTest } from '../../domain/session/check-events.js';

/** Deepest nesting of a report. */
const MAX_DEPTH = 64;

/** An open `<testsuite>`, and whether a test in it has failed. */
interface Suite {
  readonly claimed: number;
  failed: boolean;
}

/**
 * The tests of a JUnit report, in its order, without skipped ones. A document type is refused, and so are entities that
 * XML does not define itself.
 * @param unreadable makes the error for a report that cannot be read, from a sentence
 */
export const testsOfJunit = (
  xml: string,
  unreadable: (sentence: string) => Error,
): readonly CheckedTest[] => {
  const parser = new SaxesParser();
  const tests: CheckedTest[] = [];
  const suites: Suite[] = [];
  let depth = 0;
  let test: { name: string; status: CheckedTest['status'] | 'skipped'; message: string } | null = null;
  let isInFailure = false;

  parser.on('error', () => {
    throw unreadable('results.xml is not well-formed XML.');
  });
  parser.on('doctype', () => {
    throw unreadable('results.xml must not declare a document type.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw unreadable('results.xml is nested too deeply.');
    if (depth === 1 && name !== 'testsuites' && name !== 'testsuite')
      throw unreadable('The root of results.xml must be <testsuites> or <testsuite>.');
    const attribute = (key: string): string => attributes[key] ?? '';
    if (name === 'testsuite')
      suites.push({
        claimed: numberOf(attribute('failures')) + numberOf(attribute('errors')),
        failed: false,
      });
    if (name === 'testcase') {
      if (test !== null) throw unreadable('results.xml has a test in a test.');
      const full = [attribute('classname'), attribute('name')].filter((part) => part !== '').join(' ');
      if (full === '') throw unreadable('Each test of results.xml must have a name.');
      test = { name: full, status: 'pass', message: '' };
    }
    if (test === null) return;
    if (name === 'skipped') test.status = 'skipped';
    if (name !== 'failure' && name !== 'error') return;
    // If there are a failure and an error, the error counts: the test itself could not run.
    test.status = name === 'error' || test.status === 'error' ? 'error' : 'fail';
    test.message ||= attribute('message');
    isInFailure = true;
    for (const suite of suites) suite.failed = true;
  });
  const add = (text: string): void => {
    if (test !== null && isInFailure) test.message += `${test.message === '' ? '' : '\n'}${text.trim()}`;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    if (name === 'failure' || name === 'error') isInFailure = false;
    if (name === 'testsuite') {
      const suite = suites.pop();
      if (suite !== undefined && suite.claimed > 0 && !suite.failed)
        throw unreadable('A test suite of results.xml claims failures that none of its tests has.');
    }
    if (name !== 'testcase' || test === null) return;
    if (test.status !== 'skipped')
      tests.push({ name: test.name, status: test.status, message: test.message.trim() || null });
    test = null;
  });
  parser.write(xml).close();
  return tests;
};

const numberOf = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);
