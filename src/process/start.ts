import { hasCode, StoreUnusable } from '../core/errors.js';
import { ConfigurationProblem } from './config.js';
import { Lifecycle } from './lifecycle.js';
import { scrub } from './scrub.js';
import { misspeltVariables } from './variables.js';

/** A start that cannot go on, for a reason that whoever starts the service can act on. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/** What `listen` failed with, as a sentence. */
export const listenProblem = (
  error: unknown,
  host: string,
  port: number,
  variable: 'PORT' | 'HEALTH_PORT' = 'PORT',
): StartProblem => {
  if (hasCode(error, 'EADDRINUSE')) {
    return new StartProblem(
      `${variable} ${port} on ${host} is in use: another service runs there. Stop it, or set ${variable} to another one.`,
    );
  }
  if (hasCode(error, 'EACCES')) {
    return new StartProblem(
      `${variable} ${port} may not be listened on by this user: set ${variable} to one above 1023.`,
    );
  }
  return new StartProblem(
    `HOST ${host} cannot be listened on: ${error instanceof Error ? error.message : ''}`,
  );
};

const isExpected = (error: unknown): error is Error =>
  error instanceof ConfigurationProblem || error instanceof StartProblem || error instanceof StoreUnusable;

/**
 * Runs a composition root. A start that fails for a known reason prints one line and exits with 1, what it had
 * opened closed; anything else is a fault of ours, and prints where it came from. A variable that is nearly one of the
 * service's is warned of first, on standard error.
 */
export const start = async (compose: (lifecycle: Lifecycle) => Promise<void>): Promise<void> => {
  for (const sentence of misspeltVariables(process.env)) process.stderr.write(`${sentence}\n`);
  const lifecycle = new Lifecycle();
  lifecycle.endOnSignals();
  try {
    await compose(lifecycle);
  } catch (error) {
    const text = isExpected(error)
      ? error.message
      : error instanceof Error
        ? (error.stack ?? '')
        : String(error);
    process.stderr.write(`${scrub(text)}\n`);
    await lifecycle.end(1);
  }
};
