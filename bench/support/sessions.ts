import { randomUUID } from 'node:crypto';
import { createCodec, type Codec } from '../../src/core/codec.js';
import type { EventStore, StreamName } from '../../src/core/event-store.js';
import type { EventOf } from '../../src/core/event.js';
import { defineEvents } from '../../src/core/registry.js';
import { Sealer } from '../../src/core/sealing.js';
import type { DocumentSealer, View, ViewDocument } from '../../src/engine/view.js';
import type { Json } from '../../src/stores/read-store.js';

export type Answered = EventOf<
  'question.answered',
  {
    readonly session: string;
    readonly question: number;
    readonly milliseconds: number;
    readonly text: string;
  }
>;

export interface Session extends ViewDocument {
  readonly answers: number;
  readonly slowest: number;
  readonly total: number;
  readonly recent: readonly { readonly question: number; readonly milliseconds: number }[];
  readonly lastAt: string;
}

/** Folds what one person answered in one session. */
export const sessions: View<Session, Answered> = {
  name: 'sessions',
  version: 1,
  fingerprint: 'sessions',
  handles: ['question.answered'],
  documentId: ({ data }) => data.session,
  initial: () => ({ answers: 0, slowest: 0, total: 0, recent: [], lastAt: '' }),
  evolve: (session, { data: { question, milliseconds }, metadata }) => ({
    answers: session.answers + 1,
    slowest: Math.max(session.slowest, milliseconds),
    total: session.total + milliseconds,
    recent: [...session.recent, { question, milliseconds }].slice(-10),
    lastAt: metadata.recordedAt,
  }),
  keys: { slowest: ({ slowest }) => slowest },
  indexes: { bySlowest: ['slowest'] },
};

export interface Answer extends ViewDocument {
  readonly session: string;
  readonly milliseconds: number;
  readonly text: string;
}

/** A document for each answer: what it costs is the writing, as in a view that is worth splitting. */
export const answers: View<Answer, Answered> = {
  name: 'answers',
  version: 1,
  fingerprint: 'answers',
  handles: ['question.answered'],
  documentId: ({ data }) => `${data.session}-${data.question}`,
  initial: () => ({ session: '', milliseconds: 0, text: '' }),
  evolve: (_, { data: { session, milliseconds, text } }) => ({ session, milliseconds, text }),
  keys: { session: ({ session }) => session },
  indexes: { bySession: ['session'] },
};

/** A session's events come in batches, of many sessions by turns. */
const BATCH = 10;
const SESSIONS = 2_000;

/** These documents have nothing personal. */
export const sealer: DocumentSealer = {
  seal: (document) => document as Json,
  open: (body) => body as ViewDocument,
};

/** A codec of these events, without keys. */
export const sessionsCodec = (): Codec => {
  const noKeys = () => Promise.reject(new Error('No personal data here.'));
  return createCodec(
    defineEvents({ 'question.answered': { version: 1 } }),
    new Sealer({ keys: { get: noKeys, create: noKeys, erase: noKeys } }),
  );
};

/** Metadata of a command. @param n milliseconds after the first */
export const metadataOf = (n: number): Parameters<Codec['encode']>[1] => ({
  recordedAt: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
  actor: { type: 'system', id: 'bench' },
  commandId: randomUUID(),
  requestHash: null,
  correlationId: randomUUID(),
  causationId: null,
});

/** Appends so many events, of many sessions by turns. */
export async function fillWithSessions(log: EventStore, codec: Codec, count: number): Promise<void> {
  const revisions = new Map<number, number>();
  const appends: Promise<unknown>[] = [];
  for (let n = 0; n < count / BATCH; n++) {
    const session = n % SESSIONS;
    const expected = revisions.get(session) ?? -1;
    revisions.set(session, expected + BATCH);
    const events = Array.from({ length: BATCH }, (_, index) => answered(session, expected + 1 + index));
    const { encoded } = await codec.encode(events, metadataOf(n));
    const stream = `session-${session}` as StreamName;
    appends.push(log.append(stream, expected === -1 ? 'no-stream' : expected, encoded));
    if (appends.length === 64) await Promise.all(appends.splice(0));
  }
  await Promise.all(appends);
}

/** One answer of a session, always the same. */
export const answered = (session: number, question: number): Answered => ({
  type: 'question.answered',
  data: {
    session: `session-${session}`,
    question,
    milliseconds: (question * 7919 + session * 104_729) % 90_000,
    text: 'Moved the parser behind its own interface and added the two failing cases. '.repeat(2),
  },
  person: null,
  personal: null,
});
