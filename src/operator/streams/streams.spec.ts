import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { collect } from '../../../test/contracts/event-store-kit.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import type { EncodedEvent, Position, StreamName } from '../../core/event-store.js';
import type { AnyEvent } from '../../core/event.js';
import { defineEvents } from '../../core/registry.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { LineWriter } from '../cli/output.js';
import { OperatorError } from '../cli/program.js';
import { type ListOptions, listStreams, showStream } from './command.js';
import { eventBlock, eventLine, shownEvent } from './shown-event.js';
import { brokenStreams } from './verify.js';

const metadata = {
  recordedAt: '2026-01-02T03:04:05.006Z',
  actor: { type: 'staff', id: 'person-1' },
  commandId: 'command',
  requestHash: null,
  correlationId: 'correlation',
  causationId: null,
} as const;
const person = 'person-7' as PersonId;
const SECRET = 'Nobody else is to read this.';

const encode = async (...events: Partial<AnyEvent>[]): Promise<readonly EncodedEvent[]> => {
  const vault = new MemoryVault();
  await vault.keys.create(person);
  const codec = createCodec(defineEvents({ happened: { version: 1 } }), new Sealer(vault));
  const whole = events.map((event) => ({
    ...{ type: 'happened', data: {}, person: null, personal: null },
    ...event,
  }));
  return (await codec.encode(whole, metadata)).encoded;
};

const fill = async (...streams: readonly (readonly [string, number])[]): Promise<MemoryEventStore> => {
  const log = new MemoryEventStore();
  for (const [name, count] of streams) {
    const events = await encode(...Array.from({ length: count }, (_, n) => ({ data: { n } })));
    await log.append(name as StreamName, 'no-stream', events);
  }
  return log;
};

const list = (log: MemoryEventStore, options: Partial<ListOptions> = {}) =>
  collect(
    listStreams(log, { prefix: '', limit: Infinity, signal: new AbortController().signal, ...options }),
  );

const streams = [
  ['role-1', 2],
  ['person-1', 1],
  ['role-2', 3],
  ['role-3', 1],
] as const;

describe('the list of streams', () => {
  it('names each once, in the order that they began, with how many events it has', async () => {
    const log = await fill(...streams);
    await log.append('role-1' as StreamName, 1, await encode({}));
    expect((await list(log)).map(({ stream, events }) => [stream, events])).toEqual([
      ['role-1', 3],
      ['person-1', 1],
      ['role-2', 3],
      ['role-3', 1],
    ]);
  });

  it('goes on after a stream where it stopped, by prefix too', async () => {
    const log = await fill(...streams);
    const [first, ...others] = await list(log, { prefix: 'role-', limit: 1 });
    expect([first?.stream, others]).toEqual(['role-1', []]);
    const rest = await list(log, { prefix: 'role-', after: first?.position as Position });
    expect(rest.map(({ stream }) => stream)).toEqual(['role-2', 'role-3']);
  });

  it('looks no further than it has to, and ends when it is stopped', async () => {
    const log = await fill(...streams);
    let looked = 0;
    await list(log, { limit: 2, onRead: (events) => (looked = events) });
    expect(looked).toBe(3);
    expect(await list(log, { signal: AbortSignal.abort() })).toEqual([]);
  });
});

describe('a stream’s events', () => {
  const revisions = async (log: MemoryEventStore, options: object) =>
    (await collect(showStream(log, 'role-1', { limit: Infinity, backward: false, ...options }))).map(
      ({ revision }) => revision,
    );

  it('are shown in both directions, from a revision, so many', async () => {
    const log = await fill(['role-1', 5]);
    expect(await revisions(log, {})).toEqual([0, 1, 2, 3, 4]);
    expect(await revisions(log, { from: 2, limit: 2 })).toEqual([2, 3]);
    expect(await revisions(log, { backward: true, limit: 2 })).toEqual([4, 3]);
    expect(await revisions(log, { backward: true, from: 1 })).toEqual([1, 0]);
    expect(await revisions(log, { from: 5 })).toEqual([]);
  });

  it.each(['role-2', 'role', 'no name at all', ''])(
    'are refused for %j, which is no stream',
    async (name) => {
      const log = await fill(['role-1', 1]);
      const shown = collect(showStream(log, name, { limit: 1, backward: false }));
      await expect(shown).rejects.toThrow(OperatorError);
    },
  );
});

describe('an event on the screen', () => {
  const onScreen = async (event: Partial<AnyEvent>) => {
    const log = new MemoryEventStore();
    await log.append('role-1' as StreamName, 'no-stream', await encode(event));
    const shown = shownEvent(log.log[0]!);
    return { shown, text: [eventLine(shown), ...eventBlock(shown), JSON.stringify(shown)].join('\n') };
  };

  it('has its metadata and its plain part', async () => {
    const { shown, text } = await onScreen({ data: { n: 7 } });
    expect(shown).toMatchObject({ stream: 'role-1', revision: 0, type: 'happened', data: { n: 7 } });
    expect(shown.metadata).toMatchObject({ recordedAt: metadata.recordedAt, actor: metadata.actor });
    expect(text).toContain(`happened  role-1@0  {"n":7}`);
  });

  it('shows that there is a personal part and nothing of it, sealed or not', async () => {
    const { shown, text } = await onScreen({ person, personal: { answer: SECRET } });
    expect(shown).toMatchObject({ person, personal: '(sealed)' });
    expect(text).not.toContain(SECRET);
    expect(text.length).toBeLessThan(1_200);
  });

  it('moves no cursor and begins no line, whatever was written into it', async () => {
    const { shown } = await onScreen({ data: { name: '\u001b[2J\u009b2J\r\nforged\u0007' } });
    const screen = new PassThrough().setEncoding('utf8');
    const writer = new LineWriter(screen);
    const lines = [eventLine(shown), ...eventBlock(shown)];
    for (const line of lines) await writer.write(line);
    const printed = String(screen.read()).trimEnd().split('\n');
    expect(printed).toHaveLength(lines.length);
    for (const line of printed) {
      // eslint-disable-next-line no-control-regex
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      if (line.includes('forged')) expect(line).toContain('\\u009b2J');
    }
  });

  it('is shown by its place where its bytes are damaged', () => {
    const place = { id: 'id', type: 'happened', stream: 'role-1' as StreamName, revision: 3 };
    const bytes = { data: Buffer.from('{"data":'), metadata: Buffer.from('{"schemaVersion":1}') };
    const shown = shownEvent({ ...place, ...bytes, position: '07' as Position });
    expect(shown).toMatchObject({ stream: 'role-1', revision: 3, data: null });
    expect(eventLine(shown)).toContain('is damaged');
  });
});

describe('the check of all streams', () => {
  const check = (log: MemoryEventStore) =>
    collect(brokenStreams(log, null, { signal: new AbortController().signal, onRead: () => undefined }));

  it('names every stream whose beginning is missing, of any kind, and no other', async () => {
    const log = await fill(...streams);
    expect(await check(log)).toEqual([]);
    log.scavenge('role-1' as StreamName, 1);
    log.scavenge('role-2' as StreamName, 2);
    expect(await check(log)).toEqual([
      { stream: 'role-1', what: 'the stream’s beginning is missing: it begins with event 2' },
      { stream: 'role-2', what: 'the stream’s beginning is missing: it begins with event 3' },
    ]);
  });

  it('names a stream once that the log has whole and that cannot be read so any more', async () => {
    const log = await fill(...streams);
    const cut = Object.assign(new MemoryEventStore(log), {
      readStream: async function* () {
        // `$tb` before a scavenge: what is read of a stream is less than what the log holds.
      },
    });
    const found = await check(cut);
    expect(found.map(({ stream }) => stream)).toEqual(streams.map(([name]) => name));
    for (const { what } of found) expect(what).toContain('no event is left of it');
  });

  it('names a stream with a gap, however many others are written to in between', async () => {
    const event = (stream: string, revision: number, n: number) => ({
      ...{ id: `${stream}/${revision}`, type: 'happened', stream: stream as StreamName, revision },
      ...{ position: String(n).padStart(6, '0') as Position, data: Buffer.of(), metadata: Buffer.of() },
    });
    const others = Array.from({ length: 20_000 }, (_, n) => event(`person-${n}`, 0, n + 2));
    const first = [event('role-1', 0, 0), event('role-2', 0, 1)];
    const last = [event('role-1', 2, 30_000), event('role-2', 1, 30_001)];
    const log = Object.assign(new MemoryEventStore(), {
      head: async () => last[1]!.position,
      readAll: async function* () {
        yield* [...first, ...others, ...last];
      },
      readStream: async function* (stream: StreamName, { from = 0 }: { readonly from?: number } = {}) {
        const own = stream.startsWith('role-') ? [...first, ...last] : [event(stream, 0, 0)];
        yield* own.filter((one) => one.stream === stream && one.revision >= from);
      },
    });
    expect(await check(log)).toEqual([{ stream: 'role-1', what: 'event 2 of it is missing' }]);
  });
});
