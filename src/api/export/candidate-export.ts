import { Controller, Get, Inject, Injectable, Module } from '@nestjs/common';
import { Readable } from 'node:stream';
import { organisations } from '../../../projections/organisations.js';
import {
  type CandidateApplication,
  CandidateApplications,
} from '../../application/applications/candidate-applications.js';
import { isErased } from '../../application/applications/erased.js';
import type { Caller } from '../../application/caller.js';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { VAULT } from '../../application/tokens.js';
import { CommandStreams } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { bufferOrStream } from '../../http/buffer-or-stream.js';
import { longAnswers } from '../../http/fair-turns.js';
import { array, gathered, later, object, type Pieces, value } from '../../http/json-pieces.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import type { Vault } from '../../vault/port.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ownApplicationRecord, partsOf, readable, shownProblem } from '../applications/record.js';
import { EvaluationsModule } from '../evaluations/evaluations.module.js';
import {
  contestsIn,
  evaluationOf,
  ExportedEvidence,
  feedbackOn,
  exportedOutcome,
  Exporting,
  generationsOf,
  handInPieces,
  handInsOf,
  outcomeHistory,
  recordingPieces,
} from './parts.js';
import { ExportRecord } from './record.js';

/** Everything that any organisation holds about the caller as a candidate. */
@Injectable()
export class CandidateExport {
  constructor(
    private readonly own: CandidateApplications,
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'audio' | 'files' | 'keys'>,
    private readonly readRecorder: EvaluationReadRecorder,
  ) {}

  /**
   * Finds the caller's applications and records that their evaluations are read. The document then comes piece by piece,
   * as it is asked for; a fault half way ends it by an exception, never as a shorter document.
   * @throws {VaultUnavailable | StoreUnavailable} before there is anything to send
   */
  async begin(caller: Caller, freshness: Freshness): Promise<AsyncGenerator<Buffer, void, undefined>> {
    const own = await this.living(await this.own.all(caller, freshness));
    const byOrganisation = new Map<string, CandidateApplication[]>();
    for (const one of own) {
      const { organisationId } = one.application.document;
      byOrganisation.set(organisationId, [...(byOrganisation.get(organisationId) ?? []), one]);
    }
    const named = await this.reads.getMany(organisations, [...byOrganisation.keys()], freshness);
    await Promise.all(own.map((one) => this.recordRead(one)));
    const exporting = new Exporting(this.reads, this.streams, this.vault, freshness);
    return gathered(
      object({
        exportedAt: value(new Date().toISOString()),
        organisations: array(byOrganisation, ([id, applications]) =>
          object({
            organisationName: value(named.get(id)?.document.name ?? ''),
            applications: array(applications, (one) => applicationPieces(exporting, one)),
          }),
        ),
      }),
    );
  }

  /** Those whose candidate is not erased: views may still show one who was erased a moment ago. */
  private async living(own: readonly CandidateApplication[]): Promise<readonly CandidateApplication[]> {
    const persons = [...new Set(own.map(({ candidate }) => candidate.id))];
    const erased = await Promise.all(persons.map((person) => isErased(this.vault, person)));
    return own.filter(({ candidate }) => !erased[persons.indexOf(candidate.id)]);
  }

  /** Records that the candidate reads the evaluation, if there is one. */
  private async recordRead({ application: { document } }: CandidateApplication): Promise<void> {
    const { organisationId, candidateId, trial } = document;
    if (trial.evaluationId === null) return;
    const actor = { type: 'candidate', id: candidateId } as const;
    await this.readRecorder.record({ organisationId, evaluationId: trial.evaluationId }, actor);
  }
}

async function* applicationPieces(
  exporting: Exporting,
  { application, candidate }: CandidateApplication,
): AsyncGenerator<string, void, undefined> {
  const { candidateId, trialSessionId, trial } = application.document;
  const email = candidate.document.personal?.email ?? null;
  const parts = partsOf(application, email);
  const outcome = exportedOutcome(parts.outcome);
  const evaluation = await evaluationOf(exporting, application);
  const contested = evaluation ? await contestsIn(exporting, evaluation) : [];
  const feedback = await feedbackOn(exporting, trialSessionId);
  const history = await outcomeHistory(exporting, application.id);
  await exporting.assertNotErased(candidateId);
  const evidence = new ExportedEvidence(exporting, application);
  const of = { person: candidateId as PersonId, trialSessionId };
  yield* object({
    subject: value(candidate.document.personal?.subject ?? null),
    application: value({
      ...ownApplicationRecord(parts),
      externalId: parts.externalId,
      retakeOf: parts.retakeOf,
      accommodations: parts.accommodations,
      accommodationRequest: readable(parts.accommodationRequest),
      trialSessions: [trial],
      outcome,
      mailProblem: shownProblem(parts),
    }),
    trialSessions: value([trial]),
    evidence: evidence.pieces(evaluation?.document.head ?? null),
    evaluations: array(evaluation ? generationsOf(exporting, evaluation, email) : [], value),
    contests: value(contested),
    feedback: value(feedback),
    outcome: value(outcome),
    outcomeHistory: value(history),
    recordings: later((): Pieces => recordingPieces(exporting, of, evidence.recordedTurns())),
    handIns: array(handInsOf(exporting, trialSessionId), (one) => handInPieces(exporting, one)),
  });
  // If the candidate is erased while the export is sent, it must not look complete.
  await exporting.assertNotErased(candidateId);
}

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Disposition': 'attachment; filename="export.json"',
};

const operations = {
  read: {
    id: 'me.export',
    tag: 'Candidates',
    summary: 'Export my data',
    description:
      'Everything that any organisation holds about the caller as a candidate: applications, sessions, every event of the evidence, all generations of the evaluations with how each figure came about, outcomes with their reasons, and, in base64, recorded speech as WAV files and hand-ins as they were sent. It has no data of other persons and does not name staff. It may be long and is sent as it is read: a response that breaks off is not a complete export.',
    success: { status: 200, description: 'The export, as a file.', schema: ExportRecord },
  },
} satisfies Operations;

@Controller('me/export')
export class CandidateExportController {
  constructor(private readonly exports: CandidateExport) {}

  @Get()
  @SignedIn()
  @Operation(operations.read)
  async read(@Meta() meta: RequestMeta, @CurrentCaller() caller: Caller): Promise<Answer<Buffer | Readable>> {
    if (meta.method === 'HEAD') return ok(Readable.from([]), { headers: HEADERS });
    const pieces = longAnswers.pieces(caller.subject, await this.exports.begin(caller, meta));
    return ok(await bufferOrStream(pieces), { headers: HEADERS });
  }
}

@Module({
  imports: [ApplicationsModule, EvaluationsModule],
  controllers: [CandidateExportController],
  providers: [CandidateExport],
})
export class ExportModule {}
