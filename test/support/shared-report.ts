import {
  CreateShareLink,
  CreateShareLinkHandler,
} from '../../src/application/share-links/create-share-link.js';
import { ShareTokens } from '../../src/application/share-links/tokens.js';
import { CommandContexts } from '../../src/core/command-context.js';
import { evaluationDecider } from '../../src/domain/evaluation/decider.js';
import { readConfiguration } from '../../src/process/config.js';
import { openWriteSide, type WriteSide } from '../../src/process/stores.js';
import { eventually } from './eventually.js';
import { work } from './organisation.js';
import type { Candidate, Stage } from './stage.js';

/** A share link, as the answer to its creation has it. */
export interface NewLink {
  readonly id: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly views: number;
  readonly token: string;
  readonly url: string;
}

/** A candidate whose evaluation is ready. */
export interface Evaluated extends Candidate {
  readonly evaluationId: string;
  /** The evaluation's path for staff. */
  readonly evaluation: string;
}

/**
 * Plays the session of a new candidate, and waits until the evaluation is ready.
 * @param more further work of the candidate before the completion
 */
export const evaluated = async (
  stage: Stage,
  roleId: string,
  more?: (candidate: Candidate) => Promise<unknown>,
): Promise<Evaluated> => {
  const { owner } = stage;
  const candidate = await stage.started(roleId);
  await candidate.person.post(`${candidate.session}/activity`, work());
  await more?.(candidate);
  await candidate.person.post(`${candidate.session}/complete`);
  owner.follow(candidate.person);
  const { body } = await owner.get<{ trialSessions: { evaluationId: string }[] }>(candidate.application);
  const { evaluationId } = body.trialSessions[0]!;
  const evaluation = stage.at(`/evaluations/${evaluationId}`);
  await eventually(async () => (await owner.get<{ status: string }>(evaluation)).body.status === 'ready');
  return { ...candidate, evaluationId, evaluation };
};

/**
 * Makes a link that expired a day ago: it is dated two days back, and was valid for one day. The service may run.
 * @returns its token
 */
export const expiredLink = async (
  { service, org }: Stage,
  { evaluationId }: Pick<Evaluated, 'evaluationId'>,
): Promise<string> => {
  const write = await openWriteSide(readConfiguration({ DATA_DIR: service.dataDir }));
  try {
    const { streams, hasher, vault } = write;
    const tokens = new ShareTokens(vault);
    const then = new Date(Date.now() - 2 * 86_400_000);
    const context = new CommandContexts(hasher, () => then).forSystem({ type: 'staff', id: 'olga' }, 'then');
    const completed = await sessionOf(write, evaluationId);
    const evaluation = { ...completed, organisationId: org, evaluationId };
    const command = new CreateShareLink(context, { evaluation, expiresInDays: 1, label: null });
    const handled = await new CreateShareLinkHandler(streams, tokens).execute(command);
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
    return await tokens.tokenOf(handled.state?.ids.linkId ?? '');
  } finally {
    await write.close();
  }
};

interface Ids {
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
}

const sessionOf = async ({ streams }: WriteSide, evaluationId: string): Promise<Ids> => {
  const [first] = await streams.events(evaluationDecider, evaluationId);
  const { candidateId, applicationId, trialSessionId, roleId } = first?.data as Ids;
  return { candidateId, applicationId, trialSessionId, roleId };
};
