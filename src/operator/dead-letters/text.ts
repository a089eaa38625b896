import { harmless } from '../cli/output.js';
import { eventBlock } from '../streams/shown-event.js';
import type { DeadLetters, ListedDeadLetter } from './list.js';
import type { Retried } from './retry.js';
import type { ShownDeadLetter } from './dead-letter.js';
import type { StoppedRebuild } from './skip.js';

/** Parked documents and stopped rebuilds, some lines each. */
export const listText = ({ deadLetters, more, stopped }: DeadLetters, limit: number): readonly string[] => {
  if (deadLetters.length === 0 && stopped.length === 0) return ['Nothing is parked.'];
  return [
    ...deadLetters.flatMap(listed),
    ...(more ? [`There are more than these ${limit}: raise --limit.`] : []),
    ...stopped.flatMap(stoppedLines),
  ];
};

const listed = (letter: ListedDeadLetter): readonly string[] => {
  const { view, document, generation, role, position, event, since, waiting, why } = letter;
  const place = event ? `${event.type}  ${event.stream}@${event.revision}  ${event.id}` : '?';
  return [
    harmless(`${view} ${document}  (${generation}, ${role})`),
    harmless(`    event    ${place}`),
    harmless(`    since    ${since ?? '?'}  at ${position}`),
    harmless(`    reason   ${why.reason}`),
    `    waiting  ${waiting === null ? 'unknown' : plural(waiting, 'event')}`,
  ];
};

const stoppedLines = ({ view, generation, ...event }: StoppedRebuild): readonly string[] => [
  harmless(`${view}: the rebuild ${generation} stopped`),
  harmless(`    event    ${event.eventType}  ${event.eventId}  at ${event.position}`),
  ...(event.document === null ? [] : [harmless(`    document ${event.document}`)]),
  harmless(`    reason   ${event.reason}`),
];

/** One in full. */
export const shownText = (letter: ShownDeadLetter): readonly string[] => {
  const { view, document, generation, role, position, event, why, content } = letter;
  return [
    harmless(`${view} ${document}  (${generation}, ${role})`),
    '',
    harmless(`Parked at this event${event ? ` of ${event.stream}` : ''}:`),
    ...(event ? eventBlock(event) : [harmless(`    none at ${position}`)]),
    '',
    harmless(`Why: ${why.reason}`),
    ...(why.stack?.split('\n') ?? []).map(harmless),
    '',
    content === null ? 'It had no content before.' : 'Its content before:',
    ...(content === null ? [] : JSON.stringify(content, null, 2).split('\n').map(harmless)),
  ];
};

export const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The outcome of a retry: one line, and one for each document that stays parked. */
export const retriedText = ({ view, message, stillParked }: Retried): readonly string[] => [
  harmless(message),
  ...stillParked.map(({ document, role, event, why }) =>
    harmless(
      `${view} ${document} (${role}) stays parked at the ${event?.type ?? '?'} event ${event?.id ?? '?'}: ${why.reason}`,
    ),
  ),
];
