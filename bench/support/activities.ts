import type { StartedSession } from './contenders.js';
import type { LoopRequest } from './open-loop.js';
import type { Server } from './servers.js';

/** Events of a batch, as many as one may hold. */
export const BATCH = 100;

const payloads = [
  { eventType: 'file.changed', payload: { path: 'src/parser/tokens.ts', linesAdded: 12, linesRemoved: 3 } },
  { eventType: 'test.run', payload: { passed: 9, failed: 1, durationMs: 812.5 } },
  { eventType: 'page.hidden', payload: {} },
  { eventType: 'page.shown', payload: {} },
  {
    eventType: 'message.sent',
    payload: { text: 'The parser fails on an empty line: where is that tested?', to: 'assistant' },
  },
] as const;

/** A batch of what a candidate did, as JSON. @param number of the batch in its session: no event is sent twice */
export const activityBatch = (number: number): string =>
  JSON.stringify({
    events: Array.from({ length: BATCH }, (_, index) => ({
      clientEventId: `${number}-${index}`,
      occurredAt: new Date(Date.UTC(2026, 0, 5) + (number * BATCH + index) * 1_000).toISOString(),
      ...payloads[index % payloads.length],
    })),
  });

/** Sends a batch of a session's candidate. @param body see `activityBatch` */
export const sendingBatch = ({ url }: Server, { id, token }: StartedSession, body: string): LoopRequest => ({
  url: `${url}/trial-sessions/${id}/activity`,
  method: 'POST',
  headers: { authorization: `Bearer ${token}` },
  body,
});
