import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../domain/operations/decider.js';
import { OPERATIONS } from '../../domain/operations/operations.js';
import type { Operation } from '../../engine/operations.js';
import type { Engine } from '../cli/stores.js';
import { answer, type Screen, screenFor } from '../cli/output.js';
import { Interrupted, OperatorError, stoppable } from '../cli/program.js';
import { Projectors } from './own-work.js';
import { type Outcome, watch, type Watched } from './watch.js';

export interface OperateOptions {
  readonly json: boolean;
  /** Stay until it has ended. */
  readonly wait: boolean;
}

/** On servers a projector that is gone shows only by its standing still. */
const SEEN_BY_MS = 6_000;

/**
 * Asks for operations, watches them to their ends, and says what came of them: of several as a list.
 * @throws {OperatorError} one was refused, or is not done
 * @throws {Interrupted} the watch was ended before
 */
export const operate = async (
  engine: Engine,
  asked: Operation | readonly Operation[],
  { json, wait }: OperateOptions,
): Promise<void> => {
  const screen = screenFor(json);
  const several = isList(asked);
  const begun: Outcome[] = [];
  for (const one of several ? asked : [asked]) begun.push(await begin(engine, one, screen, several));
  const watched = begun.filter((one) => one.result === 'open');
  if (!wait) {
    if (watched.length > 0 && !(await new Projectors(engine.stores.readStore.leases).areAlive()))
      screen.say('No projector is running: the work begins when one starts.');
    conclude(begun, several, json);
    return;
  }
  const { outcomes, alone } = await stoppable((signal) =>
    watch(engine, watched.map(watchedOf), screen, signal),
  );
  const all = begun.map((one) => outcomes.find(({ operation }) => operation === one.operation) ?? one);
  const open = all.filter(({ result }) => result === 'open');
  if (open.length === 0) {
    conclude(all, several, json);
    return;
  }
  if (json) answer(json, several ? all : all[0], () => '');
  throw new Interrupted(goingOn(open, alone));
};

const isList = (asked: Operation | readonly Operation[]): asked is readonly Operation[] =>
  Array.isArray(asked);

const watchedOf = ({ operation, view, kind }: Outcome): Watched => ({ id: operation, view, kind });

/** @param several a refusal is one outcome among others */
const begin = async (
  engine: Engine,
  asked: Operation,
  screen: Screen,
  several: boolean,
): Promise<Outcome> => {
  const { id, view, kind } = asked;
  const common = { operation: id, view, kind, details: {} };
  try {
    const pointer = await engine.stores.readStore.pointers.get(view);
    if (pointer === null)
      throw new OperatorError(`"${view}" was never built: start the service, or a projector, once.`);
    const standing = await abandoned(engine, asked);
    if (standing !== null) {
      screen.say(
        `A ${OPERATIONS[kind].name} of "${view}" was asked for at ${standing.requestedAt}, and no process carries it out: this command continues it.`,
      );
      return { ...common, operation: standing.id, result: 'open', message: 'It is continued.' };
    }
    const next = pointer.next;
    if (kind === 'cancel' && next === null && !(await isAsked(engine, view)))
      throw new OperatorError(`Nothing of "${view}" is being built: there is nothing to cancel.`);
    await engine.requests.ask(asked, next?.failure === null ? next.generation.name : null);
    return { ...common, result: 'open', message: `A ${OPERATIONS[kind].name} of "${view}" is asked for.` };
  } catch (error) {
    if (!several || !(error instanceof OperatorError)) throw error;
    return { ...common, result: 'failed', message: error.message };
  }
};

/** Whether anything that `cancel` gives up was asked for and is not done yet. */
const isAsked = async ({ requests }: Engine, view: string): Promise<boolean> =>
  [...(await requests.state()).open.values()].some((one) => one.view === view && one.kind !== 'cancel');

/** The same kind of operation of that view, which is open while no process is there to carry it out. */
const abandoned = async (engine: Engine, { view, kind }: Operation): Promise<Request | null> => {
  const { open } = await engine.requests.state();
  const standing = [...open.values()].find((one) => one.view === view && one.kind === kind);
  if (standing === undefined) return null;
  const projectors = new Projectors(engine.stores.readStore.leases);
  const patience = engine.configuration.servers === null ? 0 : SEEN_BY_MS;
  const until = performance.now() + patience;
  while (await projectors.areAlive()) {
    if (performance.now() >= until) return null;
    await sleep(1_000);
  }
  return standing;
};

const conclude = (outcomes: readonly Outcome[], several: boolean, json: boolean): void => {
  const failed = outcomes.filter(({ result }) => result === 'failed' || result === 'cancelled');
  const well = outcomes.filter((outcome) => !failed.includes(outcome));
  if (json) answer(json, several ? outcomes : outcomes[0], () => '');
  else if (well.length > 0) answer(json, null, () => well.map(({ message }) => message).join('\n'));
  if (failed.length > 0) throw new OperatorError(failed.map(({ message }) => message).join('\n'));
};

const goingOn = (open: readonly Outcome[], alone: boolean): string => {
  const [first] = open;
  if (first === undefined) return '';
  const { view, kind } = first;
  const one = open.length === 1;
  const what = one ? `The ${OPERATIONS[kind].name} of "${view}"` : `The operations of ${open.length} views`;
  const see = `\`assay projections status${one ? ` ${view}` : ''}\``;
  const giveUp = `\`assay projections cancel ${one ? view : 'VIEW'}\``;
  return alone
    ? `${what} ${one ? 'does not go on by itself' : 'do not go on by themselves'}, since no projector is running: start one, or run the same command again. Give it up: ${giveUp}`
    : `${what} ${one ? 'goes' : 'go'} on without this command. See it: ${see}. Give it up: ${giveUp}`;
};
