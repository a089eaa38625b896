import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamName } from '../../src/core/event-store.js';
import { MINUTE_MS } from '../../src/core/timestamp.js';
import { collect } from '../contracts/event-store-kit.js';
import { audit } from '../evidence/audit.js';
import { assay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { wrongClock } from '../support/service.js';
import { type Candidate, type Failure, openStage, type Stage } from '../support/stage.js';

interface Evaluation {
  readonly id: string;
  readonly status: string;
  readonly trialSessionId: string;
  readonly overallScore: number | null;
  readonly evidence: {
    readonly events: readonly {
      readonly id: string;
      readonly eventType: string;
      readonly source: string;
      readonly sequenceNumber: number;
      readonly payload: object | null;
      readonly hash: string;
      readonly previousHash: string;
    }[];
    readonly head: { readonly sequenceNumber: number; readonly hash: string } | null;
  };
}
interface HandIn extends Failure {
  readonly id: string;
  readonly status: string;
  readonly received: number;
}

const HALF = 60;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a hand-in that is under way when its session is completed', () => {
  let stage: Stage;
  let folder: string;
  let ticketId: string;
  let roleId: string;

  beforeAll(async () => {
    // At the signal as if eleven minutes had passed.
    const clock = { ...wrongClock(0, [11 * MINUTE_MS]), CLOCK_JUMPS: 'both' };
    stage = await openStage(clock);
    folder = await mkdtemp(join(tmpdir(), 'assay-late-'));
    const ticket = { title: 'Parser', kind: 'files' };
    ticketId = (await stage.owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id;
    const role = { ...definition(), ticketIds: [ticketId] };
    roleId = (await stage.owner.post<{ id: string }>(stage.at('/roles'), role)).body.id;
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  const handInsOf = ({ session }: Candidate): string => `${session}/tickets/${ticketId}/hand-ins`;
  const piece = ({ person }: Candidate, handIn: string, bytes: Buffer, offset: number, end = bytes.length) =>
    person.post<HandIn>(`${handIn}/pieces`, {
      offset,
      data: bytes.subarray(offset, end).toString('base64'),
    });
  const complete = ({ person }: Candidate, handIn: string) => person.post<HandIn>(`${handIn}/complete`);

  /** A candidate who has sent the first half of a hand-in and then completed the session. */
  const halfWay = async (name = 'answer.md') => {
    const who = await stage.started(roleId);
    const bytes = Buffer.from(randomBytes(HALF).toString('hex'));
    const announced = { name, bytes: bytes.length, sha256: sha256(bytes) };
    const { body } = await who.person.post<HandIn>(handInsOf(who), announced);
    const handIn = `${handInsOf(who)}/${body.id}`;
    expect((await piece(who, handIn, bytes, 0, HALF)).body.received).toBe(HALF);
    expect((await who.person.post(`${who.session}/complete`)).status).toBe(200);
    stage.owner.follow(who.person);
    return { who, bytes, handIn, handInId: body.id };
  };
  const evaluationOf = async ({ sessionId }: Candidate): Promise<Evaluation> => {
    const { body } = await stage.owner.get<{ items: Evaluation[] }>(stage.at('/evaluations?limit=100'));
    const { id } = body.items.find(({ trialSessionId }) => trialSessionId === sessionId)!;
    return (await stage.owner.get<Evaluation>(stage.at(`/evaluations/${id}`))).body;
  };
  const ready = (who: Candidate): Promise<Evaluation> =>
    eventually(async () => {
      const found = await evaluationOf(who);
      return found.status === 'ready' && found;
    });
  const operate = (...args: readonly string[]) => assay(stage.service.dataDir, ...args);

  it('keeps the evaluation generating, may be finished, and counts in its figures and its signed chain', async () => {
    const { who, bytes, handIn, handInId } = await halfWay();
    const nothing = await stage.started(roleId);
    await nothing.person.post(`${nothing.session}/complete`);
    stage.owner.follow(nothing.person);
    const without = await ready(nothing);
    expect((await evaluationOf(who)).status).toBe('generating');
    const figures = await (await fetch(`${stage.service.url}/metrics`)).text();
    expect(figures).toMatch(/^assay_evaluation_oldest_waiting_seconds (?!0$)/m);
    expect(figures).toMatch(/^assay_evaluation_wait_overdue_seconds 0$/m);

    const other = { name: 'other.md', bytes: 3, sha256: sha256(Buffer.from('new')) };
    expect((await who.person.post<Failure>(handInsOf(who), other)).body.code).toBe('session_ended');
    expect((await complete(who, handIn)).body.code).toBe('hand_in_incomplete');
    expect((await piece(who, handIn, bytes, HALF)).body.received).toBe(bytes.length);
    const done = await Promise.all([complete(who, handIn), complete(who, handIn)]);
    for (const { status, body } of done) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: handInId, status: 'handed_in', received: bytes.length });
    }
    expect((await piece(who, handIn, bytes, HALF)).body.received).toBe(bytes.length);
    stage.owner.follow(who.person);

    const { overallScore, evidence, id } = await ready(who);
    expect(overallScore).toBeGreaterThan(without.overallScore ?? 0);
    const { events, head } = evidence;
    const completion = events.find(({ eventType }) => eventType === 'trial.completed')!;
    expect(head).toMatchObject({ sequenceNumber: completion.sequenceNumber, hash: completion.hash });
    expect(events.at(-1)).toMatchObject({
      ...{ eventType: 'work.handed_in', source: 'service', previousHash: completion.hash },
      sequenceNumber: completion.sequenceNumber + 1,
      payload: { handInId, ticketId, name: 'answer.md', sha256: sha256(bytes), files: 1 },
    });
    const explanation = await stage.owner.get<object>(stage.at(`/evaluations/${id}/explanation`));
    expect(JSON.stringify(explanation.body)).toContain(events.at(-1)!.id);
    const read = await stage.owner.get<{ items: HandIn[] }>(
      stage.at(`/trial-sessions/${who.sessionId}/hand-ins`),
    );
    expect(read.body.items).toMatchObject([{ id: handInId, status: 'handed_in' }]);

    // In the candidate's export, in the evaluation's history, and in the evidence for an auditor.
    const whole = await who.person.get<object>('/me/export');
    expect(JSON.stringify(whole.body)).toContain(sha256(bytes));
    const now = encodeURIComponent(new Date().toISOString());
    const then = await stage.owner.get<Evaluation>(stage.at(`/evaluations/${id}/history?at=${now}`));
    expect(then.body.evidence.events.at(-1)).toMatchObject({ id: events.at(-1)!.id });
    const out = join(folder, 'bundle');
    expect(await operate('evidence', 'export', '--session', who.sessionId, '--out', out)).toMatchObject({
      code: 0,
    });
    expect(await audit(out)).toMatchObject({ code: 0 });
    expect(await operate('evidence', 'verify', '--session', who.sessionId)).toMatchObject({ code: 0 });
    const again = await operate('evaluations', 'recompute', '--dry-run', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ changed: 0, unusable: 0 });
  });

  it('ends the wait for it if it is refused, and counts nowhere', async () => {
    const { who, bytes, handIn, handInId } = await halfWay('no-archive.zip');
    expect((await evaluationOf(who)).status).toBe('generating');
    await piece(who, handIn, bytes, HALF);
    const both = await Promise.all([complete(who, handIn), complete(who, handIn)]);
    for (const { status, body } of both) expect([status, body.code]).toEqual([400, 'work_refused']);
    const { evidence, id } = await ready(who);
    expect(evidence.events.at(-1)).toMatchObject({
      ...{ eventType: 'work.refused', source: 'service' },
      payload: { handInId, ticketId, reason: 'work_refused', message: both[0].body.error },
    });
    for (const { status, body } of [await piece(who, handIn, bytes, 0), await complete(who, handIn)])
      expect([status, body.error]).toEqual([400, both[0].body.error]);
    expect((await who.person.get<HandIn>(handIn)).body).toMatchObject({ status: 'refused', received: 0 });
    const log = await stage.log();
    const events = await collect(log.readStream(`evaluation-${id}` as StreamName));
    expect(events.map(({ type }) => type)).toEqual(['evaluation.work_refused', 'evaluation.generated']);
    const out = join(folder, 'refused');
    expect(await operate('evidence', 'export', '--session', who.sessionId, '--out', out)).toMatchObject({
      code: 0,
    });
    expect(await audit(out)).toMatchObject({ code: 0 });
    expect(await operate('evidence', 'verify', '--session', who.sessionId)).toMatchObject({ code: 0 });
    const again = await operate('evaluations', 'recompute', '--dry-run', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ changed: 0, unusable: 0 });
  });

  it('is gone with a candidate who is erased in between', async () => {
    const { who, bytes, handIn } = await halfWay();
    const { id } = await evaluationOf(who);
    expect((await stage.owner.post(`${who.application}/erasure`)).status).toBe(202);
    for (const { status } of [await piece(who, handIn, bytes, HALF), await complete(who, handIn)])
      expect(status).toBe(404);
    const log = await stage.log();
    const types = await eventually(async () => {
      const events = await collect(log.readStream(`evaluation-${id}` as StreamName));
      return events.length > 0 && events.map(({ type }) => type);
    });
    expect(types).toEqual(['evaluation.erased']);
  });

  it('counts no more once ten minutes are over, and the evaluation is made without it', async () => {
    const { who, bytes, handIn } = await halfWay();
    process.kill(stage.service.pid, 'SIGUSR2');
    await eventually(async () => stage.service.output().includes('The clock jumped'));
    const late = { ...who, person: await stage.signIn(who.email) };
    stage.owner.follow(who.person);
    for (const { status, body } of [await piece(late, handIn, bytes, HALF), await complete(late, handIn)])
      expect([status, body.code]).toEqual([409, 'session_ended']);
    // The service checks at any completion; otherwise within a minute.
    const next = await stage.started(roleId);
    await next.person.post(`${next.session}/complete`);
    stage.owner.follow(next.person);
    const { evidence } = await ready(who);
    expect(evidence.events.at(-1)).toMatchObject({ eventType: 'trial.completed' });
    expect((await complete(late, handIn)).body.code).toBe('session_ended');
    expect((await late.person.get<HandIn>(handIn)).body).toMatchObject({
      ...{ status: 'receiving', received: HALF },
    });
  });
});
