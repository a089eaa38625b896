import { beforeEach, describe, expect, it } from '@jest/globals';
import { SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { type Codec, createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { streamName, START } from '../../core/event-store.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { evidenceKeys } from '../../core/signing.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import { applicationRefOf } from '../../domain/candidate/events.js';
import { firstDeadline } from '../../domain/evaluation/awaited.js';
import { evaluationDecider, requestRegeneration } from '../../domain/evaluation/decider.js';
import type { ShownWork } from '../../domain/evaluation/events.js';
import { handInLate } from '../../domain/evaluation/late-work-decider.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { trial } from '../../domain/session/state.js';
import { noDetector } from '../../scoring/detector/detector.js';
import type { EvidenceEvent } from '../../scoring/evidence/evidence.js';
import type { ModelAnswer, Scorer, Scoring } from '../../scoring/scores/scorer.js';
import { Attempts } from '../attempts.js';
import { endWaits } from '../reactions.js';
import { EvaluationGenerator } from './generate.js';

const CANDIDATE = testId(9, 1) as PersonId;
const EVALUATION = testId(8, 1);
const LATER = new Date('2026-03-02T10:00:00.000Z');

const answer: ModelAnswer = {
  dimensionId: testId(1, 1),
  attempt: 1,
  model: 'small-1',
  promptVersion: 1,
  parameters: {},
  answer: 'Sure!',
};
const said: Scoring = { kind: 'failed', reason: 'It said nothing.', answers: [answer] };

describe('generating an evaluation', () => {
  let vault: MemoryVault;
  let log: MemoryEventStore;
  let codec: Codec;
  let streams: CommandStreams;
  let contexts: CommandContexts;
  /** What the scorer does. */
  let score: Scorer['score'];
  let readsWork: boolean;
  /** What is read of hand-ins. */
  let changes: () => Promise<readonly ShownWork[]>;

  beforeEach(async () => {
    vault = new MemoryVault();
    await vault.keys.create(CANDIDATE);
    log = new MemoryEventStore();
    const { signer } = evidenceKeys(Buffer.alloc(32, 1));
    codec = createCodec(eventRegistry, new Sealer(vault), signer);
    streams = new CommandStreams(log, codec);
    contexts = new CommandContexts(await KeyedHasher.of(vault));
    score = async () => said;
    readsWork = false;
    changes = () => Promise.reject(new Error('Hand-ins were read.'));
    const session = new SessionBuilder().started().message('I wrote the test first.').completed();
    const { encoded } = await codec.encode(session, session[0]!.metadata, { previousHash: null });
    await log.append(streamName('trial', testId(5, 1)), 'no-stream', encoded);
  });

  /** A process as far as generations go: its own generator on the common stores. */
  const startProcess = () => {
    const own = new CommandStreams(log, codec);
    const attempts = new Attempts(own, () => LATER);
    const generator = new EvaluationGenerator(
      own,
      {
        describe: () => ({ scorer: 'test', version: 1, description: '' }),
        score: (...it) => score(...it),
        readsWork,
      },
      noDetector,
      vault,
      { comparison: { similarWork: async () => [] }, changes: { shownWork: () => changes() } },
      attempts,
      () => LATER,
    );
    return { generate: generator.generate.bind(generator), leave: () => attempts.leave() };
  };
  const generate = (generation = 1, signal = new AbortController().signal, within = startProcess()) =>
    within.generate(
      contexts.forReaction('generate-evaluation', testId(12, generation), 'test'),
      { evaluationId: testId(8, 1), trialSessionId: testId(5, 1), generation },
      signal,
    );
  const recorded = () => streams.events(evaluationDecider, EVALUATION);
  const regenerate = () =>
    streams.handle(
      evaluationDecider,
      EVALUATION,
      contexts.forSystem({ type: 'staff', id: 'grace' }, 'test'),
      (state) => requestRegeneration(state, { begun: true }),
    );

  it('records what a model said and what came of it, in one go and one chain', async () => {
    expect(await generate()).toMatchObject({ kind: 'done', changed: true, recorded: true });
    const [first, second] = await recorded();
    expect(first).toMatchObject({ type: 'evaluation.model_answered', personal: { answer: 'Sure!' } });
    expect(second).toMatchObject({
      type: 'evaluation.failed',
      personal: { failure: 'It said nothing.' },
      metadata: { recordedAt: LATER.toISOString() },
    });
    expect(second!.chain!.previousHash).toBe(first!.chain!.hash);
    const session = await streams.events(trial, testId(5, 1));
    expect(first!.chain!.previousHash).toBe(session.at(-1)!.chain!.hash);
  });

  it('stores what a model was shown of the work, and erases it with the candidate', async () => {
    readsWork = true;
    const work = [{ handInId: 'h', lines: ['a.js:1+ mine'], notes: [] }];
    changes = async () => work;
    score = async () => ({ ...said, answers: [{ ...answer, work }] });
    await generate();
    const [first] = await recorded();
    expect(first).toMatchObject({ type: 'evaluation.model_answered', personal: { answer: 'Sure!', work } });
    await vault.keys.erase(CANDIDATE);
    const [erased] = await new CommandStreams(log, codec).events(evaluationDecider, EVALUATION);
    expect(erased!.personal).toBeNull();
  });

  it('records nothing, and asks no model, if the candidate is erased while the work is read', async () => {
    readsWork = true;
    let asked = 0;
    score = async () => ((asked += 1), said);
    changes = () => Promise.reject(new PersonErased(CANDIDATE));
    expect(await generate()).toMatchObject({ kind: 'done', changed: false });
    expect([asked, await recorded()]).toEqual([0, []]);
  });

  it('asks nobody for a generation that is answered, or was never asked for', async () => {
    await generate();
    let asked = 0;
    score = async () => {
      asked += 1;
      return said;
    };
    for (const generation of [1, 2]) expect(await generate(generation)).toMatchObject({ changed: false });
    expect(asked).toBe(0);
    expect(await recorded()).toHaveLength(2);
    await regenerate();
    expect(await generate(2)).toMatchObject({ changed: true });
    expect(asked).toBe(1);
  });

  it('holds up no other command while a model takes its time', async () => {
    await generate();
    await regenerate();
    let finish = (): void => undefined;
    const begun = new Promise<void>((started) => {
      score = () =>
        new Promise((resolve) => {
          finish = () => resolve(said);
          started();
        });
    });
    const generating = generate(2);
    await begun;
    expect(await regenerate()).toMatchObject({ kind: 'refused', refusal: { code: 'evaluation_generating' } });
    finish();
    expect(await generating).toMatchObject({ changed: true });
  });

  it.each(['before it begins', 'while the model is asked'])(
    'records nothing for a candidate who is erased %s, and is no failure',
    async (when) => {
      let asked = 0;
      score = async () => {
        asked += 1;
        await vault.keys.erase(CANDIDATE);
        return said;
      };
      if (when === 'before it begins') await vault.keys.erase(CANDIDATE);
      expect(await generate()).toMatchObject({ kind: 'done', changed: false, state: { status: 'none' } });
      expect(asked).toBe(when === 'before it begins' ? 0 : 1);
      expect(await recorded()).toEqual([]);
    },
  );

  it('does not take a lost key for an erasure', async () => {
    vault.known.delete(CANDIDATE);
    await expect(generate()).rejects.toThrow('key');
    expect(await recorded()).toEqual([]);
  });

  describe('whose candidate had begun a hand-in before the completion', () => {
    const handInId = testId(12, 1);
    let evidence: readonly EvidenceEvent[] = [];

    beforeEach(async () => {
      score = async (input) => ((evidence = input.evidence), said);
      evidence = [];
      log = new MemoryEventStore();
      streams = new CommandStreams(log, codec);
      const events = new SessionBuilder().started().beginsHandIn('T-1').completed();
      const { encoded } = await codec.encode(events, events[0]!.metadata, { previousHash: null });
      await log.append(streamName('trial', testId(5, 1)), 'no-stream', encoded);
    });

    const completion = async () => {
      const last = (await streams.events(trial, testId(5, 1))).at(-1);
      if (last?.type !== 'trial.completed') throw new Error('It is not completed.');
      return last;
    };
    /** So many minutes after the completion: after 10, the wait is over. */
    const minutes = async (count: number): Promise<Date> => {
      const until = firstDeadline((await completion()).data.awaits ?? []) ?? '';
      return new Date(Date.parse(until) + (count - 10) * 60_000);
    };
    const arrive = async () => {
      const { data, chain } = await completion();
      const { state } = await streams.read(trial, testId(5, 1));
      const now = (await minutes(9)).toISOString();
      return streams.handle(
        evaluationDecider,
        EVALUATION,
        contexts.forSystem({ type: 'candidate', id: CANDIDATE }, 'test'),
        (evaluation) =>
          handInLate(evaluation, {
            ...{ handInId, name: 'work.zip', manifest: [], treeSha256: 'b'.repeat(64) },
            session: { ...state!, evaluationId: data.evaluationId },
            now,
          }),
        chain?.hash ?? null,
      );
    };
    /** The reactor that ends the wait for work that has not arrived. */
    const look = async (count: number, name = 'test') => {
      const { data, metadata, id } = await completion();
      const document = {
        ...{ ...applicationRefOf(data), evaluationId: data.evaluationId, generation: 1 },
        ...{ requestedAt: metadata.recordedAt, causedBy: id, correlationId: name },
        ...{ state: 'awaiting' as const, awaited: data.awaits ?? [] },
      };
      const reactor = endWaits(new CommandStreams(log, codec), contexts);
      expect(reactor.dueAt(document)).toBe((await minutes(10)).toISOString());
      const found = { id: EVALUATION, position: START, document } as never;
      await reactor.act(found, await minutes(count));
    };
    const types = async () => (await recorded()).map(({ type }) => type.replace('evaluation.', ''));

    it('is not made while that may still arrive', async () => {
      expect(await generate()).toMatchObject({ kind: 'done', changed: false });
      await look(9);
      expect(await generate()).toMatchObject({ changed: false });
      expect(evidence).toEqual([]);
      expect(await recorded()).toEqual([]);
    });

    it('counts it once it has arrived, in one chain and inside the signed head', async () => {
      expect(await arrive()).toMatchObject({ kind: 'done', changed: true });
      expect(await generate()).toMatchObject({ changed: true });
      expect(evidence.at(-1)).toMatchObject({
        ...{ eventType: 'work.handed_in', source: 'service', sequenceNumber: 4 },
        payload: { handInId, ticketId: 'T-1' },
      });
      expect(await types()).toEqual(['work_handed_in', 'model_answered', 'failed']);
      const events = await recorded();
      expect(events[0]!.chain!.previousHash).toBe((await completion()).chain!.hash);
      expect(events[1]!.chain!.previousHash).toBe(events[0]!.chain!.hash);
      expect(events[2]!.chain!.signature).toMatchObject({ keyId: expect.any(String) });
      await regenerate();
      await generate(2);
      expect(evidence.at(-1)).toMatchObject({ eventType: 'work.handed_in', payload: { handInId } });
    });

    it('goes on without it once its time is over, on several processes and by whatever clock, once', async () => {
      await Promise.all([look(10, 'one'), look(11, 'two'), look(60, 'three')]);
      await look(10);
      expect(await arrive()).toMatchObject({ kind: 'refused', refusal: { code: 'session_ended' } });
      expect(await generate()).toMatchObject({ changed: true });
      await look(10);
      expect(await types()).toEqual(['wait_ended', 'model_answered', 'failed']);
      expect(evidence.at(-1)).toMatchObject({ eventType: 'trial.completed' });
    });

    it('gives up nothing that has arrived', async () => {
      await arrive();
      await look(60);
      expect(await types()).toEqual(['work_handed_in']);
    });

    it('records nothing of it after an erasure', async () => {
      await vault.keys.erase(CANDIDATE);
      await expect(arrive()).rejects.toThrow();
      expect(await recorded()).toEqual([]);
    });
  });

  it('records nothing once it is stopped', async () => {
    const stop = new AbortController();
    score = async (_, signal) => {
      stop.abort(new Error('The service stops.'));
      signal?.throwIfAborted();
      return said;
    };
    await expect(generate(1, stop.signal)).rejects.toThrow('The service stops.');
    expect(await recorded()).toEqual([]);
    score = async () => said;
    expect(await generate()).toMatchObject({ changed: true });
  });

  describe('that ends its process', () => {
    const ended = /^The service’s process ended 3 times .* new generation/;
    /** Ends the process while the generation is made: none of its work continues. */
    const endProcess = async (generation = 1, within = startProcess()): Promise<void> => {
      const kept = score;
      await new Promise<void>((begun) => {
        score = () => {
          begun();
          return new Promise(() => undefined);
        };
        void generate(generation, undefined, within);
      });
      score = kept;
    };

    it('fails once it has ended three, with the reason, and is not begun again', async () => {
      for (let count = 0; count < 3; count++) await endProcess();
      let asked = 0;
      score = async () => {
        asked += 1;
        return said;
      };
      expect(await generate()).toMatchObject({ changed: true, recorded: true, state: { status: 'failed' } });
      expect(asked).toBe(0);
      expect(await recorded()).toMatchObject([
        { type: 'evaluation.failed', personal: { failure: expect.stringMatching(ended) } },
      ]);
    });

    it('is tried again before that, and anew where staff ask for a new generation', async () => {
      for (let count = 0; count < 2; count++) await endProcess();
      expect(await generate()).toMatchObject({ changed: true, recorded: true });
      await regenerate();
      for (let count = 0; count < 3; count++) await endProcess(2);
      await generate(2);
      await regenerate();
      expect(await generate(3)).toMatchObject({ changed: true, recorded: true });
      expect((await recorded()).map(({ type }) => type.replace('evaluation.', ''))).toEqual([
        'model_answered',
        'failed',
        'regeneration_requested',
        'failed',
        'regeneration_requested',
        'model_answered',
        'failed',
      ]);
    });

    it.each([
      ['stops in good order', true],
      ['has ended it for another one and goes on', false],
    ])('is none that tries again and %s', async (_, leaves) => {
      for (let count = 0; count < 5; count++) {
        const living = startProcess();
        for (let tries = 0; tries < 2; tries++) {
          const stop = new AbortController();
          score = (_, signal) => {
            stop.abort(new Error('The service stops.'));
            return Promise.reject(signal?.reason as Error);
          };
          await expect(generate(1, stop.signal, living)).rejects.toThrow('The service stops.');
        }
        if (leaves) await living.leave();
      }
      score = async () => said;
      expect(await generate()).toMatchObject({ changed: true, recorded: true });
    });
  });
});
