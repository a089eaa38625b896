import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../core/errors.js';
import type { CheckedTest, CheckFailure } from '../../domain/session/check-events.js';
import { testsOfJunit } from './junit.js';

/** Largest file of results, in bytes. */
export const MAX_RESULT_BYTES = 4 * 1024 * 1024;
const MAX_TESTS = 1_000;
const MAX_NAME_CHARACTERS = 200;
const MAX_MESSAGE_CHARACTERS = 1_000;
/** Longest length of all messages together, which are stored in one event. */
const MAX_MESSAGES_CHARACTERS = 100_000;

/** A run's results cannot be used. The detail quotes only files of the checker. */
export class BadResults extends Error {
  override readonly name = 'BadResults';

  constructor(
    readonly reason: CheckFailure,
    readonly detail: string,
  ) {
    super(detail);
  }
}

const unreadable = (detail: string): BadResults => new BadResults('unreadable_results', detail);

/**
 * Reads the tests from a checker's output folder: `results.json` (Exercism's versions 1 to 3), else `results.xml`
 * (JUnit).
 * @throws {BadResults} there are none, or they are malformed, too large or contradict themselves
 */
export const readResults = async (folder: string): Promise<readonly CheckedTest[]> => {
  const json = await textOf(join(folder, 'results.json'), 'results.json');
  if (json !== null) return bounded(testsOfJson(json));
  const xml = await textOf(join(folder, 'results.xml'), 'results.xml');
  if (xml !== null) return bounded(testsOfJunit(xml, unreadable));
  throw new BadResults('no_results', 'The output folder has neither results.json nor results.xml.');
};

/** Reads a file of the checker, which must be no link, pipe or device, and not too large; `null`: there is none. */
const textOf = async (path: string, name: string): Promise<string | null> => {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw isOfThisProcess(error) ? error : unreadable(`${name} is a link, or cannot be opened.`);
  }
  try {
    const { size, nlink } = await file.stat().then((found) => {
      if (!found.isFile()) throw unreadable(`${name} is not a file.`);
      return found;
    });
    if (nlink > 1) throw unreadable(`${name} is a link to another file.`);
    if (size > MAX_RESULT_BYTES)
      throw new BadResults('results_too_large', `${name} has more than ${MAX_RESULT_BYTES} bytes.`);
    // Reads up to the size that was checked, since the file may still grow.
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytesRead));
  } catch (error) {
    throw error instanceof BadResults || isOfThisProcess(error)
      ? error
      : unreadable(`${name} is not UTF-8 text.`);
  } finally {
    await file.close();
  }
};

/** Whether a failure is of this process or its disk, whatever the checker is or has written: the check is tried again. */
export const isOfThisProcess = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'].some((code) => hasCode(error, code));

const STATUSES = ['pass', 'fail', 'error'] as const;
const statusOf = (value: unknown, of: string): CheckedTest['status'] => {
  const status = STATUSES.find((one) => one === value);
  if (status === undefined) throw unreadable(`The status of ${of} must be pass, fail or error.`);
  return status;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const messageOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const testsOfJson = (text: string): readonly CheckedTest[] => {
  const results = parsed(text);
  if (!isRecord(results)) throw unreadable('results.json must be an object.');
  const { version = 1, tests } = results;
  if (version !== 1 && version !== 2 && version !== 3)
    throw unreadable('The version of results.json must be 1, 2 or 3.');
  const status = statusOf(results['status'], 'results.json');
  const message = messageOf(results['message']);
  if (status === 'error')
    throw new BadResults('work_did_not_run', bound(message ?? '', MAX_MESSAGE_CHARACTERS));
  // Version 1 has one status for all tests.
  if (version === 1 && !Array.isArray(tests)) return [{ name: 'all tests', status, message }];
  if (!Array.isArray(tests)) throw unreadable('The tests of results.json must be a list.');
  const all = tests.map((test: unknown, place): CheckedTest => {
    const title = `test ${place + 1}`;
    if (!isRecord(test) || typeof test['name'] !== 'string')
      throw unreadable(`The ${title} of results.json must have a name.`);
    return {
      name: test['name'],
      status: statusOf(test['status'], title),
      message: messageOf(test['message']),
    };
  });
  const passed = all.every((test) => test.status === 'pass');
  if (all.length > 0 && passed !== (status === 'pass'))
    throw unreadable(`The status of results.json is ${status}, which its tests contradict.`);
  return all;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw unreadable('results.json is not valid JSON.');
  }
};

const bounded = (tests: readonly CheckedTest[]): readonly CheckedTest[] => {
  if (tests.length === 0) throw new BadResults('no_tests', 'The results have no tests.');
  if (tests.length > MAX_TESTS)
    throw new BadResults('results_too_large', `The results have more than ${MAX_TESTS} tests.`);
  let left = MAX_MESSAGES_CHARACTERS;
  return tests.map(({ name, status, message }) => {
    const kept = message === null ? '' : bound(message, Math.min(MAX_MESSAGE_CHARACTERS, left));
    left -= kept.length;
    return { name: bound(name, MAX_NAME_CHARACTERS), status, message: kept === '' ? null : kept };
  });
};

/** Control characters except line breaks and tabs. */
// eslint-disable-next-line no-control-regex -- control characters are removed here
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Halves of surrogate pairs, which cannot be written as UTF-8. */
const HALVES = /\p{Cs}/gu;

/** Makes a text fit to store: well-formed, without control characters, and cut if it is too long. */
export const bound = (text: string, characters: number): string =>
  text.replace(CONTROLS, '').slice(0, characters).replace(HALVES, '\ufffd');
