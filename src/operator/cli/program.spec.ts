import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DamagedEvent, StoreUnavailable, StoreUnusable, VaultUnavailable } from '../../core/errors.js';
import { BrokenSeal, MissingKey, type PersonId } from '../../core/vault/port.js';
import { ReadModelBehind, ViewParked } from '../../engine/errors.js';
import { ConfigurationProblem } from '../../process/variable-reader.js';
import { carryOut, OperatorError, stoppable } from './program.js';

describe('what an operator’s command could not do', () => {
  let said: string;
  beforeEach(() => {
    said = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = 0;
  });

  it.each([
    new OperatorError('It is so.'),
    new ConfigurationProblem('PORT', 'It is so.'),
    new StoreUnusable('It is so.'),
    new StoreUnavailable('It is so.'),
    new VaultUnavailable('It is so.'),
  ])('is a sentence and exit code 1: $name', async (error) => {
    await carryOut(() => Promise.reject(error));
    expect([said, process.exitCode]).toEqual(['It is so.\n', 1]);
  });

  it.each([
    new ReadModelBehind('roles'),
    new ViewParked('roles', 'a'),
    new DamagedEvent({ id: 'a', stream: 'role-a', revision: 0 }, 'it is empty'),
    new MissingKey('a' as PersonId),
    new BrokenSeal('a' as PersonId),
  ])('is the sentence of what an operator has to mend, without a stack: $name', async (error) => {
    await carryOut(() => Promise.reject(error));
    expect([said, process.exitCode]).toEqual([`${error.message}\n`, 1]);
  });

  it.each([
    ['ENOSPC', -28, 'Not done: the disk is full (x). Make room, and run the command again.'],
    ['EROFS', -30, /^Not done: the file system is read-only \(x\)\./],
    ['EACCES', -13, /^Not done: permission denied \(x\)\. Run this command as/],
    ['EMFILE', -24, /^Not done: too many files are open \(x\)\./],
    ['EIO', -5, 'Not done: the system reports an error (x).'],
  ])(
    'is the sentence of what an operator has to mend, without a stack: %s',
    async (code, errno, sentence) => {
      const error = Object.assign(new Error('x'), { code, errno, syscall: 'mkdtemp' });
      await carryOut(() => Promise.reject(error));
      expect(process.exitCode).toBe(1);
      if (typeof sentence === 'string') expect(said).toBe(`${sentence}\n`);
      else expect(said).toMatch(sentence);
      expect(said).not.toContain('    at ');
    },
  );

  it('is that it was interrupted, and exit code 130, if the signal has ended a read in the middle', async () => {
    await carryOut(() =>
      stoppable(async (signal) => {
        process.emit('SIGINT');
        signal.throwIfAborted();
      }),
    );
    expect([said, process.exitCode]).toEqual(['Interrupted before the end.\n', 130]);
  });

  it('shows where it came from, where it is a fault of ours', async () => {
    await carryOut(() => Promise.reject(new TypeError('Nobody thought of this.')));
    expect([said, process.exitCode]).toEqual([expect.stringContaining('    at '), 1]);
  });
});
