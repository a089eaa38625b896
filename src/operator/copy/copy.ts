import type { Screen } from '../cli/output.js';
import { OperatorError } from '../cli/program.js';
import { copyEvents, Survey } from './copy-log.js';
import { type VaultContent, VaultCopy } from './copy-vault.js';
import type { Retries } from './retries.js';
import { readFrom, type Side } from './side.js';

/** How often the end of a growing source is copied. */
const ROUNDS = 5;

const MOVING =
  'The source changes: a service or projector is writing to it. Stop every process that works on it, then run the same command again: it continues where it stopped.';

/** How many events a log has, and a digest over them. */
export interface LogContent {
  readonly events: number;
  readonly sha256: string;
}

/** The outcome of a copy. */
export interface CopyReport {
  /** Logs and vaults hold the same. */
  readonly equal: boolean;
  readonly log: { readonly source: LogContent; readonly target: LogContent; readonly copied: number };
  readonly vault: { readonly source: VaultContent; readonly target: VaultContent; readonly copied: number };
  /** Events were added to the source while it was copied; they are in the target too. */
  readonly sourceMoved: boolean;
  /** Time of copying events, without comparing and checking. */
  readonly copySeconds: number;
  readonly seconds: number;
}

/**
 * Copies a whole log and its vault. Nothing is written before the target is found to hold only the source's beginning. No
 * event is written before its keys are in the target's vault.
 * @throws {OperatorError} why the copy is not done; started again, it continues
 */
export const copy = async (
  sides: { readonly source: Side; readonly target: Side },
  retries: Retries,
  screen: Screen,
): Promise<CopyReport> => {
  const { source, target } = sides;
  const began = performance.now();
  screen.say('Comparing the source with the target.');
  const survey = new Survey(sides, retries);
  await survey.compare();
  const held = survey.target.events;
  const vault = new VaultCopy(sides, retries);
  const lacking = await vault.compare();
  if (held > 0) screen.say(`The target holds ${held} of ${survey.source.events} events already.`);

  let entries = await watched(screen, 'Vault entries', lacking, (to) => vault.carry(to));
  const copying = performance.now();
  let after = survey.both.source;
  let done = held;
  let rounds = 0;
  for (;;) {
    await watched(screen, 'Events', survey.source.events - done, async (to) => {
      let sent = 0;
      await copyEvents(sides, { after, upTo: survey.end }, retries, (count) => to((sent += count)));
    });
    [after, done] = [survey.end, survey.source.events];
    entries += await vault.carry();
    if (!(await survey.readAppended())) break;
    if (++rounds === ROUNDS) throw new OperatorError(MOVING);
    // The keys of the new events are older than the events.
    entries += await vault.carry();
  }
  const copySeconds = (performance.now() - copying) / 1000;

  await watched(screen, 'Events checked', done - held, async (to) => {
    for await (const event of readFrom(target, survey.both.target, retries)) {
      survey.target.add(event);
      to(survey.target.events - held);
    }
  });
  const vaults = { source: await vault.content(source), target: await vault.content(target) };
  const log = {
    source: { events: survey.source.events, sha256: survey.source.sha256() },
    target: { events: survey.target.events, sha256: survey.target.sha256() },
  };
  if (await survey.readAppended()) throw new OperatorError(MOVING);
  return {
    equal: log.source.sha256 === log.target.sha256 && vaults.source.sha256 === vaults.target.sha256,
    log: { ...log, copied: done - held },
    vault: { ...vaults, copied: entries },
    sourceMoved: rounds > 0,
    copySeconds,
    seconds: (performance.now() - began) / 1000,
  };
};

/** Runs work with its progress on the screen; without work nothing is printed. */
const watched = async <T>(
  { progress }: Screen,
  what: string,
  total: number,
  work: (to: (done: number) => void) => Promise<T>,
): Promise<T> => {
  if (total <= 0) return work(() => undefined);
  progress.begin(what, total);
  try {
    return await work((done) => progress.update(done));
  } finally {
    progress.end();
  }
};
