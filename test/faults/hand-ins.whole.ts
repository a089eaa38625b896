import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamName } from '../../src/core/event-store.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { packZipHere } from '../../src/work/archives.js';
import { MAX_PIECE_BYTES } from '../../src/work/limits.js';
import { treeOf } from '../../src/work/tree.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { makePlace, type Place } from '../support/place.js';
import { type Service } from '../support/service.js';
import { type Candidate, type Stage, stageOn } from '../support/stage.js';

interface HandIn {
  readonly id: string;
  readonly received: number;
  readonly status: 'receiving' | 'handed_in' | 'refused';
  readonly treeSha256: string | null;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Work of five pieces, different at each call. */
const aZip = async (): Promise<Buffer> =>
  Buffer.from(await packZipHere(treeOf([{ path: 'src/parser.ts', content: randomBytes(600 * 1024) }])));

describe('kill -9 of the service while work is handed in', () => {
  let place: Place;
  let service: Service;
  let stage: Stage;
  let ticketId: string;
  let ada: Candidate;

  const kill = async (): Promise<void> => {
    expect((await service.kill()).signal).toBe('SIGKILL');
  };
  const restart = async (): Promise<void> => {
    await kill();
    service = await place.start();
  };

  beforeAll(async () => {
    place = await makePlace();
    service = await place.start();
    stage = await stageOn(service);
    ({ id: ticketId } = (
      await stage.owner.post<{ id: string }>(stage.at('/tickets'), { title: 'Parser', kind: 'files' })
    ).body);
    const role = { ...definition(), ticketIds: [ticketId] };
    ada = await stage.started((await stage.owner.post<{ id: string }>(stage.at('/roles'), role)).body.id);
  });
  afterAll(async () => {
    await service.stop();
    await place.remove();
  });

  const list = () => `${ada.session}/tickets/${ticketId}/hand-ins`;
  const begin = async (bytes: Buffer): Promise<string> => {
    const announced = { name: 'work.zip', bytes: bytes.length, sha256: sha256(bytes) };
    const { status, body, text } = await ada.person.post<HandIn>(list(), announced);
    if (status !== 201) throw new Error(text);
    return `${list()}/${body.id}`;
  };
  const piece = (handIn: string, bytes: Buffer, offset: number) =>
    ada.person.post<HandIn>(`${handIn}/pieces`, {
      offset,
      data: bytes.subarray(offset, offset + MAX_PIECE_BYTES).toString('base64'),
    });
  /** Sends the missing pieces, as an interrupted client does, until so many bytes have arrived. */
  const sendUpTo = async (handIn: string, bytes: Buffer, end: number): Promise<void> => {
    for (let { received } = await at(handIn); received < end;) {
      const { status, body, text } = await piece(handIn, bytes, received);
      if (status !== 200) throw new Error(text);
      ({ received } = body);
    }
  };
  const at = async (handIn: string): Promise<HandIn> => (await ada.person.get<HandIn>(handIn)).body;
  const complete = (handIn: string) => ada.person.post<HandIn>(`${handIn}/complete`);

  /** Expects the hand-in once, byte for byte, in every read. */
  const expectHandedInOnce = async (handIn: string, bytes: Buffer): Promise<void> => {
    const id = handIn.split('/').at(-1) ?? '';
    expect(await at(handIn)).toMatchObject({ id, status: 'handed_in', received: bytes.length });
    const headers = { authorization: `Bearer ${ada.person.token}` };
    const content = await fetch(`${place.url}${handIn}/content`, { headers });
    expect(sha256(Buffer.from(await content.arrayBuffer()))).toBe(sha256(bytes));
    // The same bytes again are the same hand-in.
    expect(await begin(bytes)).toBe(handIn);
    expect(await complete(handIn)).toMatchObject({ status: 200, body: { id, status: 'handed_in' } });
    const { body } = await ada.person.get<{ items: readonly HandIn[] }>(`${list()}?limit=100`);
    expect(body.items.filter((one) => one.id === id)).toHaveLength(1);
    expect(await recorded(id)).toEqual(['work.hand_in_begun', 'work.handed_in']);
  };

  /** The types of the session's events that name the hand-in. */
  const recorded = async (id: string): Promise<readonly string[]> => {
    const log = await openEmbeddedLog(join(place.dataDir, 'log'), { readOnly: true });
    try {
      const types: string[] = [];
      for await (const event of log.readStream(`trial-${ada.sessionId}` as StreamName))
        if (Buffer.from(event.data).includes(id)) types.push(event.type);
      return types;
    } finally {
      await log.close();
    }
  };

  it('right after it was begun: it is there, and takes its pieces', async () => {
    const bytes = await aZip();
    const handIn = await begin(bytes);
    await restart();
    expect(await at(handIn)).toMatchObject({ status: 'receiving', received: 0 });
    await sendUpTo(handIn, bytes, bytes.length);
    expect(await complete(handIn)).toMatchObject({ status: 200 });
    await expectHandedInOnce(handIn, bytes);
  });

  it('between pieces: each that was acknowledged is there, and the next one follows it', async () => {
    const bytes = await aZip();
    const handIn = await begin(bytes);
    for (let end = MAX_PIECE_BYTES; end < bytes.length; end += MAX_PIECE_BYTES) {
      await sendUpTo(handIn, bytes, end);
      await restart();
      expect(await at(handIn)).toMatchObject({ status: 'receiving', received: end });
      // Sent again, as if its answer was lost: it changes nothing.
      const again = await piece(handIn, bytes, end - MAX_PIECE_BYTES);
      expect(again).toMatchObject({ status: 200, body: { received: end } });
    }
    await sendUpTo(handIn, bytes, bytes.length);
    expect(await complete(handIn)).toMatchObject({ status: 200 });
    await expectHandedInOnce(handIn, bytes);
  });

  it.each([0, 2, 5, 10])(
    'in the middle of a piece, after %d ms: it is there or not, as a whole',
    async (ms) => {
      const bytes = await aZip();
      const handIn = await begin(bytes);
      await sendUpTo(handIn, bytes, MAX_PIECE_BYTES);
      const sent = piece(handIn, bytes, MAX_PIECE_BYTES).catch(() => null);
      await sleep(ms);
      await restart();
      const acknowledged = (await sent)?.body.received ?? MAX_PIECE_BYTES;
      const { received } = await at(handIn);
      expect([MAX_PIECE_BYTES, 2 * MAX_PIECE_BYTES]).toContain(received);
      expect(received).toBeGreaterThanOrEqual(acknowledged);
      await sendUpTo(handIn, bytes, bytes.length);
      expect(await complete(handIn)).toMatchObject({ status: 200 });
      await expectHandedInOnce(handIn, bytes);
    },
  );

  it('between the last piece and its completion: nothing has to be sent again', async () => {
    const bytes = await aZip();
    const handIn = await begin(bytes);
    await sendUpTo(handIn, bytes, bytes.length);
    await restart();
    expect(await at(handIn)).toMatchObject({ status: 'receiving', received: bytes.length });
    expect(await complete(handIn)).toMatchObject({ status: 200, body: { status: 'handed_in' } });
    await expectHandedInOnce(handIn, bytes);
  });

  it.each([0, 5, 20, 50, 100])(
    'while it is completed, after %d ms: it is handed in once, by this or the next sending',
    async (ms) => {
      const bytes = await aZip();
      const handIn = await begin(bytes);
      await sendUpTo(handIn, bytes, bytes.length);
      const sent = complete(handIn).catch(() => null);
      await sleep(ms);
      await restart();
      const before = await at(handIn);
      expect(before.received).toBe(bytes.length);
      if ((await sent)?.status === 200) expect(before.status).toBe('handed_in');
      const done = await complete(handIn);
      expect(done).toMatchObject({ status: 200, body: { status: 'handed_in' } });
      await expectHandedInOnce(handIn, bytes);
    },
  );

  it.each([0, 5, 20, 50, 100])(
    'while it is refused, after %d ms: it is refused once, by this or the next sending, and nothing is kept',
    async (ms) => {
      const bytes = randomBytes(600 * 1024);
      const handIn = await begin(bytes);
      await sendUpTo(handIn, bytes, bytes.length);
      const sent = complete(handIn).catch(() => null);
      await sleep(ms);
      await restart();
      if ((await sent) !== null) expect((await at(handIn)).status).toBe('refused');
      for (const again of [await complete(handIn), await complete(handIn)])
        expect(again).toMatchObject({ status: 400, body: { code: 'work_refused' } });
      const id = handIn.split('/').at(-1) ?? '';
      const shown = await eventually(async () => {
        const now = await at(handIn);
        return now.status === 'refused' && now;
      });
      expect(shown).toMatchObject({ received: 0 });
      expect(await recorded(id)).toEqual(['work.hand_in_begun', 'work.refused']);
      expect(await begin(bytes)).toBe(handIn);
    },
  );

  it('right after the answer to its completion: the receipt stays as it was', async () => {
    const bytes = await aZip();
    const handIn = await begin(bytes);
    await sendUpTo(handIn, bytes, bytes.length);
    const receipt = await complete(handIn);
    expect(receipt).toMatchObject({ status: 200, body: { status: 'handed_in' } });
    await restart();
    expect(await at(handIn)).toEqual(receipt.body);
    await expectHandedInOnce(handIn, bytes);
    expect((await complete(handIn)).body).toEqual(receipt.body);
  });

  it('again and again, under a client that resumes each time', async () => {
    const bytes = await aZip();
    const progress = { isDone: false };
    const client = async (): Promise<string> => {
      for (;;)
        try {
          const handIn = await begin(bytes);
          await sendUpTo(handIn, bytes, bytes.length);
          const { status } = await complete(handIn);
          if (status === 200) return handIn;
        } catch {
          await sleep(20);
        }
    };
    const sending = client().finally(() => (progress.isDone = true));
    for (const ms of [10, 30, 60]) {
      await sleep(ms);
      if (!progress.isDone) await restart();
    }
    const handIn = await sending;
    await expectHandedInOnce(handIn, bytes);
  });

  it('counts each of them once in the evaluation', async () => {
    const { body } = await ada.person.get<{ items: readonly HandIn[] }>(`${list()}?limit=100`);
    const handedIn = body.items.filter(({ status }) => status === 'handed_in');
    const refused = body.items.filter(({ status }) => status === 'refused');
    expect([refused.length, handedIn.length]).toEqual([5, body.items.length - 5]);
    expect((await ada.person.post(`${ada.session}/complete`)).status).toBe(200);
    await restart();
    stage.owner.follow(ada.person);
    const found = await eventually(async () => {
      const { body: all } = await stage.owner.get<{
        items?: readonly { id: string; trialSessionId: string; status: string }[];
      }>(stage.at('/evaluations'));
      return all.items?.find((one) => one.trialSessionId === ada.sessionId && one.status === 'ready');
    });
    const { body: evaluation } = await stage.owner.get<{
      evidence: { events: readonly { eventType: string; payload: { handInId?: string } }[] };
    }>(stage.at(`/evaluations/${found.id}`));
    const counted = evaluation.evidence.events.filter(({ eventType }) => eventType === 'work.handed_in');
    expect(counted).toHaveLength(handedIn.length);
  });
});
