import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { RecomputeReport } from '../../src/operator/evaluations/report.js';
import { packTarHere, packZipHere } from '../../src/work/archives.js';
import { treeOf } from '../../src/work/tree.js';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { sendFile } from '../support/send-file.js';
import { type Candidate, joinStage, type Stage } from '../support/stage.js';
import { program } from '../support/written-work.js';

type Files = Readonly<Record<string, string>>;

interface Finding {
  readonly kind: string;
  readonly severity: string;
  readonly evidenceEventIds: readonly string[];
  readonly inputs: Readonly<Record<string, number>>;
}
interface Evaluation {
  readonly status: string;
  readonly generation: number;
  readonly integrity: readonly Finding[];
  readonly evidence: { readonly events: readonly { readonly id: string; readonly payload: object }[] };
}
interface HandIn {
  readonly similarTo: { readonly trialSessionId: string; readonly handInId: string } | null;
}

/** A candidate whose evaluation is ready. */
interface Done extends Candidate {
  readonly handIns: readonly string[];
  readonly evaluation: string;
}

const STARTER: Files = { 'lib/base.js': program(1), 'README.md': 'Write the parser of the till.' };
const SOLUTION: Files = { ...STARTER, 'src/parser.js': program(2) };
/** The same work in other files, with other names, comments and layout. */
const DISGUISED: Files = {
  ...STARTER,
  'app/mine.mjs': `// all my own\n${program(2, 'other').replaceAll('\n', '\n\n    ')}`,
};
const OWN: Files = { ...STARTER, 'own/till.js': program(3) };

const tree = (files: Files) =>
  treeOf(Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })));

describe('work that is the same as another candidate’s', () => {
  let stage: Stage;
  let owner: Person;
  let reviewer: Person;
  let roleId: string;
  let ticketId: string;
  let author: Done;
  let copier: Done;

  /** Starts, hands in each tree, and completes. @param named whether the start names the version of the notice */
  const done = async (works: readonly Files[], named = true): Promise<Done> => {
    const candidate = await stage.candidate(roleId);
    const { person, session, sessionId } = candidate;
    const { body } = await person.get<{ notice: { version: string } }>(`${session}/briefing`);
    const noticeVersion = named ? body.notice.version : undefined;
    await person.post(`${session}/start`, { consent: true, noticeVersion });
    const handIns: string[] = [];
    for (const [n, work] of works.entries()) {
      const packed = n % 2 === 0 ? packZipHere(tree(work)) : packTarHere(tree(work));
      const name = `work.${n % 2 === 0 ? 'zip' : 'tar'}`;
      handIns.push(await sendFile(person, `${session}/tickets/${ticketId}/hand-ins`, name, await packed));
    }
    await person.post(`${session}/complete`);
    owner.follow(person);
    reviewer.follow(person);
    const { body: application } = await owner.get<{ trialSessions: { evaluationId: string }[] }>(
      candidate.application,
    );
    const evaluation = stage.at(`/evaluations/${application.trialSessions[0]?.evaluationId}`);
    await eventually(async () => (await owner.get<Evaluation>(evaluation)).body.status === 'ready');
    return { ...candidate, handIns, evaluation, sessionId };
  };

  const copied = async ({ evaluation }: Done): Promise<readonly Finding[]> =>
    (await owner.get<Evaluation>(evaluation)).body.integrity.filter(
      ({ kind }) => kind === 'copied_from_other_hand_in',
    );
  const similarTo = async ({ sessionId, handIns }: Done, by = owner) =>
    (await by.get<HandIn>(stage.at(`/trial-sessions/${sessionId}/hand-ins/${handIns.at(-1)}`))).body
      .similarTo;

  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
    reviewer = await stage.member('reviewer');
    const ticket = { title: 'Parser', kind: 'files' };
    ticketId = (await owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id;
    const sets = stage.at(`/tickets/${ticketId}/file-sets`);
    const starter = await sendFile(owner, sets, 'starter.zip', await packZipHere(tree(STARTER)));
    await owner.patch(stage.at(`/tickets/${ticketId}`), { starter });
    const role = { ...definition(), ticketIds: [ticketId] };
    roleId = (await owner.post<{ id: string }>(stage.at('/roles'), role)).body.id;
    author = await done([SOLUTION]);
    copier = await done([OWN, DISGUISED]);
  });
  afterAll(() => stage.close());

  it('is found in the work that was completed later, at its hand-in, with counts alone', async () => {
    expect(await copied(author)).toEqual([]);
    const [finding, ...others] = await copied(copier);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: 'medium', advisory: true, inputs: { sharedPercent: 100 } });
    expect(Object.values(finding!.inputs).every((value) => typeof value === 'number')).toBe(true);
    const { body } = await owner.get<Evaluation>(copier.evaluation);
    const event = body.evidence.events.find(({ id }) => id === finding!.evidenceEventIds[0]);
    expect(event?.payload).toMatchObject({ handInId: copier.handIns[1] });
  });

  it('is named only to staff who may read work', async () => {
    expect(await similarTo(copier)).toEqual({
      trialSessionId: author.sessionId,
      handInId: author.handIns[0],
    });
    expect(await similarTo(author)).toBeNull();
    expect(await similarTo(copier, reviewer)).toBeNull();
    const evaluation = await reviewer.get<Evaluation>(copier.evaluation);
    expect(evaluation.body.integrity).toHaveLength(
      (await owner.get<Evaluation>(copier.evaluation)).body.integrity.length,
    );
  });

  it('names no other person, file or quote in what the candidate or a guest reads', async () => {
    await owner.patch(stage.at(), { candidateResults: 'result_with_explanation' });
    const outcome = stage.at(`/trial-sessions/${copier.sessionId}/outcome`);
    await owner.put(outcome, { humanRound: 'passed', disposition: 'declined' });
    copier.person.follow(owner);
    const { token } = (await owner.post<{ token: string }>(`${copier.evaluation}/share-links`, {})).body;
    const exported = await copier.person.get('/me/export');
    expect(exported.text).toContain('copied_from_other_hand_in');
    const hers = author.person;
    const secrets = [author.email, author.sessionId, author.applicationId, author.handIns[0] ?? ''];
    secrets.push('src/parser.js', createHash('sha256').update(SOLUTION['src/parser.js']!).digest('hex'));
    const own = [
      exported,
      await copier.person.get('/me/evaluations'),
      await copier.person.get(`${copier.session}/tickets/${ticketId}/hand-ins/${copier.handIns[1]}`),
      await copier.person.get(`${copier.session}/briefing`),
      await stage.api.send('GET', `/shared/reports/${token}`),
      // The explanation for staff has only counts, too.
      await owner.get(`${copier.evaluation}/explanation`),
    ];
    for (const { text, status } of own) {
      expect(status).toBe(200);
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
    expect((await hers.get(`/trial-sessions/${copier.sessionId}`)).status).toBe(404);
  });

  it('is never found of the starter alone, or of one’s own earlier hand-ins', async () => {
    const first = await done([STARTER]);
    const second = await done([{ ...STARTER, 'notes.md': 'Nothing yet.' }]);
    const again = await done([program(5), program(5, 'x')].map((text) => ({ ...STARTER, 'a.js': text })));
    for (const one of [first, second, again]) {
      expect(await copied(one)).toEqual([]);
      expect(await similarTo(one)).toBeNull();
    }
  });

  it('is not looked for if the candidate agreed to no notice that says so, on either side', async () => {
    const work = { ...STARTER, 'src/parser.js': program(6) };
    expect(await copied(await done([SOLUTION], false))).toEqual([]);
    expect(await copied(await done([work], false))).toEqual([]);
    expect(await copied(await done([work]))).toEqual([]);
    expect(await copied(await done([work]))).toHaveLength(1);
  });

  it('keeps the figure alone once the other candidate is erased, also if it is computed again', async () => {
    const before = await copied(copier);
    expect((await owner.post(`${author.application}/erasure`, {})).status).toBeLessThan(300);
    expect(await similarTo(copier)).toBeNull();
    expect(await copied(copier)).toEqual(before);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [resolve('dist/bin/operator.js'), 'evaluations', 'recompute', '--dry-run', '--json'],
      { env: { PATH: process.env['PATH'], DATA_DIR: stage.service.dataDir } },
    );
    expect(JSON.parse(stdout) as RecomputeReport).toMatchObject({ changed: 0, unusable: 0 });
    // A new generation compares again, and the erased work no longer exists.
    owner.follow(copier.person);
    await owner.post(`${copier.evaluation}/regenerations`);
    await eventually(async () => {
      const { status, generation } = (await owner.get<Evaluation>(copier.evaluation)).body;
      return status === 'ready' && generation === 2;
    });
    expect(await copied(copier)).toEqual([]);
    expect(await similarTo(copier)).toBeNull();
  });
});
