import { counted } from '../cli/output.js';
import { eventBlock } from '../streams/shown-event.js';
import type { ShownDeadLetter } from './dead-letter.js';
import type { DeadLetters, ListedDeadLetter } from './list.js';
import type { Retried } from './retry.js';
import type { StoppedRebuild } from './skip.js';

/** Parked documents and stopped rebuilds, some lines each. */
export const listLines = ({ deadLetters, more, stopped }: DeadLetters, limit: number): readonly string[] => {
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
    `${view} ${document}  (${generation}, ${role})`,
    `    event    ${place}`,
    `    since    ${since ?? '?'}  at ${position}`,
    `    reason   ${why.reason}`,
    `    waiting  ${waiting === null ? 'unknown' : counted(waiting, 'event')}`,
  ];
};

const stoppedLines = ({ view, generation, ...event }: StoppedRebuild): readonly string[] => [
  `${view}: the rebuild ${generation} stopped`,
  `    event    ${event.eventType}  ${event.eventId}  at ${event.position}`,
  ...(event.document === null ? [] : [`    document ${event.document}`]),
  `    reason   ${event.reason}`,
];

/** One in full. */
export const shownLines = (letter: ShownDeadLetter): readonly string[] => {
  const { view, document, generation, role, position, event, why, content } = letter;
  return [
    `${view} ${document}  (${generation}, ${role})`,
    '',
    `Parked at this event${event ? ` of ${event.stream}` : ''}:`,
    ...(event ? eventBlock(event) : [`    none at ${position}`]),
    '',
    `Why: ${why.reason}`,
    ...(why.stack?.split('\n') ?? []),
    '',
    content === null ? 'It had no content before.' : 'Its content before:',
    ...(content === null ? [] : JSON.stringify(content, null, 2).split('\n')),
  ];
};

/** The outcome of a retry: one line, and one for each document that stays parked. */
export const retriedLines = ({ view, message, stillParked }: Retried): readonly string[] => [
  message,
  ...stillParked.map(
    ({ document, role, event, why }) =>
      `${view} ${document} (${role}) stays parked at the ${event?.type ?? '?'} event ${event?.id ?? '?'}: ${why.reason}`,
  ),
];
