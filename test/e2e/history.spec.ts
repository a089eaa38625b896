import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../src/core/event-store.js';
import type { ConsistencyTokens } from '../../src/engine/reads/tokens.js';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition, work } from '../support/organisation.js';
import { type Failure, faultOf, openStage, type Stage } from '../support/stage.js';

/** The answers of plain reads after a step of the story, and the token and time of that point. */
interface Snapshot {
  readonly step: string;
  readonly token: string;
  /** A time between this step and the next one. */
  readonly time: string;
  readonly signal: string;
  /** `null`: there is no evaluation yet. */
  readonly evaluation: string | null;
}

describe('history', () => {
  let stage: Stage;
  let owner: Person;
  let evaluation = '';
  let tokens: ConsistencyTokens;
  const snapshots: Snapshot[] = [];

  const token = async (): Promise<string> => tokens.encode(await stage.head());
  const signalAt = (at: string) =>
    owner.get<Failure>(stage.at(`/signal/history?at=${encodeURIComponent(at)}`));
  const evaluationAt = (at: string, more = '') =>
    owner.get<Failure>(stage.at(`/evaluations/${evaluation}/history?at=${encodeURIComponent(at)}${more}`));

  /** Takes a snapshot. Times have a resolution of 1 ms: each step waits for a millisecond of its own. */
  const remember = async (step: string): Promise<void> => {
    const seen = await token();
    const fresh = { 'consistency-token': seen };
    const signal = await owner.get(stage.at('/signal'), fresh);
    const plain = evaluation && (await owner.get(stage.at(`/evaluations/${evaluation}`), fresh));
    await sleep(5);
    const time = new Date().toISOString();
    await sleep(5);
    expect(await token()).toBe(seen);
    snapshots.push({ step, token: seen, time, signal: signal.text, evaluation: plain ? plain.text : null });
  };

  /** Resolves once this generation is ready: then no background process appends anything any more. */
  const ready = (generation: number): Promise<unknown> =>
    eventually(async () => {
      const { body } = await owner.get<{ status: string; generation: number }>(
        stage.at(`/evaluations/${evaluation}`),
      );
      return body.status === 'ready' && body.generation === generation;
    });

  beforeAll(async () => {
    stage = await openStage();
    ({ owner } = stage);
    tokens = await stage.tokens();
    await remember('the organisation is made');
    const role = await stage.role('Backend engineer');
    await remember('a role is made');
    const other = await stage.role('A second role');
    await owner.patch(stage.at(`/roles/${other}`), definition('Another name'));
    await remember('a second role is made and renamed');
    const { person, session, sessionId } = await stage.started(role);
    await person.post(`${session}/activity`, work());
    await remember('a candidate is at work');
    await person.post(`${session}/complete`);
    owner.follow(person);
    const list = await owner.get<{ items: { id: string }[] }>(stage.at('/evaluations'));
    evaluation = list.body.items[0]!.id;
    await ready(1);
    await remember('the session is completed and evaluated');
    const outcome = stage.at(`/trial-sessions/${sessionId}/outcome`);
    await owner.put(outcome, { humanRound: 'passed', disposition: 'hired', reason: 'Clear.' });
    await remember('an outcome is recorded');
    await owner.post(stage.at(`/evaluations/${evaluation}/regenerations`));
    await ready(2);
    await remember('the evaluation is generated anew');
    await owner.put(outcome, { humanRound: 'failed' });
    await owner.patch(stage.at(`/roles/${role}`), definition('Platform engineer'));
    await remember('the outcome is corrected and the role renamed');
    await owner.delete(outcome);
    await remember('the outcome is retracted');
  });
  afterAll(() => stage.close());

  it('answers at each token, and at a time between steps, exactly what the plain read answered', async () => {
    expect(new Set(snapshots.map(({ signal }) => signal)).size).toBeGreaterThan(5);
    expect(new Set(snapshots.map((one) => one.evaluation)).size).toBe(3);
    for (const { step, token, time, signal, evaluation: record } of snapshots)
      for (const at of [token, time]) {
        expect({ step, ...seen(await signalAt(at)) }).toEqual({ step, status: 200, text: signal });
        const then = await evaluationAt(at);
        if (record === null) expect(then).toMatchObject({ status: 404, body: { code: 'not_found' } });
        else {
          expect({ step, ...seen(then) }).toEqual({ step, status: 200, text: record });
          const { version } = JSON.parse(record) as { version: number };
          expect(then.headers.get('etag')).toBe(`"${version}"`);
        }
      }
  });

  it('goes out as the plain read does', async () => {
    const plain = await owner.get(stage.at('/signal'));
    const then = await signalAt(snapshots[3]!.time);
    for (const name of ['cache-control', 'content-type'])
      expect(then.headers.get(name)).toBe(plain.headers.get(name));
  });

  it('shows a generation before the latest of then, and none that came later', async () => {
    const [first, second] = [
      'the session is completed and evaluated',
      'the evaluation is generated anew',
    ].map((step) => snapshots.find((one) => one.step === step)!);
    const former = await evaluationAt(second!.token, '&generation=1');
    expect(former).toMatchObject({ status: 200, body: { generation: 1, status: 'ready' } });
    expect(await evaluationAt(first!.token, '&generation=2')).toMatchObject({ status: 404 });
    expect(await evaluationAt(first!.token, '&generation=x')).toMatchObject({ status: 400 });
  });

  it('answers for a time in the future as of now', async () => {
    const now = snapshots.at(-1)!;
    expect(seen(await signalAt('2999-01-01T00:00:00Z'))).toEqual({ status: 200, text: now.signal });
    expect(seen(await evaluationAt('2999-01-01T00:00:00Z'))).toEqual({ status: 200, text: now.evaluation });
  });

  it('finds nothing before there was anything', async () => {
    for (const reply of [
      await signalAt('1999-01-01T00:00:00Z'),
      await evaluationAt('1999-01-01T00:00:00Z'),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(faultOf(reply)).toBeNull();
    }
  });

  it.each([
    ['nothing', ''],
    ['no value', '?at='],
    ['two times', '?at=2026-01-01T00:00:00Z&at=2026-01-02T00:00:00Z'],
    ['a day alone', '?at=2026-01-01'],
    ['words', '?at=yesterday'],
    ['an operator', '?at[$gt]=2026'],
    ['a mangled token', '?at=AAAA'],
  ])('refuses %s with the field that is wrong', async (_, query) => {
    for (const path of ['/signal/history', `/evaluations/${evaluation}/history`]) {
      const reply = await owner.get<Failure>(stage.at(path + query));
      expect(reply).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      const named = /^\?([^=]+)=/.exec(query)?.[1] ?? 'at';
      expect(reply.body.details).toMatchObject([{ path: named }]);
      expect(faultOf(reply)).toBeNull();
    }
  });

  it('answers a token that is ahead of the log 503, try again: it is not taken for the present', async () => {
    const { token: last } = snapshots.at(-1)!;
    const far = tokens.encode(tokens.decode(last)!.replace(/^./, '9') as Position);
    const replies = await Promise.all([signalAt(far), evaluationAt(far)]);
    expect(replies.map(({ status }) => status)).toEqual([503, 503]);
  });

  it('is 404 for an unknown evaluation, and refused to strangers', async () => {
    const { time } = snapshots.at(-1)!;
    const unknown = '01a1ff15-0000-7000-8000-000000000000';
    for (const id of [unknown, 'no-id', '%2E%2E'])
      expect(await owner.get(stage.at(`/evaluations/${id}/history?at=${time}`))).toMatchObject({
        status: 404,
      });
    const stranger = await stage.signIn('stranger@example.org');
    for (const path of ['/signal/history', `/evaluations/${evaluation}/history`])
      expect(await stranger.get(stage.at(`${path}?at=${time}`))).toMatchObject({ status: 403 });
  });

  it('answers many who ask at once, a few at a time', async () => {
    const { time, signal } = snapshots[4]!;
    const replies = await Promise.all(Array.from({ length: 40 }, () => signalAt(time)));
    for (const reply of replies) expect(seen(reply)).toEqual({ status: 200, text: signal });
  });
});

const seen = ({ status, text }: Reply) => ({ status, text });

it('refuses what is more than may be folded in a request, and no more than that', async () => {
  const stage = await openStage({ HISTORY_EVENTS: '9' });
  try {
    const before = new Date().toISOString();
    await sleep(5);
    const role = await stage.role();
    const history = (at: string) => stage.owner.get<Failure>(stage.at(`/signal/history?at=${at}`));
    expect(await history(before)).toMatchObject({ status: 200 });
    for (let n = 1; n <= 9; n++) await stage.owner.patch(stage.at(`/roles/${role}`), definition(`Name ${n}`));
    const now = new Date().toISOString();
    // A time in the present millisecond would be answered from the view, without folding.
    await sleep(5);
    const refused = await history(now);
    expect(refused).toMatchObject({ status: 422, body: { code: 'too_far' } });
    expect(faultOf(refused)).toBeNull();
    expect(await history('2999-01-01T00:00:00Z')).toMatchObject({
      status: 200,
      body: { roles: [{ roleName: 'Name 9' }] },
    });
  } finally {
    await stage.close();
  }
});
