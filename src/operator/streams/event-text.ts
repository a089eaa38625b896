import { harmless } from '../output/harmless.js';
import { recordedAtOf, type ShownEvent } from './shown-event.js';

const json = (value: unknown): string => harmless(JSON.stringify(value));

/** An event in one line: where, when, what, and its plain part. */
export const eventLine = (event: ShownEvent): string => {
  const { position, stream, revision, type } = event;
  const place = `${position}  ${recordedAtOf(event) ?? '?'}  ${type}  ${stream}@${revision}`;
  return harmless([place, ...contentOf(event)].join('  '));
};

/** An event in some lines: all that is known of it without a key. */
export const eventBlock = (event: ShownEvent): readonly string[] => {
  const { position, revision, type, id, metadata, person, chain } = event;
  return [
    harmless(`@${revision}  ${type}  ${recordedAtOf(event) ?? '?'}  at ${position}`),
    `    id        ${harmless(id)}`,
    ...(metadata ? [`    metadata  ${json({ ...metadata, recordedAt: undefined })}`] : []),
    ...(event.data ? [`    data      ${json(event.data)}`] : []),
    ...(person === null ? [] : [`    person    ${harmless(person)}`]),
    ...(event.personal === null ? [] : [`    personal  ${event.personal}`]),
    ...(chain === null ? [] : [`    chain     ${harmless(chain.hash)}`]),
    ...(event.damage === null ? [] : [`    damaged   ${harmless(event.damage)}`]),
  ];
};

const contentOf = ({ data, personal, damage }: ShownEvent): readonly string[] =>
  damage === null ? [JSON.stringify(data), ...(personal === null ? [] : [personal])] : [damage];
