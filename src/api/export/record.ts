import { Figures, Instant, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { OutcomeRecord, OwnApplicationRecord, TrialRecord } from '../applications/record.js';
import { Explanation } from '../evaluations/explanation.js';
import { EvaluationRecord } from '../evaluations/record.js';

/** The part of the evaluation's schema below these members, however deep. */
const partOf = <T>(...members: readonly string[]) =>
  Type.Unsafe<T>({ $ref: ['#/components/schemas/Evaluation', ...members].join('/properties/') });

type Kept = Exclude<keyof EvaluationRecord, 'evidence'>;

const kept = Object.fromEntries(
  Object.keys(EvaluationRecord.properties)
    .filter((name) => name !== 'evidence')
    .map((name) => [name, partOf(name)]),
) as { readonly [Name in Kept]: ReturnType<typeof partOf<EvaluationRecord[Name]>> };

/** What a model answered when it was asked to score a dimension, as it came. */
const ModelAnswer = Type.Object({
  dimensionId: Uuid,
  attempt: Type.Integer(),
  model: Type.String(),
  promptVersion: Type.Integer(),
  parameters: Figures,
  answer: Nullable(Type.String()),
  answeredAt: Instant,
});

/** One generation of an evaluation as it is exported: the evidence is beside the evaluations, once for all. */
export type ExportedEvaluation = Static<typeof ExportedEvaluation>;
const ExportedEvaluation = Type.Object({
  ...kept,
  head: partOf<EvaluationRecord['evidence']['head']>('evidence', 'head'),
  /** With every term and quote; `null` without a result. */
  explanation: Nullable(Explanation),
  detections: Type.Array(
    Type.Object({
      eventId: Uuid,
      detector: Type.String(),
      version: Type.Integer(),
      likelihood: Type.Number(),
    }),
  ),
  modelAnswers: Type.Array(ModelAnswer),
});

const { humanRound, disposition, reason, recordedAt } = OutcomeRecord.properties;

/** An outcome as its candidate reads it: not who recorded it. */
export type ExportedOutcome = Static<typeof ExportedOutcome>;
const ExportedOutcome = Type.Object({ humanRound, disposition, reason, recordedAt, recordedBy: Type.Null() });

/** An outcome that was recorded once; all three are `null` if it was retracted. */
export type FormerOutcome = Static<typeof FormerOutcome>;
const FormerOutcome = Type.Object({ at: Instant, humanRound, disposition, reason });

export const ExportRecord = Type.Object(
  {
    exportedAt: Instant,
    organisations: Type.Array(
      Type.Object({
        organisationName: Type.String(),
        applications: Type.Array(
          Type.Object({
            subject: Nullable(Type.String()),
            application: Type.Intersect([
              OwnApplicationRecord,
              Type.Object({ trialSessions: Type.Array(TrialRecord), outcome: Nullable(ExportedOutcome) }),
            ]),
            trialSessions: Type.Array(TrialRecord),
            evidence: partOf<EvaluationRecord['evidence']>('evidence'),
            evaluations: Type.Array(ExportedEvaluation),
            outcome: Nullable(ExportedOutcome),
            outcomeHistory: Type.Array(FormerOutcome),
            recordings: Type.Array(
              Type.Object({
                turn: Type.Integer(),
                contentType: Type.Enum(['audio/wav']),
                content: Type.String({ contentEncoding: 'base64', contentMediaType: 'audio/wav' }),
              }),
            ),
          }),
        ),
      }),
    ),
  },
  { $id: 'Export' },
);
