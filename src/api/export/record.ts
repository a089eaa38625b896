import {
  fieldsWithout,
  Figures,
  Instant,
  Named,
  Nullable,
  Ordinal,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import {
  AccommodationRequestRecord,
  AccommodationsRecord,
  MailProblemRecord,
  OutcomeRecord,
  OwnApplicationRecord,
  TrialRecord,
} from '../applications/record.js';
import { OwnContestRecord } from '../evaluations/contests.js';
import { Explanation } from '../evaluations/explanation.js';
import { EvaluationRecord, EvidenceWithHead, HeadRecord } from '../evaluations/record.js';
import { HandInRecord } from '../hand-ins/candidate-hand-ins.js';
import { FeedbackRecord } from '../sessions/feedback.js';

/** What a model was shown of a hand-in. */
const ShownWork = Named('ShownWork', {
  handInId: Uuid,
  lines: Type.Array(Type.String(), {
    description:
      'How it differs from what the ticket began with: `path:line+ text` for a line of the hand-in, `path:line- text` for one that it has no more.',
  }),
  notes: Type.Array(Type.String(), { description: 'What is not shown by its lines, and what was cut.' }),
});

/** A model's answer to the request to score a dimension, unchanged. */
const ModelAnswer = Named('ModelAnswer', {
  dimensionId: Uuid,
  attempt: Ordinal,
  model: Type.String(),
  promptVersion: Ordinal,
  parameters: Figures,
  answer: Nullable(Type.String()),
  work: Type.Array(ShownWork, {
    description: 'What the model was shown of hand-ins, with the first answer of a generation alone.',
  }),
  answeredAt: Instant,
});

const Detection = Named('Detection', {
  eventId: Uuid,
  detector: Type.String(),
  version: Ordinal,
  likelihood: Type.Number({ minimum: 0, maximum: 1 }),
});

/** One generation of an evaluation as it is exported: the evidence is beside the evaluations, once for all. */
export type ExportedEvaluation = Static<typeof ExportedEvaluation>;
const ExportedEvaluation = Named(
  'ExportedEvaluation',
  {
    ...fieldsWithout(EvaluationRecord, 'evidence'),
    head: Nullable(HeadRecord),
    explanation: Nullable(Explanation),
    detections: Type.Array(Detection),
    modelAnswers: Type.Array(ModelAnswer),
  },
  { description: 'One generation. `explanation`, with every term and quote, is `null` without a result.' },
);

const { humanRound, disposition, reason, recordedAt } = OutcomeRecord.properties;

/** An outcome as its candidate reads it: not who recorded it. */
export type ExportedOutcome = Static<typeof ExportedOutcome>;
const ExportedOutcome = Named('ExportedOutcome', {
  humanRound,
  disposition,
  reason,
  recordedAt,
  recordedBy: Type.Null(),
});

/** One entry of an outcome’s history. */
export type FormerOutcome = Static<typeof FormerOutcome>;
const FormerOutcome = Named(
  'FormerOutcome',
  { at: Instant, humanRound, disposition, reason },
  { description: 'What was recorded at a time; all three are `null` if it was a retraction.' },
);

const ExportedApplication = Named('ExportedApplication', {
  ...OwnApplicationRecord.properties,
  externalId: Nullable(Type.String()),
  retakeOf: Nullable(Uuid),
  accommodations: AccommodationsRecord,
  accommodationRequest: Nullable(AccommodationRequestRecord),
  trialSessions: Type.Array(TrialRecord),
  outcome: Nullable(ExportedOutcome),
  mailProblem: Nullable(MailProblemRecord),
});

const ExportedRecording = Named('ExportedRecording', {
  turn: Ordinal,
  contentType: Type.Literal('audio/wav'),
  content: Type.String({ contentEncoding: 'base64', contentMediaType: 'audio/wav' }),
});

const ExportedHandIn = Named('ExportedHandIn', {
  ...HandInRecord.properties,
  content: Nullable(
    Type.String({
      contentEncoding: 'base64',
      contentMediaType: 'application/octet-stream',
      description: 'The file as it was sent, as far as it has arrived; `null` if nothing has.',
    }),
  ),
});

const ApplicationExport = Named('ApplicationExport', {
  subject: Nullable(Type.String()),
  application: ExportedApplication,
  trialSessions: Type.Array(TrialRecord),
  evidence: EvidenceWithHead,
  evaluations: Type.Array(ExportedEvaluation),
  contests: Type.Array(OwnContestRecord),
  feedback: Nullable(FeedbackRecord),
  outcome: Nullable(ExportedOutcome),
  outcomeHistory: Type.Array(FormerOutcome),
  recordings: Type.Array(ExportedRecording),
  handIns: Type.Array(ExportedHandIn),
});

/** All that the service has of a candidate, by organisation: the answer to their request for an export. */
export const ExportRecord = Named('Export', {
  exportedAt: Instant,
  organisations: Type.Array(
    Named('OrganisationExport', {
      organisationName: Type.String(),
      applications: Type.Array(ApplicationExport),
    }),
  ),
});
