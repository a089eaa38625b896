import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/errors.js';
import { ReadStoreUnavailable } from '../../stores/errors.js';
import type { RequestKind } from '../../domain/operations/decider.js';
import type { Engine } from '../engine.js';
import type { Details, OperationResult } from '../../domain/operations/events.js';
import type { Screen } from '../output/screen.js';
import { OperatorError } from '../program.js';
import { OwnErrands } from './errands.js';
import { Projectors } from './projectors.js';
import { StagesShown } from './stages-shown.js';

export interface Watched {
  readonly id: string;
  readonly view: string;
  readonly kind: RequestKind;
}

/** What came of an operation that was watched. */
export interface Outcome {
  readonly operation: string;
  readonly view: string;
  readonly kind: RequestKind;
  /** `open`: the watch ended before it. */
  readonly result: OperationResult | 'open';
  readonly message: string;
  readonly details: Details;
}

export interface Watching {
  readonly outcomes: readonly Outcome[];
  /** This process itself did the work, so that nobody goes on with what is open. */
  readonly alone: boolean;
}

const LOOK_MS = 250;
/** Stores that are away for longer end the watch. */
const PATIENCE_MS = 60_000;

/**
 * Waits for the ends of operations and shows how far they are. Where no process feeds views it does the work itself.
 * What is open goes on, or is taken up again, when the watch is ended by the signal.
 * @throws {OperatorError} the stores are away for long
 */
export const watch = async (
  engine: Engine,
  operations: readonly Watched[],
  screen: Screen,
  signal: AbortSignal,
): Promise<Watching> => {
  const { requests, stores } = engine;
  const projectors = new Projectors(stores.readStore.leases);
  const errands = new OwnErrands(engine, (line) => shown.say(line));
  const shown = new StagesShown(engine, screen);
  const ended = new Map<string, Outcome>();
  const open = (): readonly Watched[] => operations.filter(({ id }) => !ended.has(id));

  const look = async (): Promise<void> => {
    // The state first: whatever has ended by then is not shown as going on.
    const state = await requests.state();
    for (const { id, kind } of open()) {
      if (state.open.has(id)) continue;
      const outcome = await requests.outcome(id);
      if (outcome !== null) ended.set(id, { ...outcome, kind });
    }
    if (open().length === 0) return;
    if (!errands.begun && !(await projectors.areAlive())) {
      shown.say(
        'No projector is running: this command does the work itself, and has to stay until it is done.',
      );
      errands.keepUp();
    }
    if (errands.begun) errands.keepUp();
    await shown.look(open(), state.paused);
  };

  let answeredAt = performance.now();
  try {
    while (!signal.aborted) {
      try {
        await look();
        answeredAt = performance.now();
      } catch (error) {
        if (!(error instanceof StoreUnavailable || error instanceof ReadStoreUnavailable)) throw error;
        if (performance.now() - answeredAt > PATIENCE_MS)
          throw new OperatorError(`${error.message} What was asked for stays open.`, { cause: error });
      }
      if (open().length === 0) break;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    shown.end();
    await errands.stop();
  }
  const still = (one: Watched): Outcome => ({
    ...{ operation: one.id, view: one.view, kind: one.kind },
    ...{ result: 'open', message: 'It goes on.', details: {} },
  });
  return { outcomes: operations.map((one) => ended.get(one.id) ?? still(one)), alone: errands.begun };
};
