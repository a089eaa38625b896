import { describe, expect, it } from '@jest/globals';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import type { CandidateApplications } from '../../application/applications/candidate-applications.js';
import type { Caller } from '../../application/caller.js';
import type { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import type { Reads } from '../../application/reads.js';
import type { CommandStreams } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import type { RequestMeta } from '../../http/meta.js';
import { CandidateExport, CandidateExportController } from './candidate-export.js';

const CALLER = { subject: 'ada' } as Caller;
const ADA = 'ada' as PersonId;

/** The export of a caller with one application, which a view still shows. */
const open = async () => {
  const vault = new MemoryVault();
  await vault.keys.create(ADA);
  const document = {
    organisationId: 'o',
    candidateId: ADA,
    trialSessionId: 't',
    trial: { evaluationId: 'e' },
  };
  const own = { all: async () => [{ application: { id: 'a', document }, candidate: { id: ADA } }] };
  const recorded: object[] = [];
  const recorder = { record: async (read: object) => void recorded.push(read) };
  const reads = { getMany: async () => new Map() };
  const exports = new CandidateExport(
    own as unknown as CandidateApplications,
    reads as unknown as Reads,
    {} as unknown as CommandStreams,
    vault,
    recorder as unknown as EvaluationReadRecorder,
  );
  const controller = new CandidateExportController(exports);
  const read = (method: string) => controller.read({ method } as RequestMeta, CALLER);
  return { vault, recorded, read };
};

describe('a candidate’s export', () => {
  it('has nothing of a candidate who was erased a moment ago, and records no read', async () => {
    const { vault, recorded, read } = await open();
    await vault.keys.erase(ADA);
    const { body } = await read('GET');
    expect(JSON.parse((body as Buffer).toString())).toEqual({
      exportedAt: expect.any(String),
      organisations: [],
    });
    expect(recorded).toEqual([]);
  });

  it('is not read by HEAD, which records nothing', async () => {
    const { recorded, read } = await open();
    const { options } = await read('HEAD');
    expect(options.headers).toMatchObject({ 'Content-Disposition': 'attachment; filename="export.json"' });
    expect(recorded).toEqual([]);
  });
});
