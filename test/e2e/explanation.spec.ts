import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Explanation } from '../../src/api/evaluations/explanation.js';
import type { EvaluationRecord } from '../../src/api/evaluations/record.js';
import { CommandContexts } from '../../src/core/command-context.js';
import { evaluationDecider, recordResult, requestRegeneration } from '../../src/domain/evaluation/decider.js';
import { trial } from '../../src/domain/session/state.js';
import { readConfiguration } from '../../src/process/config.js';
import { openWriteSide } from '../../src/process/stores.js';
import { generateEvaluation } from '../../src/scoring/generate.js';
import { RubricScorer } from '../../src/scoring/rubric/scorer.js';
import { currentRuleSet, type RuleSet, ruleSets } from '../../src/scoring/rule-sets.js';
import type { Scorer } from '../../src/scoring/scores/scorer.js';
import { Api, type Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition, invite, work } from '../support/organisation.js';
import { makePlace, type Place } from '../support/place.js';
import type { Service } from '../support/service.js';
import { type Failure, faultOf } from '../support/stage.js';

const failing: Scorer = {
  describe: () => ({ scorer: 'rubric', version: 1, description: 'Out of order.' }),
  score: async () => ({ kind: 'failed', reason: 'The scorer was out of order.' }),
};

describe('the explanation of an evaluation', () => {
  let place: Place;
  let service: Service;
  let owner: Person;
  let org: string;
  let evaluation: string;
  /** Each generation as it was answered while it was the latest. */
  const answered: EvaluationRecord[] = [];

  const at = (path: string): string => `/organisations/${org}/evaluations/${path}`;
  const explain = (query = '') => owner.get<Explanation>(at(`${evaluation}/explanation${query}`));
  const refused = (query = '', id = evaluation) => owner.get<Failure>(at(`${id}/explanation${query}`));
  const read = async (query = ''): Promise<EvaluationRecord> =>
    (await owner.get<EvaluationRecord>(at(evaluation + query))).body;
  const latest = async (generation: number): Promise<EvaluationRecord | false> => {
    const record = await read();
    return record.generation === generation && record.status !== 'generating' && record;
  };

  beforeAll(async () => {
    place = await makePlace();
    service = await place.start();
    org = await createOrganisation(place.dataDir, 'Example', 'owner@example.org');
    owner = await new Api(service.url).as('owner@example.org');
    const role = await owner.post<{ id: string }>(`/organisations/${org}/roles`, definition());
    const { sessionId } = await invite(owner, org, role.body.id, 'carol@example.org');
    const carol = await new Api(service.url).as('carol@example.org');
    carol.follow(owner);
    await carol.get('/me');
    await carol.post(`/trial-sessions/${sessionId}/start`, { consent: true });
    await carol.post(`/trial-sessions/${sessionId}/activity`, work());
    await carol.post(`/trial-sessions/${sessionId}/complete`);
    owner.follow(carol);
    const list = await owner.get<{ items: { id: string }[] }>(`/organisations/${org}/evaluations`);
    evaluation = list.body.items[0]!.id;
    answered.push(await eventually(() => latest(1)));

    // While no service runs: one generation fails, and one is made under another rule set, as by a former version.
    await service.stop();
    const [ruleSet] = ruleSets;
    await generateAgain(place.dataDir, evaluation, { scorer: failing, ruleSet: ruleSet! });
    const scorer = new RubricScorer(ruleSet!.rubric);
    await generateAgain(place.dataDir, evaluation, { scorer, ruleSet: ruleSet! });
    service = await place.start();
    owner = await new Api(service.url).as('owner@example.org');
    answered.push(await eventually(() => latest(3)));
    await owner.post(at(`${evaluation}/regenerations`));
    answered.push(await eventually(() => latest(4)));
  });
  afterAll(async () => {
    await service.stop();
    await place.remove();
  });

  it('adds up to the figures of its evaluation, every term with its evidence quoted', async () => {
    const record = await read();
    const { status, headers, body } = await explain();
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe(`"${record.version}"`);
    expect(body).toMatchObject({
      evaluationId: evaluation,
      generation: record.generation,
      ruleSet: currentRuleSet.name,
      scoredBy: record.scoredBy,
    });
    const micros = (terms: readonly { readonly contribution: number }[]): number =>
      terms.reduce((sum, { contribution }) => sum + Math.round(contribution * 1e6), 0);
    expect(body.dimensions.map(({ dimensionId, score }) => [dimensionId, score])).toEqual(
      record.scores.map(({ dimensionId, score }) => [dimensionId, score]),
    );
    for (const { terms, exact, score } of [...body.dimensions, body.overall]) {
      expect(terms.length).toBeGreaterThan(0);
      expect(micros(terms)).toBe(Math.round((exact ?? NaN) * 1e6));
      expect(Math.floor((micros(terms) + 500_000) / 1e6)).toBe(score);
    }
    expect(body.overall.score).toBe(record.overallScore);

    const said = new Map(record.evidence.events.map((event) => [event.id, JSON.stringify(event.payload)]));
    const cited = body.dimensions.flatMap(({ terms }) => terms.flatMap(({ evidence }) => evidence));
    expect(cited).toHaveLength(5);
    for (const { eventId, quote } of cited) {
      expect(quote).not.toBeNull();
      expect(said.get(eventId)).toContain(quote);
    }
    const sourceOf = new Map(record.evidence.events.map(({ id, source }) => [id, source]));
    for (const { sources, vouchedBy, evidence } of body.dimensions.flatMap(({ terms }) => terms)) {
      for (const { eventId } of evidence) expect(sources).toContain(sourceOf.get(eventId));
      expect(vouchedBy).toMatch(
        /^(Recorded by the service itself|Reported by the candidate’s own page or program)/,
      );
    }
    expect(
      body.integrity.map(({ kind, ruleVersion, evidenceEventIds }) => [kind, ruleVersion, evidenceEventIds]),
    ).toEqual(
      record.integrity.map(({ kind, ruleVersion, evidenceEventIds }) => [
        kind,
        ruleVersion,
        evidenceEventIds,
      ]),
    );
    for (const { inputs } of body.integrity) expect(inputs).toEqual(expect.any(Object));
  });

  it('and the evaluation stay readable for every former generation, each under its own rule set', async () => {
    expect(answered.map(({ status, generation }) => [generation, status])).toEqual([
      [1, 'ready'],
      [3, 'ready'],
      [4, 'ready'],
    ]);
    const { version } = answered.at(-1)!;
    for (const then of answered) {
      const { generation } = then;
      // Unchanged, except for the version, which is that of the whole evaluation.
      expect(await read(`?generation=${generation}`)).toEqual({ ...then, version });
      const { status, body } = await explain(`?generation=${generation}`);
      const ruleSet = generation === 3 ? ruleSets[0]!.name : currentRuleSet.name;
      expect([status, body.generation, body.ruleSet]).toEqual([200, generation, ruleSet]);
      expect(body.dimensions.map(({ score }) => score)).toEqual(then.scores.map(({ score }) => score));
      expect(body.integrity.map(({ kind }) => kind)).toEqual(then.integrity.map(({ kind }) => kind));
    }
    expect((await explain('?generation=1')).body).toEqual({ ...(await explain()).body, generation: 1 });
  });

  it('a failed generation stays readable with its reason', async () => {
    const [first] = answered;
    expect(await read('?generation=2')).toMatchObject({
      ...{ id: evaluation, candidateEmail: 'carol@example.org', generation: 2, status: 'failed' },
      failure: 'The scorer was out of order.',
      ...{ scores: [], integrity: [], overallScore: null, passed: null, generatedAt: null, scoredBy: null },
      overallThreshold: first!.overallThreshold,
      evidence: { events: first!.evidence.events, questions: [] },
    });
  });

  it('is refused where there is nothing to explain, with the reason', async () => {
    const failed = await refused('?generation=2');
    expect(failed).toMatchObject({
      status: 409,
      body: {
        code: 'evaluation_not_ready',
        error:
          'Generation 2 of this evaluation failed: there is nothing to explain. Generation 4 is the last one that became ready.',
      },
    });
    expect(faultOf(failed)).toBeNull();
    for (const [query, status, code] of [
      ['?generation=5', 404, 'not_found'],
      ['?generation=0', 404, 'not_found'],
      ['?generation=-1', 400, 'validation_failed'],
      ['?generation=one', 400, 'validation_failed'],
      ['?generation=1&generation=2', 400, 'validation_failed'],
      ['?generation[$gt]=0', 400, 'validation_failed'],
    ] as const) {
      const reply = await refused(query);
      expect([query, reply.status, reply.body.code]).toEqual([query, status, code]);
      expect(faultOf(reply)).toBeNull();
    }
    for (const id of ['01a1ff15-0000-7000-8000-000000000000', 'no-id', '%2E%2E'])
      expect(await refused('', id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is for those who may read evaluations, as the evaluation is', async () => {
    const stranger = await new Api(service.url).as('stranger@example.org');
    const carol = await new Api(service.url).as('carol@example.org');
    for (const person of [stranger, carol])
      expect(await person.get(at(`${evaluation}/explanation`))).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    expect(await new Api(service.url).send('GET', at(`${evaluation}/explanation`))).toMatchObject({
      status: 401,
      body: { error: 'missing bearer token' },
    });
    await owner.post(`/organisations/${org}/members`, { email: 'reviewer@example.org', role: 'reviewer' });
    const reviewer = await new Api(service.url).as('reviewer@example.org');
    reviewer.follow(owner);
    await reviewer.get('/me');
    expect(await reviewer.get(at(`${evaluation}/explanation`))).toMatchObject({ status: 200 });
  });

  it('waits for what was acknowledged before: no explanation while the next generation is made', async () => {
    for (let generation = 5; generation < 10; generation++) {
      const asked = await owner.post(at(`${evaluation}/regenerations`));
      expect(asked).toMatchObject({ status: 202, body: { generation } });
      const reply = await refused();
      // The new generation may be ready by then, but the former one is never shown.
      if (reply.status === 200) expect(reply.body).toMatchObject({ generation });
      else expect(reply).toMatchObject({ status: 409, body: { code: 'evaluation_generating' } });
      expect((await explain(`?generation=${generation - 1}`)).body).toMatchObject({
        generation: generation - 1,
      });
      await eventually(() => latest(generation));
      expect((await explain()).body).toMatchObject({ generation });
    }
  });

  it('is gone with the candidate, for every generation, from the erasure’s answer on', async () => {
    const application = (await owner.get<{ items: { id: string }[] }>(`/organisations/${org}/applications`))
      .body.items[0]!.id;
    const erased = await owner.post(`/organisations/${org}/applications/${application}/erasure`);
    expect(erased.status).toBe(202);
    for (const query of ['', '?generation=1', '?generation=2', '?generation=99']) {
      const reply = await refused(query);
      expect([query, reply.status, reply.body.code]).toEqual([query, 410, 'erased']);
      expect(faultOf(reply)).toBeNull();
      expect((await owner.get(at(evaluation + query))).status).toBe(410);
    }
    const stranger = await new Api(service.url).as('stranger@example.org');
    expect(await stranger.get(at(`${evaluation}/explanation`))).toMatchObject({ status: 403 });
  });
});

/**
 * Makes the next generation of an evaluation as another version of the service would have: by another scorer, under
 * another rule set. No service may run on the folder, since it would make that generation itself.
 */
const generateAgain = async (
  dataDir: string,
  evaluationId: string,
  { scorer, ruleSet }: { readonly scorer: Scorer; readonly ruleSet: RuleSet },
): Promise<void> => {
  const { streams, hasher, close } = await openWriteSide(readConfiguration({ DATA_DIR: dataDir }));
  try {
    const context = () => new CommandContexts(hasher).forSystem({ type: 'system', id: 'test' }, 'test');
    const asked = await streams.handle(evaluationDecider, evaluationId, context(), (state) =>
      requestRegeneration(state, { begun: true }),
    );
    if (asked.kind === 'refused' || asked.state.status === 'none')
      throw new Error('It could not be asked for.');
    const { generation, ids } = asked.state;
    const session = await streams.events(trial, ids.trialSessionId);
    const { result, answers } = await generateEvaluation({ session, generation, scorer, ruleSet });
    const done = await streams.handle(evaluationDecider, evaluationId, context(), (state) =>
      recordResult(state, result, answers),
    );
    if (done.kind === 'refused' || !done.changed) throw new Error('It was not recorded.');
  } finally {
    await close();
  }
};
