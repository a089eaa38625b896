import { createHash } from 'node:crypto';
import type { Checker, CheckFiles, CheckRequest, CheckResult } from '../../src/clients/checker/checker.js';
import { createChecker } from '../../src/clients/checker/command.js';
import type { Configuration } from '../../src/process/config.js';
import { createLogger } from '../../src/process/log.js';

/**
 * The configured checker. Many candidates of the history hand in the same files. So, while the history is made, each work
 * runs once under each set of checks, and later requests for the same run get its result.
 */
export class HistoryChecker implements Checker {
  readonly #checker: Checker;
  /** By a digest of all that a run is given; `null`: the history is over. */
  #results: Map<string, CheckResult> | null = new Map();

  constructor({ checker, logLevel }: Pick<Configuration, 'checker' | 'logLevel'>) {
    this.#checker = createChecker(checker, createLogger(logLevel));
  }

  async run(request: CheckRequest, signal: AbortSignal): Promise<CheckResult> {
    const results = this.#results;
    if (results === null) return this.#checker.run(request, signal);
    const files = await request.files();
    const key = digestOf(request, files);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = await this.#checker.run({ ...request, files: () => Promise.resolve(files) }, signal);
    if (result.outcome === 'checked') results.set(key, result);
    return result;
  }

  sweep(): Promise<void> {
    return this.#checker.sweep();
  }

  /** From now on each request is run. */
  endHistory(): void {
    this.#results = null;
  }
}

const digestOf = ({ slug, isolation }: CheckRequest, { work, checks }: CheckFiles): string => {
  const hash = createHash('sha256').update(JSON.stringify([slug, isolation, work.length]));
  for (const { path, content } of [...work, ...checks])
    hash.update(JSON.stringify([path, content.length])).update(content);
  return hash.digest('hex');
};
