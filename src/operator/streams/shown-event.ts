import { parseMetadata, readData, readTail } from '../../core/codec-stored.js';
import { DamagedEvent } from '../../core/errors.js';
import type { RecordedEvent } from '../../core/event-store.js';
import type { ChainLink } from '../../core/event.js';

/** Printed in place of a personal part, which these commands never open. */
export const SEALED = '(sealed)';

/**
 * An event as it is stored, neither upcast nor opened, so that no key is needed. Of a damaged event `metadata`, `data`,
 * `person`, `personal` and `chain` are `null`.
 */
export interface ShownEvent {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly data: object | null;
  /** `null` also if the event names no person. */
  readonly person: string | null;
  /** `null` also if the event has no personal part. */
  readonly personal: typeof SEALED | null;
  /** `null` also if the event is not evidence. */
  readonly chain: ChainLink | null;
  /** What is damaged, in a sentence; `null`: nothing. */
  readonly damage: string | null;
}

/** Reads an event as it is stored. Never fails, also on a damaged event. */
export const shownEvent = (event: RecordedEvent): ShownEvent => {
  const { position, stream, revision, type, id } = event;
  const place = { position, stream, revision, type, id };
  try {
    const stored = parseMetadata(event);
    const { person, personal, chain } = readTail(event, stored);
    const metadata = { ...stored, person: undefined, personal: undefined, chain: undefined };
    return {
      ...place,
      metadata,
      data: readData(event),
      person,
      personal: personal === null ? null : SEALED,
      chain,
      damage: null,
    };
  } catch (error) {
    if (!(error instanceof DamagedEvent)) throw error;
    const nothing = { metadata: null, data: null, person: null, personal: null, chain: null };
    return { ...place, ...nothing, damage: error.message };
  }
};

/** When it was recorded, by its writer's clock; `null`: not recorded. */
export const recordedAtOf = ({ metadata }: Pick<ShownEvent, 'metadata'>): string | null => {
  const at = metadata?.['recordedAt'];
  return typeof at === 'string' ? at : null;
};

/** An event in one line: where, when, what, and its plain part. */
export const eventLine = (event: ShownEvent): string => {
  const { position, stream, revision, type } = event;
  const place = `${position}  ${recordedAtOf(event) ?? '?'}  ${type}  ${stream}@${revision}`;
  return [place, ...contentOf(event)].join('  ');
};

/** An event in some lines: all that is known of it without a key. */
export const eventBlock = (event: ShownEvent): readonly string[] => {
  const { position, revision, type, id, metadata, person, chain } = event;
  return [
    `@${revision}  ${type}  ${recordedAtOf(event) ?? '?'}  at ${position}`,
    `    id        ${id}`,
    ...(metadata ? [`    metadata  ${JSON.stringify({ ...metadata, recordedAt: undefined })}`] : []),
    ...(event.data ? [`    data      ${JSON.stringify(event.data)}`] : []),
    ...(person === null ? [] : [`    person    ${person}`]),
    ...(event.personal === null ? [] : [`    personal  ${event.personal}`]),
    ...(chain === null ? [] : [`    chain     ${chain.hash}`]),
    ...(event.damage === null ? [] : [`    damaged   ${event.damage}`]),
  ];
};

const contentOf = ({ data, personal, damage }: ShownEvent): readonly string[] =>
  damage === null ? [JSON.stringify(data), ...(personal === null ? [] : [personal])] : [damage];
