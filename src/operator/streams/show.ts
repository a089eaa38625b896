import type { EventStore } from '../../core/event-store.js';
import { isStreamName } from '../../core/stream-name.js';
import { OperatorError } from '../program.js';
import { shownEvent, type ShownEvent } from './shown-event.js';

export interface ShowOptions {
  /** First revision to show; the stream's end is shown first where it goes backward and nothing is said. */
  readonly from?: number;
  readonly limit: number;
  readonly backward: boolean;
}

/**
 * A stream's events as they are stored.
 * @throws {OperatorError} there is no such stream
 */
export async function* showStream(
  log: Pick<EventStore, 'readStream'>,
  name: string,
  { from, limit, backward }: ShowOptions,
): AsyncGenerator<ShownEvent, void, undefined> {
  if (!isStreamName(name)) throw unknown(name);
  const direction = backward ? 'backward' : 'forward';
  let shown = 0;
  for await (const event of log.readStream(name, { direction, limit, ...(from !== undefined && { from }) })) {
    yield shownEvent(event);
    shown++;
  }
  if (shown > 0) return;
  // Nothing stands at or after that revision; whether there is a stream at all is another question.
  for await (const _ of log.readStream(name, { limit: 1 })) return;
  throw unknown(name);
}

const unknown = (name: string): OperatorError =>
  new OperatorError(
    `There is no stream ${JSON.stringify(name)}. \`assay streams list\` names them; a stream is called <kind>-<id>.`,
  );
