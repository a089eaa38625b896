import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { confirm } from './confirm.js';
import { CalledWrongly, OperatorError } from './program.js';

describe('A question before a command changes anything', () => {
  const terminal = (isInput = true, isOutput = true) => {
    const input = Object.assign(new PassThrough(), { isTTY: isInput });
    const output = Object.assign(new PassThrough(), { isTTY: isOutput });
    return { input, output } as unknown as NonNullable<Parameters<typeof confirm>[2]> & {
      readonly input: PassThrough;
      readonly output: PassThrough;
    };
  };
  const answered = (reply: string | null): Promise<void> => {
    const asked = terminal();
    const confirmed = confirm('Erase it?', undefined, asked);
    asked.input.end(reply === null ? undefined : `${reply}\n`);
    return confirmed;
  };

  it.each(['y', 'Y', 'yes', ' YES '])('is confirmed by "%s"', async (reply) => {
    await answered(reply);
  });

  it.each(['', 'n', 'no', 'yesterday', 'oh yes', null])('is not confirmed by %j', async (reply) => {
    await expect(answered(reply)).rejects.toThrow(new OperatorError('Nothing was done.'));
  });

  it('is asked, in full, and left out where the command says yes', async () => {
    const asked = terminal();
    const confirmed = confirm('Erase it?', undefined, asked);
    asked.input.end('y\n');
    await confirmed;
    expect(String(asked.output.read())).toContain('Erase it? [y/N] ');
    const silent = terminal(false, false);
    await confirm('Erase it?', true, silent);
    expect(silent.output.read()).toBeNull();
  });

  it.each([
    [false, true],
    [true, false],
  ])('is refused without a terminal: input %s, output %s', async (isInput, isOutput) => {
    const refused = confirm('Erase it?', undefined, terminal(isInput, isOutput));
    await expect(refused).rejects.toThrow(CalledWrongly);
    await expect(refused).rejects.toThrow('pass --yes');
  });
});
