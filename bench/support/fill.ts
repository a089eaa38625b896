import { activityBatch, BATCH, sendingBatch } from './activities.js';
import { closedLoop } from './closed-loop.js';
import type { Contender } from './contenders.js';
import { answered, keepAliveAgent } from './open-loop.js';

/** A session takes no more events than some thousands. */
const PER_SESSION = 9_000;
const WRITERS = 8;

/** Stores events as candidates send them. */
export const fillWithActivity = async (
  { server, startSessions }: Contender,
  events: number,
): Promise<void> => {
  const batches = Math.min(PER_SESSION, events) / BATCH;
  const sessions = await startSessions(Math.ceil(events / PER_SESSION));
  const bodies = Array.from({ length: batches }, (_, index) => activityBatch(index));
  const agent = keepAliveAgent();
  const waiting = [...sessions];
  await closedLoop(WRITERS, sessions.length, async () => {
    const session = waiting.pop();
    if (!session) throw new Error('There are too few sessions.');
    for (const body of bodies) await answered(agent, sendingBatch(server, session, body));
  });
  await agent.destroy();
};
