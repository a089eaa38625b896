import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { openStage, type Stage } from '../support/stage.js';

/** Limit of the heap in MB; a started service takes about 60. */
const HEAP_MB = 160;
const READERS = 8;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
});
afterAll(() => stage.close());

it('a session of the largest size is scored, read by many at once and exported within a small heap', async () => {
  const { person, session, sessionId } = await stage.started(await stage.role());
  // Payloads that are large both as text and parsed.
  const payloads = [
    { list: Array.from({ length: 3_000 }, () => [{}]) },
    ...Array.from({ length: 13 }, () => ({ text: 'x'.repeat(16_000), to: 'assistant' })),
  ];
  let recorded = 1;
  for (let round = 0, full = false; !full; round += 1) {
    const events = payloads.map((payload, index) => ({
      clientEventId: `${round}-${index}`,
      eventType: 'text' in payload ? 'message.sent' : 'custom.list',
      occurredAt: '2026-01-05T09:00:00.000Z',
      payload,
    }));
    const { status, body } = await person.post<{ lastSequenceNumber: number; code?: string }>(
      `${session}/activity`,
      { events },
    );
    full = status === 413;
    if (full) expect(body.code).toBe('session_full');
    else recorded = body.lastSequenceNumber;
  }
  await person.post(`${session}/complete`);
  stage.owner.follow(person);
  const id = await eventually(async () => {
    const { body } = await stage.owner.get<{
      items: { id: string; trialSessionId: string; status: string }[];
    }>(stage.at('/evaluations'));
    const mine = body.items.find(({ trialSessionId }) => trialSessionId === sessionId);
    return mine?.status === 'ready' && mine.id;
  }, 90_000);
  const reads = await Promise.all(
    Array.from({ length: READERS }, async () => {
      const { status, body } = await stage.owner.get<{ evidence: { events: { sequenceNumber: number }[] } }>(
        stage.at(`/evaluations/${id}`),
      );
      return { status, last: body.evidence.events.at(-1)?.sequenceNumber };
    }),
  );
  expect(reads).toEqual(Array.from({ length: READERS }, () => ({ status: 200, last: recorded + 1 })));
  expect((await stage.owner.get(stage.at(`/evaluations/${id}/explanation`))).status).toBe(200);
  expect((await person.get('/me/export')).status).toBe(200);
});
