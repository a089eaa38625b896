import type { StreamName } from './event-store.js';

/** Longest stream name, in characters. */
export const MAX_STREAM_NAME = 200;

const NAME = /^[A-Za-z0-9_]+-[A-Za-z0-9_-]+$/;

/** Whether a text is a stream's name: `<kind>-<id>`, both non-empty, at most 200 characters of `[A-Za-z0-9_-]`. */
export const isStreamName = (name: string): name is StreamName =>
  name.length <= MAX_STREAM_NAME && NAME.test(name);

/**
 * The name of an aggregate's stream.
 * @param kind what the aggregate is, such as `account`
 * @param id `[A-Za-z0-9_-]+`; anything else is a programming error: ids from outside are checked before
 * @throws {RangeError} where the two make no stream name
 */
export function streamName(kind: string, id: string): StreamName {
  const name = `${kind}-${id}`;
  if (kind === '' || id === '' || !isStreamName(name)) {
    throw new RangeError(`'${name.slice(0, MAX_STREAM_NAME)}' is no stream name.`);
  }
  return name;
}
