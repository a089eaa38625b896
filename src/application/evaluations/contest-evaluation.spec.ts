import { beforeEach, describe, expect, it } from '@jest/globals';
import { readyResult } from '../../../test/support/evaluation-results.js';
import { roleDefinition, SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { streamName } from '../../core/event-store.js';
import type { AnyEvent } from '../../core/event.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { evidenceKeys } from '../../core/signing.js';
import type { PersonId } from '../../core/vault/port.js';
import { evaluationDecider, recordResult } from '../../domain/evaluation/decider.js';
import type { Contested } from '../../domain/evaluation/events.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { trial } from '../../domain/session/state.js';
import { ContestEvaluation, ContestEvaluationHandler } from './contest-evaluation.js';

const PERSON = testId(9, 1) as PersonId;
const EVALUATION = testId(8, 1);
const application = {
  organisationId: testId(2, 1),
  candidateId: PERSON as string,
  applicationId: testId(4, 1),
  trialSessionId: testId(5, 1),
  roleId: testId(3, 1),
};
const settings = { name: 'Example', recordAudio: false, retentionDays: null, candidateResults: 'result' };
const invited = {
  type: 'candidate.invited',
  data: { ...application, roleVersion: 1, role: roleDefinition(), invitedAt: '', expiresAt: '' },
  person: PERSON,
  personal: { email: 'ada@example.org' },
};
const created = {
  type: 'organisation.created',
  data: { organisationId: application.organisationId, ...settings },
  person: null,
  personal: null,
};
const outcome = {
  type: 'outcome.recorded',
  data: { ...application, humanRound: 'passed', disposition: null, former: null, recordedBy: 'olga' },
  person: PERSON,
  personal: { reason: null },
};

describe('contesting an evaluation', () => {
  let streams: CommandStreams;
  let contexts: CommandContexts;
  let append: (kind: string, id: string, ...events: readonly AnyEvent[]) => Promise<void>;

  beforeEach(async () => {
    const vault = new MemoryVault();
    await vault.keys.create(PERSON);
    const log = new MemoryEventStore();
    const codec = createCodec(eventRegistry, new Sealer(vault), evidenceKeys(Buffer.alloc(32, 1)).signer);
    streams = new CommandStreams(log, codec);
    contexts = new CommandContexts(await KeyedHasher.of(vault));
    const session = new SessionBuilder().started().message('I wrote the test first.').completed();
    const { metadata } = session[0]!;
    append = async (kind, id, ...events) => {
      const chain = kind === 'trial' ? { previousHash: null } : undefined;
      const { encoded } = await codec.encode(events, metadata, chain);
      await log.append(streamName(kind, id), 'no-stream', encoded);
    };
    await append('trial', application.trialSessionId, ...session);
    await append('candidate', PERSON, invited);
    await append('organisation', application.organisationId, created);
  });

  const contest = (kind: Contested) =>
    new ContestEvaluationHandler(streams).execute(
      new ContestEvaluation(contexts.forSystem({ type: 'candidate', id: PERSON }, 'request'), {
        ...{ application, evaluationId: EVALUATION, contestId: testId(11, 1), kind },
        ...{ reference: null, text: 'Not so.' },
      }),
    );
  const generate = async () => {
    const [session] = [await streams.events(trial, application.trialSessionId)];
    const result = readyResult({ ...application, evaluationId: EVALUATION, generation: 1 }, roleDefinition());
    return streams.handle(
      evaluationDecider,
      EVALUATION,
      contexts.forSystem({ type: 'system', id: 'test' }, 'test'),
      (state) => recordResult(state, result),
      session.at(-1)!.chain!.hash,
    );
  };

  it('before its first result begins the chain that the result goes on with', async () => {
    expect(await contest('transcript')).toMatchObject({ kind: 'done', changed: true });
    expect(await generate()).toMatchObject({ kind: 'done', changed: true, state: { status: 'ready' } });
    const session = await streams.events(trial, application.trialSessionId);
    const [first, second] = await streams.events(evaluationDecider, EVALUATION);
    expect(first).toMatchObject({
      type: 'evaluation.contested',
      data: { generation: 1, released: 'nothing' },
    });
    expect(first!.chain!.previousHash).toBe(session.at(-1)!.chain!.hash);
    expect(second!.chain!.previousHash).toBe(first!.chain!.hash);
  });

  it('goes by the streams that decide what is released', async () => {
    const refused = { kind: 'refused', refusal: { code: 'nothing_released' } };
    expect(await contest('score')).toMatchObject(refused);
    await generate();
    expect(await contest('score')).toMatchObject(refused);
    await append('application', application.applicationId, outcome);
    expect(await contest('score')).toMatchObject({ kind: 'done' });
    const events = await streams.events(evaluationDecider, EVALUATION);
    expect(events.at(-1)).toMatchObject({ data: { kind: 'score', released: 'result' } });
  });
});
