import { createInterface } from 'node:readline/promises';
import { CalledWrongly, OperatorError } from './program.js';

interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/**
 * Asks for a confirmation, unless `--yes` was given.
 * @param question such as `Cancel the rebuild of "signal"?`
 * @throws {CalledWrongly} there is no terminal
 * @throws {OperatorError} the operator does not confirm
 */
export const confirm = async (
  question: string,
  yes: true | undefined,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> => {
  if (yes) return;
  if (!input.isTTY || !output.isTTY)
    throw new CalledWrongly(`${question} No terminal: pass --yes to confirm.`);
  const prompt = createInterface({ input, output });
  try {
    // Ctrl-C and Ctrl-D count as no.
    const reply = await Promise.race([
      prompt.question(`${question} [y/N] `),
      new Promise<string>((resolve) => prompt.once('close', () => resolve(''))),
    ]);
    if (!/^y(es)?$/i.test(reply.trim())) throw new OperatorError('Nothing was done.');
  } finally {
    prompt.close();
  }
};
