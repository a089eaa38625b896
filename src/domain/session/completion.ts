import type { Stored } from '../../core/event.js';
import type { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import type { TrialCompleted, TrialEvent } from './events.js';

/** Behind a session's completion stands nothing but its erasure. */
const LAST_EVENTS = 2;

/** The event that completed a session, read from the stream's end; `null`: it was not completed. */
export const readCompletion = async (
  streams: Pick<CommandStreams, 'each'>,
  trialSessionId: string,
): Promise<Stored<TrialCompleted> | null> => {
  const stream = streamName('trial', trialSessionId);
  const last = { direction: 'backward', limit: LAST_EVENTS } as const;
  for await (const event of streams.each<TrialEvent>(stream, last))
    if (event.type === 'trial.completed') return event;
  return null;
};
