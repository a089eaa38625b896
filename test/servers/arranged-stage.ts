import { eventually } from '../support/eventually.js';
import { type Candidate, type Stage, stageOn } from '../support/stage.js';
import type { Arrangement } from './arrangement.js';

/** A stage on an arrangement, and a role of few dimensions, so that its interviews are short. */
export interface ArrangedStage {
  readonly stage: Stage;
  readonly role: string;
}

/** @param url the API process that candidates and staff use. End it by the arrangement's `remove` */
export const arrangedStage = async ({ direct, output }: Arrangement, url: string): Promise<ArrangedStage> => {
  const arranged = (): never => {
    throw new Error('The arrangement has the processes.');
  };
  const service = { url, port: Number(new URL(url).port), pid: 0, dataDir: '', output };
  const stage = await stageOn(
    { ...service, stop: arranged, kill: arranged, ended: arranged },
    { where: direct, issuer: direct.OIDC_ISSUER!.replace(/\/issuer$/, '') },
  );
  const dimensions = ['Correct', 'Clear'].map((name) => ({ name, weight: 50, category: 'correctness' }));
  const definition = { name: 'Interviewed', overallThreshold: 50, dimensions };
  const { body } = await stage.owner.post<{ id: string }>(stage.at('/roles'), definition);
  return { stage, role: body.id };
};

/** The parts of an evaluation that contain the candidate's words. */
export interface InterviewEvidence {
  readonly status: string;
  readonly evidence: {
    readonly questions: readonly { readonly text: string; readonly answer: string | null }[];
    readonly events: readonly {
      readonly eventType: string;
      readonly payload: Readonly<Record<string, unknown>>;
    }[];
  };
}

/** Waits for the evaluation of a session that has just ended. */
export const readyEvaluation = (stage: Stage, { sessionId }: Candidate): Promise<InterviewEvidence> =>
  eventually(async () => {
    const { owner } = stage;
    const list = await owner.get<{ items: { id: string; trialSessionId: string }[] }>(
      stage.at('/evaluations?limit=200'),
    );
    const found = list.body.items.find(({ trialSessionId }) => trialSessionId === sessionId);
    if (!found) return null;
    const { body } = await owner.get<InterviewEvidence>(stage.at(`/evaluations/${found.id}`));
    return body.status === 'ready' && body;
  });
