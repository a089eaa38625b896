import type { CommandContexts } from '../core/command-context.js';
import { StoreUnavailable } from '../core/errors.js';
import type { CommandStreams } from '../core/handle.js';
import type { Position } from '../core/event-store.js';
import { streamName } from '../core/stream-name.js';
import { installReactor, operator } from '../domain/operations/decider.js';

/** Writes down, once for all processes, that a reactor is installed; answers where in the log that stands. */
export const installedAt = async (
  streams: CommandStreams,
  contexts: CommandContexts,
  reactor: string,
): Promise<Position> => {
  const stream = streamName('operator', 'log');
  const context = contexts.forSystem({ type: 'system', id: reactor }, reactor);
  const handled = await streams.handle(operator, stream, context, (state) =>
    installReactor(state, { reactor }),
  );
  // Read back: the position that counts is the first one's, whoever wrote it.
  const position = (await streams.read(operator, stream)).state.reactors.get(reactor);
  if (handled.kind === 'refused' || position === undefined)
    throw new StoreUnavailable(`The reactor ${reactor} could not be installed yet.`);
  return position;
};
