import type { AwaitedHandIn, AwaitedWork, AwaitedWorkKey } from '../session/events.js';
import type { LateWorkEvent } from './events.js';

/*
 * What an evaluation waits for before a generation of it is made. `trial.completed` names it, and so do later events: a
 * hand-in that arrives is to be checked, and a new generation may run checks again. Events of the evaluation end the wait,
 * one by one. Nothing here reads a clock: an event records that a time is over. A result is refused while anything is
 * awaited, so it rests on all work that has arrived, whichever process makes it.
 */

/** What an event makes the evaluation wait for. */
export const askedBy = (event: LateWorkEvent): readonly AwaitedWork[] =>
  'awaits' in event.data ? (event.data.awaits ?? []) : [];

/** What an event ends the wait for. */
export const endedBy = (event: LateWorkEvent): readonly AwaitedWorkKey[] => {
  switch (event.type) {
    case 'evaluation.work_handed_in':
    case 'evaluation.work_refused':
      return [{ kind: 'hand_in', id: event.data.handInId }];
    case 'evaluation.work_checked':
      return [{ kind: 'check', id: event.data.handInId }];
    case 'evaluation.wait_ended':
      return event.data.missing;
    case 'evaluation.regeneration_requested':
      return [];
  }
};

/** What is awaited after one more event. */
export const awaitedAfter = (awaited: readonly AwaitedWork[], event: LateWorkEvent): readonly AwaitedWork[] =>
  without([...awaited, ...askedBy(event)], endedBy(event));

/** `some` without `others`, compared by kind and id. */
export const without = <Key extends AwaitedWorkKey>(
  some: readonly Key[],
  others: readonly AwaitedWorkKey[],
): readonly Key[] => {
  const names = new Set(others.map(nameOf));
  return some.filter((one) => !names.has(nameOf(one)));
};

/** The earliest time at which the wait for a hand-in ends; `null`: none is awaited. Checks have no such time. */
export const firstDeadline = (awaited: readonly AwaitedWork[]): string | null =>
  awaited
    .filter(isHandIn)
    .reduce<string | null>((first, { until }) => (first === null || until < first ? until : first), null);

/** Whether a hand-in is awaited, rather than its checks. */
export const isHandIn = (awaited: AwaitedWork): awaited is AwaitedHandIn => awaited.kind === 'hand_in';

const nameOf = ({ kind, id }: AwaitedWorkKey): string => `${kind} ${id}`;
