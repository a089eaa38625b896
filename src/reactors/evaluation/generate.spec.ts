import { beforeEach, describe, expect, it } from '@jest/globals';
import { SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { CommandContexts } from '../../core/command-context.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { type Codec, createCodec } from '../../core/codec.js';
import { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { evidenceKeys } from '../../core/signing.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import { Sealer } from '../../core/vault/sealing.js';
import { evaluationDecider, requestRegeneration } from '../../domain/evaluation/decider.js';
import { noDetector } from '../../scoring/detector/detector.js';
import type { EvaluationEvent } from '../../domain/evaluation/events.js';
import type { ModelAnswer, Scorer, Scoring } from '../../scoring/scores/scorer.js';
import { EvaluationGenerator } from './generate.js';

const CANDIDATE = testId(9, 1) as PersonId;
const EVALUATION = streamName('evaluation', testId(8, 1));
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

  beforeEach(async () => {
    vault = new MemoryVault();
    await vault.keys.create(CANDIDATE);
    log = new MemoryEventStore();
    const { signer } = evidenceKeys(Buffer.alloc(32, 1));
    codec = createCodec(eventRegistry, new Sealer(vault), signer);
    streams = new CommandStreams(log, codec);
    contexts = new CommandContexts(await KeyedHasher.of(vault));
    score = async () => said;
    const session = new SessionBuilder().started().message('I wrote the test first.').completed();
    const { encoded } = await codec.encode(session, session[0]!.metadata, { previousHash: null });
    await log.append(streamName('trial', testId(5, 1)), 'no-stream', encoded);
  });

  /** A process as far as generations go: its own generator on the common stores. */
  const startProcess = () =>
    new EvaluationGenerator(
      new CommandStreams(log, codec),
      { describe: () => ({ scorer: 'test', version: 1, description: '' }), score: (...it) => score(...it) },
      noDetector,
      vault,
      () => LATER,
    );
  const generate = (generation = 1, signal?: AbortSignal, within = startProcess()) =>
    within.generate(
      contexts.forReaction('generate-evaluation', testId(12, generation), 'test'),
      { evaluationId: testId(8, 1), trialSessionId: testId(5, 1), generation },
      signal,
    );
  const recorded = () => streams.events<EvaluationEvent>(EVALUATION);
  const regenerate = () =>
    streams.handle(
      evaluationDecider,
      EVALUATION,
      contexts.forSystem({ type: 'staff', id: 'grace' }, 'test'),
      (state) => requestRegeneration({ begun: true }, state),
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
    const session = await streams.events(streamName('trial', testId(5, 1)));
    expect(first!.chain!.previousHash).toBe(session.at(-1)!.chain!.hash);
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
    /** A process that is ended while the generation is made: nothing of it goes on. */
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

    it('is none that tries again and stops in good order', async () => {
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
        await living.leave();
      }
      score = async () => said;
      expect(await generate()).toMatchObject({ changed: true, recorded: true });
    });
  });
});
