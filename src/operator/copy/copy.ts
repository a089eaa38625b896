import type { Screen } from '../cli/output.js';
import { OperatorError } from '../cli/program.js';
import { copyEvents, Survey } from './copy-log.js';
import { type VaultContent, VaultCopy } from './copy-vault.js';
import type { Retries } from './retries.js';
import { readFrom, type Side } from './side.js';

/** Number of rounds after which the copy fails. Each copies the events appended to the source during the one before. */
const MAX_ROUNDS = 5;

const MOVING =
  'The source changes: a service or projector is writing to it. Stop every process that works on it, then run the same command again: it continues where it stopped.';

/** How many events a log has, and a digest over them. */
export interface LogContent {
  readonly events: number;
  readonly sha256: string;
}

/** The outcome of a copy. */
export interface CopyReport {
  /** Whether logs and vaults are equal. */
  readonly equal: boolean;
  readonly log: { readonly source: LogContent; readonly target: LogContent; readonly copied: number };
  readonly vault: { readonly source: VaultContent; readonly target: VaultContent; readonly copied: number };
  /** Whether events were appended to the source during the copy. They are in the target too. */
  readonly sourceMoved: boolean;
  /** Time of copying events, without comparing and checking. */
  readonly copySeconds: number;
  readonly seconds: number;
}

/**
 * Copies a whole log and its vault. Nothing is written before the target is known to be the beginning of the source. No
 * event is written before its keys are in the target's vault.
 * @throws {OperatorError} the copy is not complete; a further call continues it
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
  const heldEvents = survey.target.events;
  const vault = new VaultCopy(sides, retries);
  const missingEntries = await vault.compare();
  if (heldEvents > 0) screen.say(`The target holds ${heldEvents} of ${survey.source.events} events already.`);

  let entries = await watched(screen, 'Vault entries', missingEntries, (onDone) => vault.carry(onDone));
  const copying = performance.now();
  // The last event of the source that is in the target, and how many there are up to it.
  let after = survey.both.source;
  let done = heldEvents;
  let rounds = 0;
  for (;;) {
    await watched(screen, 'Events', survey.source.events - done, async (onDone) => {
      let sent = 0;
      await copyEvents(sides, { after, upTo: survey.end }, retries, (count) => onDone((sent += count)));
    });
    [after, done] = [survey.end, survey.source.events];
    // Copies what was stored in the source's vault while the events were copied.
    entries += await vault.carry();
    if (!(await survey.readAppended())) break;
    if (++rounds === MAX_ROUNDS) throw new OperatorError(MOVING);
    // A key is stored before the first event that it seals, so this copies the keys of all new events.
    entries += await vault.carry();
  }
  const copySeconds = (performance.now() - copying) / 1000;

  await watched(screen, 'Events checked', done - heldEvents, async (onDone) => {
    for await (const event of readFrom(target, survey.both.target, retries)) {
      survey.target.add(event);
      onDone(survey.target.events - heldEvents);
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
    log: { ...log, copied: done - heldEvents },
    vault: { ...vaults, copied: entries },
    sourceMoved: rounds > 0,
    copySeconds,
    seconds: (performance.now() - began) / 1000,
  };
};

/**
 * Runs work with its progress on the screen; without work nothing is printed.
 * @param work calls `onDone` with how much is done
 */
const watched = async <T>(
  { progress }: Screen,
  what: string,
  total: number,
  work: (onDone: (done: number) => void) => Promise<T>,
): Promise<T> => {
  if (total <= 0) return work(() => undefined);
  progress.begin(what, total);
  try {
    return await work((done) => progress.update(done));
  } finally {
    progress.end();
  }
};
