import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { checkedWork, recordCheck, type SetRun } from '../../src/domain/session/check-decider.js';
import type { Person } from '../support/api.js';
import { roleWith, ticketWith } from '../support/checked-tickets.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { type Beside, openBeside } from '../support/recorded-interview.js';
import { sendFile } from '../support/send-file.js';
import { type Candidate, type Failure, openStage, type Stage } from '../support/stage.js';

interface Checks {
  readonly state: string;
  readonly reason: string | null;
  readonly tests: readonly object[];
}
interface HandIn extends Failure {
  readonly id: string;
  readonly checks: Checks | null;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const NOTHING = { passed: 0, failed: 0, errors: 0 };
const TESTS = [
  { name: 'reads a line', status: 'pass', message: null },
  { name: 'reads the last line', status: 'fail', message: 'Expected: 2, but was: 1' },
] as const;
const RUN: SetRun = {
  ...{ hidden: false, treeSha256: 'f'.repeat(64), runner: { name: 'node', digest: 'd' }, ms: 12 },
  ...{ output: 'The output of the tests', tests: TESTS, reason: null, detail: '' },
};

describe('what the visible checks said of a hand-in', () => {
  let stage: Stage;
  let beside: Beside;
  let owner: Person;
  let reviewer: Person;
  let ticketId: string;
  let ada: Candidate;

  const handInsOf = ({ session }: Candidate): string => `${session}/tickets/${ticketId}/hand-ins`;
  const send = (person: Person, all: string, bytes: Buffer): Promise<string> =>
    sendFile(person, all, 'answer.md', bytes);
  const read = async (who: Candidate, id: string): Promise<Checks | null> =>
    (await who.person.get<HandIn>(`${handInsOf(who)}/${id}`)).body.checks;
  /** As the process that runs checks records it. */
  const checked = async (who: Candidate, handInId: string, run: Partial<SetRun> = {}): Promise<void> => {
    const of = { handInId, ticketId, scope: 'visible', isolation: 'shared' } as const;
    await beside.record(who.sessionId, (state) => recordCheck(state, checkedWork(of, [{ ...RUN, ...run }])));
    await eventually(async () => (await read(who, handInId))?.state !== 'waiting');
  };
  const staffPath = (who: Candidate, id: string): string =>
    stage.at(`/trial-sessions/${who.sessionId}/hand-ins/${id}/checks`);

  beforeAll(async () => {
    // This checker never ends: the only results are those that a test records.
    stage = await openStage({
      CHECKER: 'command',
      CHECKER_COMMAND: 'sleep 1000; : "$@"',
      CHECKER_ISOLATION: 'shared',
    });
    beside = await openBeside(stage.service.dataDir);
    ({ owner } = stage);
    reviewer = await stage.member('reviewer');
    const ticket = { title: 'Parser', kind: 'files' };
    ticketId = (await owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id;
    const visible = await send(owner, stage.at(`/tickets/${ticketId}/file-sets`), Buffer.from('test'));
    const checks = { visible, hidden: null, slug: 'parser', isolation: 'shared' };
    expect((await owner.patch(stage.at(`/tickets/${ticketId}`), { checks })).status).toBe(200);
    const role = { ...definition(), ticketIds: [ticketId] };
    const { id } = (await owner.post<{ id: string }>(stage.at('/roles'), role)).body;
    ada = await stage.started(id);
  });
  afterAll(async () => {
    await beside.close();
    await stage.close();
  });

  it('are warned of before anybody is invited, if they ask for what the checker does not do', async () => {
    const of = await ticketWith(stage, { hidden: { parser: '1' }, isolation: 'separate' });
    const warning = 'has checks that cannot run: those of 1 ticket ask for the isolation separate, and the service’s checker offers shared. They end in an error, which earns nothing.'; // prettier-ignore
    const roleId = await roleWith(stage, [ticketId, of]);
    const role = () => owner.get<{ warnings: string[] }>(stage.at(`/roles/${roleId}`));
    const { body } = await owner.get<{ dimensions: { dimensionName: string; warning: string | null }[] }>(
      stage.at(`/roles/${roleId}/measures`),
    );
    const warnings = body.dimensions.flatMap((one) => one.warning ?? []);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
    expect((await role()).body.warnings).toEqual(warnings);
    // Staff correct it by a change of the ticket; then the warning is gone.
    const at = stage.at(`/tickets/${of}`);
    const { body: ticket } = await owner.get<{ checks: { hidden: { id: string }; slug: string } }>(at);
    const { hidden, slug } = ticket.checks;
    const checks = { visible: null, hidden: hidden.id, slug, isolation: 'shared' };
    expect((await owner.patch(at, { checks })).status).toBe(200);
    expect((await role()).body.warnings).toEqual([]);
  });

  it('is shown to its candidate: waiting, then each test; to staff the output too', async () => {
    const { person } = ada;
    const id = await send(person, handInsOf(ada), Buffer.from('# An answer'));
    const none = { reason: null, message: null, tests: [], tally: NOTHING, checkedAt: null };
    expect(await read(ada, id)).toEqual({ state: 'waiting', ...none });
    owner.follow(person);
    expect((await owner.get(staffPath(ada, id))).body).toEqual({ visible: null, all: null });

    await checked(ada, id);
    const [tally, at] = [{ passed: 1, failed: 1, errors: 0 }, expect.any(String)];
    const seen = { state: 'checked', reason: null, message: null, tally, tests: TESTS, checkedAt: at };
    expect(await read(ada, id)).toEqual(seen);
    const list = await person.get<{ items: HandIn[] }>(handInsOf(ada));
    expect(list.body.items).toMatchObject([{ id, checks: seen }]);
    expect(list.text).not.toContain(RUN.output);

    owner.follow(person);
    const told = {
      ...{ checkedAt: at, outcome: 'checked', reason: null, message: null, isolation: 'shared', ms: 12 },
      ...{ checks: { visible: RUN.treeSha256, hidden: null }, runner: RUN.runner },
      ...{ visible: tally, hidden: NOTHING },
    };
    const tests = TESTS.map((test) => ({ ...test, hidden: false }));
    expect((await owner.get(staffPath(ada, id))).body).toEqual({
      visible: { ...told, tests, output: RUN.output, detail: '' },
      all: null,
    });
    reviewer.follow(person);
    const figures = await reviewer.get(staffPath(ada, id));
    expect(figures.body).toEqual({
      visible: { ...told, tests: null, output: null, detail: null },
      all: null,
    });
    expect(figures.text).not.toMatch(/reads a line|Expected|The output/);
  });

  it('is why they could not be run, for staff with what the checker said', async () => {
    const id = await send(ada.person, handInsOf(ada), Buffer.from('# Another answer'));
    const detail = 'SyntaxError: Unexpected token';
    await checked(ada, id, { tests: null, reason: 'timed_out', detail });
    const seen = await read(ada, id);
    expect(seen).toMatchObject({
      ...{ state: 'error', reason: 'timed_out', message: 'The checker did not end in time.' },
      ...{ tests: [], tally: NOTHING },
    });
    expect(JSON.stringify(seen)).not.toContain(detail);
    owner.follow(ada.person);
    expect((await owner.get(staffPath(ada, id))).body).toMatchObject({
      visible: { outcome: 'error', reason: 'timed_out', tests: [], detail },
    });
  });

  it('is nothing for what has not arrived, and for what was not checked before the session’s end', async () => {
    const { person } = ada;
    const open = { name: 'open.md', bytes: 3, sha256: sha256(Buffer.from('new')) };
    expect((await person.post<HandIn>(handInsOf(ada), open)).body.checks).toBeNull();
    const id = await send(person, handInsOf(ada), Buffer.from('# A last answer'));
    expect(await read(ada, id)).toMatchObject({ state: 'waiting' });
    await person.post(`${ada.session}/complete`);
    expect(await read(ada, id)).toBeNull();
    const { items } = (await person.get<{ items: HandIn[] }>(handInsOf(ada))).body;
    expect(items.map(({ checks }) => checks?.state)).toEqual(['checked', 'error', undefined, undefined]);
  });

  it('is not found elsewhere, and gone with its candidate', async () => {
    const [first] = (await ada.person.get<{ items: HandIn[] }>(handInsOf(ada))).body.items;
    const unknown = '01a1ff15-0000-7000-8000-000000000000';
    expect((await owner.get(staffPath(ada, unknown))).status).toBe(404);
    expect((await owner.post(`${ada.application}/erasure`)).status).toBe(202);
    expect(await owner.get(staffPath(ada, first!.id))).toMatchObject({
      status: 410,
      body: { code: 'erased' },
    });
  });
});
