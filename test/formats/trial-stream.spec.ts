import { describe, expect, it } from '@jest/globals';
import { createDecipheriv, createHash } from 'node:crypto';
import { storedLinks, verifyStored } from '../../src/core/codec-evidence.js';
import type { Position, RecordedEvent, StreamName } from '../../src/core/event-store.js';
import { blocksBelow, type ShownEvent, TRIAL_STREAM } from './formats-page.js';

/** The candidate's key in docs/formats.md. */
const key = Buffer.from(blocksBelow(TRIAL_STREAM, 'text')[0]?.trim() ?? '', 'hex');
const events = JSON.parse(blocksBelow(TRIAL_STREAM, 'json')[0] ?? '[]') as ShownEvent[];

const stored = ({ id, type, revision, data, metadata }: ShownEvent): RecordedEvent => ({
  id,
  type,
  revision,
  stream: 'trial-example' as StreamName,
  position: String(revision) as Position,
  data: Buffer.from(JSON.stringify(data)),
  metadata: Buffer.from(JSON.stringify(metadata)),
});

describe('the trial’s stream that docs/formats.md shows', () => {
  it('has a valid chain', () => {
    let previousHash: string | null = null;
    for (const event of events.map(stored)) {
      expect(verifyStored(event, previousHash)).toBeNull();
      previousHash = storedLinks(event).at(-1)?.link.hash ?? null;
    }
    expect(events.map(({ type }) => type)).toEqual([
      'trial.started',
      'trial.activity_recorded',
      'trial.completed',
    ]);
  });

  it('has a personal part that opens with the key as the page describes', () => {
    const { person, personal, chain } = events[1]!.metadata as {
      person: string;
      personal: string;
      chain: { items: { commitment: string }[] };
    };
    const sealed = Buffer.from(personal, 'base64');
    expect(sealed[0]).toBe(1);
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13));
    decipher.setAAD(Buffer.from(person)).setAuthTag(sealed.subarray(-16));
    const opened = Buffer.concat([decipher.update(sealed.subarray(13, -16)), decipher.final()]);
    const size = opened.readUInt16BE(32);
    const text = opened.subarray(34 + (size === 65_535 ? 0 : size));
    const { items } = JSON.parse(text.toString()) as { items: object[] };
    expect(items).toMatchObject([{ clientEventId: 'a1', payload: { ticketId: 'T-1' } }]);
    // The salt of the first item: see "A batch".
    const salt = createHash('shake256', { outputLength: 32 }).update(opened.subarray(0, 32)).digest();
    const commitment = createHash('sha256').update(salt).update(JSON.stringify(items[0])).digest('hex');
    expect(chain.items).toMatchObject([{ commitment }]);
  });
});
