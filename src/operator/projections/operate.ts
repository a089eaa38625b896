import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../domain/operations/decider.js';
import { OPERATIONS } from '../../domain/operations/operations.js';
import type { Operation } from '../../engine/generations/operations.js';
import { answer, type Screen, screenFor } from '../cli/output.js';
import { Interrupted, OperatorError, stoppable } from '../cli/program.js';
import type { Engine } from '../cli/stores.js';
import { Projectors } from './own-work.js';
import { pointerOf } from './views.js';
import { type Outcome, watch, type Watched } from './watch.js';

/** What an operator requests of a view: each kind of `Operation` with its own fields, before it has an id and a view. */
export type Requested = Operation extends infer One
  ? One extends Operation
    ? Omit<One, 'id' | 'view'>
    : never
  : never;

export interface OperateOptions {
  readonly json?: true;
  /** Watch the operations until they end. */
  readonly wait?: boolean;
  /** A list is printed, and a refusal is one outcome in it. */
  readonly several: boolean;
}

/** On servers, a killed projector counts as alive for up to this time, in milliseconds. */
const KILLED_ALIVE_MS = 6_000;

/**
 * Requests operations, watches them to their ends, and prints their outcomes.
 * @throws {OperatorError} one was refused, failed or was cancelled
 * @throws {Interrupted} the operator ended the watch
 */
export const operate = async (
  engine: Engine,
  asked: readonly Operation[],
  { json, wait = true, several }: OperateOptions,
): Promise<void> => {
  const screen = screenFor(json);
  const begun: Outcome[] = [];
  for (const one of asked) begun.push(await begin(engine, one, screen, several));
  const watched = begun.filter((one) => one.result === 'open');
  if (!wait && watched.length > 0 && !(await new Projectors(engine.stores.readStore.leases).areAlive()))
    screen.say('No projector is running: the work begins when one starts.');
  const { outcomes, alone } = wait
    ? await stoppable((signal) => watch(engine, watched.map(watchedOf), screen, signal))
    : { outcomes: [], alone: false };
  const all = begun.map((one) => outcomes.find(({ operation }) => operation === one.operation) ?? one);
  const open = wait ? all.filter(({ result }) => result === 'open') : [];
  const failed = all.filter(({ result }) => result === 'failed' || result === 'cancelled');
  const messages = all.filter((outcome) => !failed.includes(outcome)).map(({ message }) => message);
  answer(json, several ? all : all[0], () => (open.length === 0 ? messages : []));
  if (open.length > 0) throw new Interrupted(continuation(open, alone));
  if (failed.length > 0) throw new OperatorError(failed.map(({ message }) => message).join('\n'));
};

const watchedOf = ({ operation, view, kind }: Outcome): Watched => ({ id: operation, view, kind });

const begin = async (
  engine: Engine,
  asked: Operation,
  screen: Screen,
  several: boolean,
): Promise<Outcome> => {
  const { id, view, kind } = asked;
  const { name } = OPERATIONS[kind];
  const common = { operation: id, view, kind, details: {} };
  try {
    const { next } = await pointerOf(engine.stores.readStore, view);
    const abandoned = await abandonedOf(engine, asked);
    if (abandoned !== null) {
      screen.say(
        `The ${name} of "${view}" requested at ${abandoned.requestedAt} is not being carried out: this command continues it.`,
      );
      return { ...common, operation: abandoned.id, result: 'open', message: 'Continued.' };
    }
    await assertPossible(engine, kind, view);
    const beingBuilt = next?.failure === null ? next.generation.name : null;
    await engine.requests.ask(asked, beingBuilt);
    return { ...common, result: 'open', message: `Requested: ${name} of "${view}".` };
  } catch (error) {
    if (!several || !(error instanceof OperatorError)) throw error;
    return { ...common, result: 'failed', message: error.message };
  }
};

/**
 * Called before the operator confirms, and again before the request is stored: the state may have changed in between.
 * @throws {OperatorError} there is nothing to promote, to roll back to or to cancel
 */
export const assertPossible = async (
  engine: Engine,
  kind: Operation['kind'],
  view: string,
): Promise<void> => {
  const { next, former } = await pointerOf(engine.stores.readStore, view);
  const open = [...(await engine.requests.state()).open.values()].filter((one) => one.view === view);
  if (kind === 'cancel' && next === null && !open.some((one) => one.kind !== 'cancel'))
    throw new OperatorError(`No rebuild of "${view}" is running: there is nothing to cancel.`);
  if (kind === 'promote' && next === null && open.length === 0)
    throw new OperatorError(`"${view}" has no built generation to promote.`);
  if (kind === 'rollback' && former === null && open.length === 0)
    throw new OperatorError(`"${view}" has no former generation any more: rebuild it instead.`);
};

/** The open operation of the same kind and view, if no process carries it out. */
const abandonedOf = async (engine: Engine, { view, kind }: Operation): Promise<Request | null> => {
  const { open } = await engine.requests.state();
  const same = [...open.values()].find((one) => one.view === view && one.kind === kind);
  if (same === undefined) return null;
  const projectors = new Projectors(engine.stores.readStore.leases);
  const until = performance.now() + (engine.configuration.servers === null ? 0 : KILLED_ALIVE_MS);
  while (await projectors.areAlive()) {
    if (performance.now() >= until) return null;
    await sleep(1_000);
  }
  return same;
};

/** @param alone the command itself did the work */
const continuation = (open: readonly Outcome[], alone: boolean): string => {
  const [first] = open;
  const one = open.length === 1 && first !== undefined;
  const what = one
    ? `The ${OPERATIONS[first.kind].name} of "${first.view}"`
    : `The operations of ${open.length} views`;
  const view = one ? ` ${first.view}` : '';
  const cancel = `Cancel: \`assay projections cancel${view || ' VIEW'}\``;
  return alone
    ? `${what} stopped, since no projector is running: start one, or run the same command again. ${cancel}`
    : `${what} ${one ? 'continues' : 'continue'} without this command. Show: \`assay projections status${view}\`. ${cancel}`;
};
