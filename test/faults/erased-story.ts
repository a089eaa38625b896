import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCodec } from '../../src/core/codec.js';
import type { Stored } from '../../src/core/event.js';
import { Sealer } from '../../src/core/sealing.js';
import type { PersonId } from '../../src/core/vault/port.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedVault } from '../../src/vault/lmdb/vault.js';
import { Api, type Person } from '../support/api.js';
import { handIn, ticketWith } from '../support/checked-tickets.js';
import { eventually } from '../support/eventually.js';
import { openSocket, pathOf, type TestSocket } from '../support/interview-socket.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';
import type { Place } from '../support/place.js';
import type { Service } from '../support/service.js';

/** The candidate of the story. */
const EMAIL = 'Ada.Quillfeather+trial@wonderland.example';
/** Texts that only this candidate has said, sent or is named by. They identify the person in upper and lower case. */
export const TELLING = [
  'quillfeather',
  'zanzibar marmalade',
  'xylographic parser',
  'perspicacious reading',
  'device-of-ada',
  'client-event-of-ada',
  'glockenspiel_of_ada',
  EMAIL,
];

interface Application {
  readonly status: string;
  readonly candidateEmail: string | null;
  readonly trialSessions: readonly { readonly status: string; readonly evaluationId: string | null }[];
}

/** A data folder that a service has filled for its owner. */
interface Story {
  readonly org: string;
  readonly person: PersonId;
  readonly subject: string;
  readonly application: string;
  readonly session: string;
  readonly evaluation: string;
}

export const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** The encodings of a text, with base64 at each of its three possible offsets. */
const encodingsOf = (text: string): readonly Buffer[] => {
  const utf8 = Buffer.from(text);
  const wide = Buffer.from(text, 'utf16le');
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), utf8])
      .toString('base64')
      .replace(/=+$/, '');
    // Base64 letters that also depend on a neighbouring byte are left out.
    const last = (offset + utf8.length) % 3 === 0 ? encoded.length : encoded.length - 1;
    const own = encoded.slice(offset === 0 ? 0 : offset + 1, last);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const escaped = [JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
  return [
    utf8,
    wide,
    Buffer.from(wide).swap16(),
    ...[utf8.toString('hex'), utf8.toString('hex').toUpperCase(), ...base64, ...escaped].map((one) =>
      Buffer.from(one),
    ),
  ];
};

/** The files that hold any of these bytes or texts, in upper or lower case and in any encoding of stored texts. */
export const holding = async (
  folder: string,
  needles: readonly (string | Buffer)[],
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const file of await filesIn(folder)) {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    const text = bytes.toString('latin1').toLowerCase();
    for (const needle of needles) {
      const isIn =
        typeof needle === 'string'
          ? text.includes(needle.toLowerCase()) || encodingsOf(needle).some((one) => bytes.includes(one))
          : bytes.includes(needle);
      if (isIn) found.push(`${file}: ${typeof needle === 'string' ? needle : 'bytes'}`);
    }
  }
  return found;
};

/** The whole log, decoded with every remaining key. */
export const decoded = async (dataDir: string): Promise<readonly Stored[]> => {
  const dataKey = Buffer.from((await readFile(join(dataDir, 'data.key'), 'utf8')).trim(), 'base64');
  const vault = await openEmbeddedVault(join(dataDir, 'vault'), dataKey);
  const log = await openEmbeddedLog(join(dataDir, 'log'), { readOnly: true });
  try {
    const codec = createCodec(eventRegistry, new Sealer(vault));
    const events: Stored[] = [];
    for await (const recorded of log.readAll({})) {
      const event = await codec.decode(recorded);
      if (event.kind === 'event') events.push(event.event);
    }
    return events;
  } finally {
    await log.close();
    await vault.close();
  }
};

export const mentions = (text: string, what: readonly string[]): readonly string[] =>
  what.filter((one) => text.toLowerCase().includes(one.toLowerCase()));

/**
 * A candidate with records of every kind: reported work, a checked hand-in, an interview with speech, two evaluations,
 * an outcome and a shared report.
 */
export const story = async (place: Place, service: Service): Promise<Story & { readonly owner: Person }> => {
  const api = new Api(service.url);
  const org = await createOrganisation(place.dataDir, 'Example', 'owner@example.org');
  const owner = await api.as('owner@example.org');
  await owner.get('/me');
  const at = (path: string) => `/organisations/${org}${path}`;
  const ticketId = await ticketWith({ owner, at }, { visible: { parser: '1' }, hidden: { parser: '2' } });
  const { body: role } = await owner.post<{ id: string }>(at('/roles'), {
    ...definition(),
    ticketIds: [ticketId],
  });
  const { applicationId, sessionId } = await invite(owner, org, role.id, EMAIL);
  const ada = await api.as(EMAIL);
  ada.follow(owner);
  const { body: me } = await ada.get<{ subject: string }>('/me');
  const session = `/trial-sessions/${sessionId}`;
  const { body: briefing } = await ada.get<{ notice: { version: string } }>(`${session}/briefing`);
  await ada.post(`${session}/start`, { consent: true, noticeVersion: briefing.notice.version });
  const activity = (id: string, eventType: string, payload: object) => ({
    clientEventId: `client-event-of-ada-${id}`,
    eventType,
    occurredAt: new Date().toISOString(),
    payload,
  });
  await ada.post(`${session}/activity`, {
    events: [
      activity('1', 'test.run', { passed: 8, failed: 1, durationMs: 10 }),
      activity('2', 'message.sent', { text: 'I wrote a xylographic parser.', to: 'assistant' }),
      activity('3', 'hobby.glockenspiel_of_ada', { 'xylographic parser': true }),
    ],
  });
  // Long enough for the comparison with others' work.
  const words = Array.from({ length: 60 }, (_, place) => `quillfeather_${place} = ${place * place};`);
  const work = { parser: 'A xylographic parser.', 'quillfeather.js': words.join('\n') };
  const handInId = await handIn({ person: ada, session }, ticketId, work);
  const socket = (await openSocket(service.url, pathOf(sessionId, ada.token))) as TestSocket;
  socket.ready('device-of-ada');
  await socket.frame('question');
  socket.send({ type: 'message.text', id: 'm1', turn: 1, text: 'First of all: zanzibar marmalade.' });
  await socket.frame('transcript.final');
  socket.send({ type: 'session.end', id: 'm2' });
  await socket.closed;
  owner.follow(ada);
  const application = at(`/applications/${applicationId}`);
  const { evaluationId } = await eventually(async () => {
    const { body } = await owner.get<Application>(application);
    return body.trialSessions[0]?.evaluationId == null ? null : body.trialSessions[0];
  });
  const evaluation = at(`/evaluations/${evaluationId}`);
  const ready = (generation: number) =>
    eventually(async () => {
      const { body } = await owner.get<{ status: string; generation: number }>(evaluation);
      return body.status === 'ready' && body.generation === generation;
    });
  await ready(1);
  await owner.post(`${evaluation}/regenerations`);
  await ready(2);
  await owner.put(at(`/trial-sessions/${sessionId}/outcome`), {
    humanRound: 'passed',
    disposition: 'hired',
    reason: 'A perspicacious reading.',
  });
  await owner.get(`${evaluation}/explanation`);
  for (const part of ['', '/checks', '/difference', '/file?path=parser'])
    await owner.get(at(`/trial-sessions/${sessionId}/hand-ins/${handInId}${part}`));
  await owner.get(at('/applications'));
  await owner.post(`${evaluation}/share-links`, {});
  await ada.get('/me/export');
  const person = (await decoded(place.dataDir)).find(({ type }) => type === 'candidate.invited')?.person;
  return {
    org,
    owner,
    person: person as PersonId,
    subject: me.subject,
    application,
    session: at(`/trial-sessions/${sessionId}`),
    evaluation,
  };
};

/** Resolves once the erasure shows in the application and in the list of evaluations. */
export const settled = (owner: Person, application: string) =>
  eventually(async () => {
    const { body } = await owner.get<Application>(application);
    const { items } = (
      await owner.get<{ items: { candidateEmail: string | null }[] }>(
        `${application.split('/applications')[0] ?? ''}/evaluations`,
      )
    ).body;
    return body.status === 'erased' && items.every(({ candidateEmail }) => candidateEmail === null);
  });

/** The types of the person's erasure events, sorted: one for each stream that has recorded the erasure. */
export const erasureEvents = async (dataDir: string, person: string): Promise<readonly string[]> =>
  (await decoded(dataDir))
    .filter((event) => event.person === person && event.type.endsWith('.erased'))
    .map(({ type }) => type)
    .sort();

/** The result of `erasureEvents` for a candidate with one evaluated application, once the reactor is done. */
export const ALL = ['application.erased', 'candidate.erased', 'evaluation.erased', 'trial.erased'];
