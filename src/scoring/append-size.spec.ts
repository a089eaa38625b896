import { describe, expect, it } from '@jest/globals';
import { testId } from '../../test/support/evidence-builder.js';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { createCodec } from '../core/codec.js';
import { MAX_APPEND_BYTES, appendBytes } from '../core/event-store.js';
import { Sealer } from '../core/sealing.js';
import { evidenceKeys } from '../core/signing.js';
import type { PersonId } from '../core/vault/port.js';
import type { EvaluationEvent } from '../domain/evaluation/events.js';
import { eventRegistry } from '../domain/event-registry.js';
import { fitOneAppend } from './generate.js';
import { MAX_ANSWER_BYTES } from './model/answer.js';
import { MAX_DIMENSIONS } from './model/scorer.js';
import { SHOWN_WORK_CHARACTERS } from './model/shown-work.js';

const person = testId(9, 1) as PersonId;
const ids = {
  organisationId: testId(2, 1),
  candidateId: person,
  applicationId: testId(4, 1),
  trialSessionId: testId(5, 1),
  roleId: testId(3, 1),
  evaluationId: testId(8, 1),
  generation: 1_000_000,
};
const answered = (bytes: number): EvaluationEvent => ({
  type: 'evaluation.model_answered',
  data: {
    ...ids,
    dimensionId: testId(1, 1),
    attempt: 2,
    model: 'm'.repeat(200),
    promptVersion: 1,
    parameters: { temperature: 0 },
  },
  person,
  personal: { answer: 'x'.repeat(bytes) },
});
const failed: EvaluationEvent = {
  type: 'evaluation.failed',
  data: { ...ids, head: { sequenceNumber: 1_000_000, hash: 'a'.repeat(64) } },
  person,
  personal: { failure: 'No. '.repeat(200) },
};

const stored = async (events: readonly EvaluationEvent[]): Promise<number> => {
  const vault = new MemoryVault();
  await vault.keys.create(person);
  const { signer } = evidenceKeys(Buffer.alloc(32, 1));
  const metadata = {
    recordedAt: new Date(0).toISOString(),
    actor: { type: 'system', id: 'generate-evaluation' },
    commandId: testId(12, 1),
    requestHash: 'generate-evaluation',
    correlationId: 'r'.repeat(64),
    causationId: testId(7, 1),
  } as const;
  const codec = createCodec(eventRegistry, new Sealer(vault), signer);
  const { encoded } = await codec.encode(events, metadata, { previousHash: null });
  return appendBytes(encoded);
};

describe('the size of an append', () => {
  it('is never more than was reckoned, and not much less', async () => {
    for (const count of [1, 10, 64]) {
      let bytes = Math.floor(MAX_APPEND_BYTES / count);
      const events = () => [...Array.from({ length: count }, () => answered(bytes)), failed];
      while (!fitOneAppend(events())) bytes = Math.floor(bytes * 0.99);
      const size = await stored(events());
      expect(size).toBeLessThanOrEqual(MAX_APPEND_BYTES);
      expect(size).toBeGreaterThan(MAX_APPEND_BYTES * 0.8);
    }
  });

  it('has room for all that a model may say of a role, and a failure', () => {
    const answers = Array.from({ length: 2 * MAX_DIMENSIONS }, () => answered(MAX_ANSWER_BYTES + 12));
    // Of these characters each is three bytes.
    const work = [{ handInId: testId(12, 1), lines: ['\u5b57'.repeat(SHOWN_WORK_CHARACTERS)], notes: [] }];
    const [first, ...others] = answers;
    const shown = { ...first, personal: { ...first!.personal, work } } as EvaluationEvent;
    expect(fitOneAppend([shown, ...others, failed])).toBe(true);
  });
});
