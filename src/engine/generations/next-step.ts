import type { Pointer } from '../../stores/read-store.js';
import type { AnyView } from '../view.js';
import { folds } from './generations.js';
import type { Ending, Operation, OperatorIntent } from './operations.js';

/** The state of one view, from which `nextStep` decides. */
export interface Situation {
  /** The view as this process's code has it, and former versions of it that are still registered. */
  readonly versions: readonly [AnyView, ...AnyView[]];
  readonly pointer: Pointer;
  /** Open operations of this view, the oldest first. */
  readonly open: readonly Operation[];
  /** Whether changed code rebuilds the view without an operation. */
  readonly automatic: boolean;
  /** An operator has paused the view. */
  readonly paused: boolean;
  /** The generation that is being built has not moved for 10 s: no process feeds it. */
  readonly stalled: boolean;
  /** Reads are frozen for longer than a promotion takes: the process that froze them is dead. */
  readonly stuck: boolean;
  /** An operator has skipped the event at which the build has stopped. */
  readonly failureSkipped: boolean;
  /** The former generation was kept for the configured time. */
  readonly graceOver: boolean;
}

/** A step for the view's conductor. `operation`: the operator's request for it; `null`: changed code leads to it. */
export type Step =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'end'; readonly operations: readonly string[]; readonly ending: Ending }
  /** Begin a build, in place of one that other code began, if any. `segments` is `null` for the configured number. */
  | {
      readonly kind: 'build';
      readonly operation: string | null;
      readonly hold: boolean;
      readonly segments: number | null;
    }
  /** Check whether the build has come to the log's end. */
  | { readonly kind: 'await' }
  /** Continue a build whose failure is removed. */
  | { readonly kind: 'resume' }
  | { readonly kind: 'drop next' }
  | {
      readonly kind: 'promote';
      readonly to: 'next' | 'former';
      readonly operation: string | null;
      readonly acceptDifferences: boolean;
    }
  | { readonly kind: 'refold'; readonly operation: Extract<Operation, { kind: 'refold' }> }
  | { readonly kind: 'drop former' }
  | { readonly kind: 'thaw' };

const NOTHING: Step = { kind: 'nothing' };

/**
 * The next step of a view. A pure function of stored state: a process that takes over from a dead conductor computes
 * the same step.
 */
export function nextStep(situation: Situation): Step {
  const { pointer, open } = situation;
  if (pointer.freeze !== null) return situation.stuck ? { kind: 'thaw' } : NOTHING;
  const cancel = open.find(({ kind }) => kind === 'cancel');
  if (cancel !== undefined) return cancelled(situation, cancel);
  if (isOrphaned(situation)) return { kind: 'drop next' };
  const steps = open.map((operation) => stepOf(situation, operation));
  // While a build is awaited, other operations are carried out.
  const inTurn = steps.find(({ kind }) => kind !== 'nothing' && kind !== 'await');
  return inTurn ?? steps.find(({ kind }) => kind === 'await') ?? stepWithoutOperation(situation);
}

function stepOf(situation: Situation, operation: Operation): Step {
  switch (operation.kind) {
    case 'rebuild':
      return rebuild(situation, operation);
    case 'promote':
      return promote(situation, operation);
    case 'rollback':
      return rollback(situation, operation);
    case 'refold':
      return { kind: 'refold', operation };
    case 'cancel':
      return NOTHING;
  }
}

function cancelled(situation: Situation, cancel: Operation): Step {
  const { pointer, open } = situation;
  const others = open.filter(({ kind }) => kind === 'rebuild' || kind === 'promote');
  // The operation to cancel has succeeded already.
  const late = others.find(({ id }) => id === pointer.operation);
  if (late !== undefined) return stepOf(situation, late);
  if (pointer.next !== null) return { kind: 'drop next' };
  return others.length === 0
    ? done(cancel, `The rebuild of "${cancel.view}" is cancelled.`)
    : end(
        others.map(({ id }) => id),
        'cancelled',
        'Cancelled. The live generation is unchanged.',
      );
}

function rebuild(
  { pointer, versions, paused, stalled }: Situation,
  operation: Extract<Operation, { kind: 'rebuild' }>,
): Step {
  const { id, view, hold, segments } = operation;
  const { next, live } = pointer;
  if (pointer.operation === id)
    return done(operation, `${live.name} is now live.`, { generation: live.name });
  if (next?.operation !== id) {
    if (paused) return failed(operation, isPaused(view));
    if (next !== null && next.failure === null)
      return failed(operation, `${next.generation.name} is being built: cancel it first.`);
    if (versions[0].version < live.version)
      return failed(operation, `The live generation of "${view}" is of newer code than the projector's.`);
    return { kind: 'build', operation: id, hold, segments };
  }
  const { failure, generation, ready } = next;
  if (failure !== null) {
    const stays = `${live.name} stays live.`;
    if (failure.eventId === null)
      return failed(operation, `The rebuild of "${view}" stopped. ${failure.message} ${stays}`, {
        generation: generation.name,
      });
    const { eventType, eventId, position, documentId, message } = failure;
    return failed(
      operation,
      `The rebuild of "${view}" stopped at the ${eventType} event ${eventId}, which it cannot fold: ${message} ${stays}`,
      { generation: generation.name, eventType, eventId, position, documentId },
    );
  }
  if (!versions.some((version) => folds(version, generation)))
    return takeOverBuild(pointer, versions[0], stalled);
  if (ready && next.hold)
    return done(operation, `${generation.name} is built and held: promote or cancel it.`, {
      generation: generation.name,
    });
  if (paused) return NOTHING;
  if (!ready) return { kind: 'await' };
  return { kind: 'promote', to: 'next', operation: id, acceptDifferences: false };
}

/**
 * A build that other code began. Newer code starts it over. Other code of the same version does so once no process
 * feeds it. Older code does nothing.
 */
function takeOverBuild({ next }: Pointer, view: AnyView, stalled: boolean): Step {
  if (next === null) return NOTHING;
  const { generation, operation, hold } = next;
  const newer = view.version > generation.version;
  if (!newer && (view.version < generation.version || !stalled)) return NOTHING;
  return { kind: 'build', operation, hold, segments: generation.segments };
}

function promote({ pointer, paused }: Situation, operation: Extract<Operation, { kind: 'promote' }>): Step {
  const { id, view, acceptDifferences } = operation;
  const { next, live } = pointer;
  if (pointer.operation === id)
    return done(operation, `${live.name} is now live.`, { generation: live.name });
  if (paused) return failed(operation, isPaused(view));
  if (next === null) return failed(operation, `"${view}" has no built generation to promote.`);
  if (next.failure !== null)
    return failed(operation, `${next.generation.name} cannot be promoted: ${next.failure.message}`);
  if (!next.ready) return failed(operation, `${next.generation.name} has not caught up with the log yet.`);
  return { kind: 'promote', to: 'next', operation: id, acceptDifferences };
}

function rollback({ pointer, versions, paused }: Situation, operation: Operation): Step {
  const { id, view } = operation;
  const { former, live } = pointer;
  if (pointer.operation === id)
    return done(operation, `${live.name} is live again.`, { generation: live.name });
  if (paused) return failed(operation, isPaused(view));
  if (former === null)
    return failed(operation, `"${view}" has no former generation any more: rebuild it instead.`);
  if (!versions.some((version) => folds(version, former.generation)))
    return failed(
      operation,
      `No running code folds the former generation of "${view}" (version ${former.generation.version}): run that version, or rebuild.`,
    );
  return { kind: 'promote', to: 'former', operation: id, acceptDifferences: true };
}

const isPaused = (view: string): string => `"${view}" is paused: resume it first.`;

/**
 * Whether the build's operation is closed: it has ended, or was cancelled while another conductor worked on the build.
 * A held build stays for the operator; any other is orphaned and is dropped.
 */
function isOrphaned({ pointer: { next }, open }: Situation): boolean {
  if (next?.operation == null || open.some(({ id }) => id === next.operation)) return false;
  return !next.ready || !next.hold;
}

/** The step that follows from code, time and the build under way, if no open operation has one. */
function stepWithoutOperation({
  pointer,
  versions,
  automatic,
  paused,
  stalled,
  graceOver,
  failureSkipped,
}: Situation): Step {
  const { next, live, former, declined } = pointer;
  const [view] = versions;
  if (next !== null) {
    const { failure, generation, operation, ready, hold } = next;
    if (failure !== null && failureSkipped) return { kind: 'resume' };
    // Other code may fold the event at which this code has failed, and begins a build of its own.
    if (failure !== null)
      return folds(view, generation) || !automatic ? NOTHING : takeOverBuild(pointer, view, stalled);
    if (!versions.some((version) => folds(version, generation))) return takeOverBuild(pointer, view, stalled);
    if (paused) return NOTHING;
    if (!ready) return { kind: 'await' };
    if (!hold && operation === null)
      return { kind: 'promote', to: 'next', operation: null, acceptDifferences: true };
    return NOTHING;
  }
  // `declined` is code whose build an operator has dropped, or that they have rolled back.
  const changed = view.version > live.version || (view.version === live.version && !folds(view, live));
  if (automatic && changed && !paused && declined !== view.fingerprint)
    return { kind: 'build', operation: null, hold: false, segments: null };
  return former !== null && graceOver ? { kind: 'drop former' } : NOTHING;
}

const end = (
  operations: readonly string[],
  result: Ending['result'],
  message: string,
  details: Ending['details'] = {},
): Step => ({ kind: 'end', operations, ending: { result, message, details } });

const done = ({ id }: Operation, message: string, details?: Ending['details']): Step =>
  end([id], 'done', message, details);

const failed = ({ id }: Operation, message: string, details?: Ending['details']): Step =>
  end([id], 'failed', message, details);

/**
 * The situation of a view, from its pointer and what operators want. `stalled` and `stuck` need some seconds of
 * observation. Default: false.
 */
export function situationOf({
  versions,
  pointer,
  intent: { open, paused, skipped },
  automatic,
  graceOver,
  stalled = false,
  stuck = false,
}: Pick<Situation, 'versions' | 'pointer' | 'automatic' | 'graceOver'> &
  Partial<Pick<Situation, 'stalled' | 'stuck'>> & { readonly intent: OperatorIntent }): Situation {
  const { name } = versions[0];
  const failedAt = pointer.next?.failure?.eventId ?? null;
  return {
    versions,
    pointer,
    open: open.filter(({ view }) => view === name),
    automatic,
    paused: paused.has(name),
    stalled,
    stuck,
    failureSkipped: failedAt !== null && skipped(name).has(failedAt),
    graceOver,
  };
}

/** @param now milliseconds of the epoch */
export const isGraceOver = ({ former }: Pointer, graceMs: number, now: number): boolean =>
  former !== null && now - Date.parse(former.since) >= graceMs;
