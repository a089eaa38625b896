import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { VaultEntry } from '../../src/vault/archive.js';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition, invite, work } from '../support/organisation.js';
import { type Beside, openBeside, RecordedInterview } from '../support/recorded-interview.js';
import { type Failure, openProvider, openStage, type Provider, type Stage } from '../support/stage.js';

type Json = Readonly<Record<string, unknown>>;
interface Evaluation extends Json {
  readonly id: string;
  readonly status: string;
  readonly generation: number;
  readonly evidence: { readonly head: unknown; readonly events: readonly { readonly payload: unknown }[] };
}
interface Exported {
  readonly application: Json;
  readonly trialSessions: readonly { readonly id: string; readonly evaluationId: string | null }[];
  readonly evidence: Evaluation['evidence'];
  readonly evaluations: readonly Evaluation[];
  readonly outcome: Json | null;
  readonly subject: string;
  readonly outcomeHistory: readonly Json[];
  readonly recordings: readonly { readonly turn: number; readonly content: string }[];
}
interface Export {
  readonly exportedAt: string;
  readonly organisations: readonly {
    readonly organisationName: string;
    readonly applications: readonly Exported[];
  }[];
}

const PCM = randomBytes(100_001 * 2);
const LARGE = randomBytes(12 * 1024 * 1024);
const ADA = 'Only Ada says so: the parser drops the last line.';
const BOB = 'Only Bob says so: the lexer reads one too many.';

describe('a candidate’s export', () => {
  let provider: Provider;
  let stage: Stage;
  let beside: Beside;
  let owner: Person;
  let other: Person;
  let second: string;
  let ada: Person;
  let bob: Person;
  let session: string;
  let application: string;
  /** The path of Bob's application for staff. */
  let bobs: string;
  let evaluation: string;

  /** Invites somebody and lets them start. @returns their session and application */
  const started = async (staff: Person, org: string, person: Person, roleName?: string) => {
    const role = await staff.post<{ id: string }>(`/organisations/${org}/roles`, definition(roleName));
    const { applicationId, sessionId } = await invite(staff, org, role.body.id, person.email);
    person.follow(staff);
    await person.get('/me');
    const { status } = await person.post(`/trial-sessions/${sessionId}/start`, { consent: true });
    expect(status).toBe(200);
    return { applicationId, sessionId };
  };
  const says = (person: Person, sessionId: string, text: string) =>
    person.post(`/trial-sessions/${sessionId}/activity`, {
      events: [
        ...work().events,
        {
          clientEventId: 'own',
          eventType: 'message.sent',
          occurredAt: '2026-01-05T09:30:00.000Z',
          payload: { text, to: 'assistant', $where: 1, 'a.b': null },
        },
      ],
    });
  /** Completes a session. @returns its evaluation, once it is ready */
  const completed = async (
    staff: Person,
    org: string,
    person: Person,
    sessionId: string,
  ): Promise<string> => {
    await person.post(`/trial-sessions/${sessionId}/complete`);
    staff.follow(person);
    return eventually(async () => {
      const list = await staff.get<{ items: { id: string; trialSessionId: string }[] }>(
        `/organisations/${org}/evaluations?status=ready`,
      );
      return list.body.items.find(({ trialSessionId }) => trialSessionId === sessionId)?.id;
    });
  };
  const exportOf = (person: Person) => person.get<Export & Failure>('/me/export');
  const without = (record: Json, ...names: readonly string[]): Json =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

  beforeAll(async () => {
    provider = await openProvider();
    stage = await openStage({}, provider);
    ({ owner } = stage);
    second = await stage.organisation('Second', 'other@example.org');
    other = await stage.signIn('other@example.org');
    await other.get('/me');
    ada = await stage.signIn('ada@example.net');
    bob = await stage.signIn('bob@example.net');
    beside = await openBeside(stage.service.dataDir);

    ({ sessionId: session, applicationId: application } = await started(owner, stage.org, ada));
    const elsewhere = await started(other, second, ada, 'Second role');
    const { sessionId: bobsSession, applicationId } = await started(owner, stage.org, bob);
    bobs = stage.at(`/applications/${applicationId}`);
    await says(ada, session, ADA);
    await says(ada, elsewhere.sessionId, ADA);
    await says(bob, bobsSession, BOB);
    const interview = await RecordedInterview.begin(beside, session);
    for (const [index, kept] of [true, false, null].entries()) {
      await interview.ask();
      if (kept !== null) await interview.speak(index + 1, PCM);
      await interview.answer(index + 1, kept);
    }
    const bobsInterview = await RecordedInterview.begin(beside, bobsSession);
    await bobsInterview.ask();
    await bobsInterview.speak(1, LARGE, 64_000);
    await bobsInterview.answer(1, true);

    evaluation = await completed(owner, stage.org, ada, session);
    await completed(owner, stage.org, bob, bobsSession);
    const outcome = stage.at(`/trial-sessions/${session}/outcome`);
    await owner.put(outcome, { humanRound: 'failed', reason: 'Said too soon.' });
    await owner.put(outcome, { humanRound: 'passed', disposition: 'hired', reason: 'Clear throughout.' });
    await owner.put(stage.at(`/trial-sessions/${bobsSession}/outcome`), {
      disposition: 'declined',
      reason: 'A reason about Bob.',
    });
    await owner.post(stage.at(`/evaluations/${evaluation}/regenerations`));
    await eventually(async () => {
      const { body } = await owner.get<Evaluation>(stage.at(`/evaluations/${evaluation}`));
      return body.status === 'ready' && body.generation === 2;
    });
    ada.follow(owner);
  });
  afterAll(async () => {
    await beside.close();
    await stage.close();
    await provider.issuer.close();
  });

  it('holds all that staff see, of every organisation', async () => {
    const { status, headers, body } = await exportOf(ada);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="export.json"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(new Date(body.exportedAt).toISOString()).toBe(body.exportedAt);
    const names = body.organisations.map(({ organisationName }) => organisationName);
    expect([...names].sort()).toEqual(['Example', 'Second']);
    const of = (name: string) => body.organisations[names.indexOf(name)]!.applications;
    const [mine, ...more] = of('Example') as [Exported, ...Exported[]];
    expect(more).toEqual([]);

    expect(mine.subject).toBe((await ada.get<Json>('/me')).body.subject);
    const staff = (await owner.get<Json>(stage.at(`/applications/${application}`))).body;
    const outcome = { ...(staff.outcome as Json), recordedBy: null };
    expect(mine.application).toEqual({ ...without(staff, 'candidateId', 'candidateUrl'), outcome });
    expect(mine.trialSessions).toEqual(staff.trialSessions);
    expect(mine.outcome).toEqual(outcome);
    expect(mine.outcome).toMatchObject({ disposition: 'hired', reason: 'Clear throughout.' });
    expect(mine.outcomeHistory.map(({ reason }) => reason)).toEqual(['Said too soon.', 'Clear throughout.']);

    const path = stage.at(`/evaluations/${evaluation}`);
    const latest = (await owner.get<Evaluation>(path)).body;
    expect(latest.evidence.events.length).toBeGreaterThan(10);
    expect(mine.evidence).toEqual(latest.evidence);
    expect(mine.evaluations).toHaveLength(2);
    for (const [index, one] of mine.evaluations.entries()) {
      const generation = `?generation=${index + 1}`;
      const { evidence, ...seen } = (await owner.get<Evaluation>(path + generation)).body;
      const explanation = (await owner.get(`${path}/explanation${generation}`)).body;
      expect(one).toEqual({ ...seen, head: evidence.head, explanation, detections: [], modelAnswers: [] });
    }

    const [recording, ...none] = mine.recordings;
    expect(none).toEqual([]);
    const audio = await fetch(stage.service.url + stage.at(`/trial-sessions/${session}/audio/1`), {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const heard = Buffer.from(await audio.arrayBuffer());
    expect(Buffer.from(recording!.content, 'base64').equals(heard)).toBe(true);
    expect(heard.subarray(44).equals(PCM)).toBe(true);

    const [open] = of('Second');
    expect(open).toMatchObject({
      application: { roleName: 'Second role', status: 'in_progress', candidateEmail: 'ada@example.net' },
      evaluations: [],
      outcome: null,
      outcomeHistory: [],
      recordings: [],
    });
    expect(open!.evidence.events.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ text: ADA, $where: 1, 'a.b': null }),
    );
  });

  it('holds nothing of anybody else, nor who works there', async () => {
    const foundIn = (text: string, foreign: readonly string[]) => foreign.filter((one) => text.includes(one));
    const { text } = await exportOf(ada);
    expect(foundIn(text, [ADA, 'ada@example.net'])).toHaveLength(2);
    const staff = ['sub-owner', 'sub-other', owner.email, other.email];
    expect(foundIn(text, [...staff, 'bob@example', 'sub-bob', BOB, 'A reason about Bob.'])).toEqual([]);
    const { text: his } = await exportOf(bob);
    expect(foundIn(his, [BOB, 'bob@example.net'])).toHaveLength(2);
    const hers = ['ada@example', 'sub-ada', ADA, '"Second', session, application, evaluation];
    expect(foundIn(his, [...staff, ...hers])).toEqual([]);
  });

  it('is an empty list for a person who is no candidate, and needs a sign-in', async () => {
    const nobody = await stage.signIn('nobody@example.net');
    const { status, body } = await exportOf(nobody);
    expect(status).toBe(200);
    expect(body).toEqual({ exportedAt: expect.any(String), organisations: [] });
    const same = await provider.person(stage.api, 'sub-stranger', 'ada@example.net');
    expect((await exportOf(same)).body.organisations).toEqual([]);
    expect((await stage.api.send('GET', '/me/export')).status).toBe(401);
  });

  it('is recorded as a read of each evaluation by the candidate; a HEAD is none', async () => {
    const reads = async () => {
      const path = stage.at(`/evaluations/${evaluation}/reads?limit=200`);
      const { body } = await owner.get<{ items: { actor: Json }[] }>(path);
      return body.items.filter(({ actor }) => actor.type === 'candidate').map(({ actor }) => actor.id);
    };
    const before = await reads();
    const head = await stage.api.send('HEAD', '/me/export', { token: ada.token });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(await reads()).toEqual(before);
    await exportOf(ada);
    expect(await reads()).toHaveLength(before.length + 1);
    expect(new Set(await reads()).size).toBe(1);
    expect((await reads())[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is read only as fast as its reader takes it', async () => {
    const memory = async () => {
      const { text } = await stage.api.send('GET', '/metrics');
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
    };
    const { body } = await exportOf(bob);
    const { content } = body.organisations[0]!.applications[0]!.recordings[0]!;
    expect(Buffer.from(content, 'base64').subarray(44).equals(LARGE)).toBe(true);
    const before = await memory();
    const readers: Socket[] = [];
    // In sequence: at once they make more garbage than is collected before the memory is measured.
    for (let n = 0; n < 20; n++) {
      const socket = connect(stage.service.port, '127.0.0.1').pause();
      socket.on('error', () => undefined);
      socket.write(`GET /me/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bob.token}\r\n\r\n`);
      readers.push(socket);
      await new Promise((settle) => setTimeout(settle, 100));
    }
    expect((await exportOf(ada)).status).toBe(200);
    expect((await memory()) - before).toBeLessThan(120 * 1024 * 1024);
    for (const socket of readers) socket.destroy();
  });

  it('breaks off at damage halfway, so that no client takes it for complete', async () => {
    const { body } = await exportOf(bob);
    const { trialSessions } = body.organisations[0]!.applications[0]!;
    const chunks: Extract<VaultEntry, { kind: 'audio' }>[] = [];
    for await (const entry of beside.vault.entries())
      if (entry.kind === 'audio' && entry.log === trialSessions[0]!.id) chunks.push(entry);
    const of = { person: chunks[0]!.person, trialSessionId: trialSessions[0]!.id };
    const damage = async (damaged: number | null) => {
      await beside.vault.audio.discard(of, 1);
      for (const [index, entry] of chunks.entries())
        await beside.vault.put(
          index === damaged ? { ...entry, sealed: Buffer.alloc(entry.sealed.length) } : entry,
        );
    };
    await damage(150);
    await expect(exportOf(bob)).rejects.toThrow();
    // Other exports still work.
    expect((await exportOf(ada)).status).toBe(200);
    await damage(null);
    expect((await exportOf(bob)).status).toBe(200);
  });

  it('breaks off where its candidate is erased while it is read', async () => {
    const request = get(`${stage.service.url}/me/export`, {
      headers: { authorization: `Bearer ${bob.token}` },
    });
    // Not by `fetch`, which reads ahead: here the body is not read yet, so most of it cannot have been sent.
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    expect((await owner.post(`${bobs}/erasure`)).status).toBe(202);
    const rest = async () => {
      const pieces: unknown[] = [];
      for await (const piece of response) pieces.push(piece);
    };
    await expect(rest()).rejects.toThrow();
    expect((await exportOf(bob)).body.organisations).toEqual([]);
  });

  it('holds nothing any more once its candidate is erased, but of other organisations', async () => {
    expect((await owner.post(stage.at(`/applications/${application}/erasure`))).status).toBe(202);
    const { status, body, text } = await exportOf(ada);
    expect(status).toBe(200);
    expect(body.organisations.map(({ organisationName }) => organisationName)).toEqual(['Second']);
    for (const gone of [session, application, evaluation, 'Clear throughout.'])
      expect(text).not.toContain(gone);
  });
});
