import { tokenHash } from '../../../src/application/share-links/tokens.js';
import { answerContest, contestEvaluation } from '../../../src/domain/evaluation/contest-decider.js';
import { evaluationDecider, type EvaluationState } from '../../../src/domain/evaluation/decider.js';
import { CONTESTED, type EvaluationIds } from '../../../src/domain/evaluation/events.js';
import { operator, recordAction } from '../../../src/domain/operations/decider.js';
import {
  createShareLink,
  revokeShareLink,
  shareLink,
  viewSharedReport,
} from '../../../src/domain/share-link/decider.js';
import type { ShareLinkEvent, ShareLinkIds } from '../../../src/domain/share-link/events.js';
import { SECRET, STAFF, type World } from './world.js';

/** The candidate contests a part of the evaluation; at every third value, staff answer a contest. */
export const contestStep = (world: World, ids: Omit<EvaluationIds, 'generation'>, value: number): void => {
  const { evaluationId, candidateId } = ids;
  if (value % 3 === 0) {
    world.submit(evaluationDecider, evaluationId, STAFF, (state) => {
      const contestId = state.contests[value % (state.contests.length || 1)]?.contestId ?? '';
      const text = `${SECRET}answer ${value}`;
      return answerContest(state, { ids: { ...ids, contestId }, text, actor: STAFF.id });
    });
    return;
  }
  world.submit(evaluationDecider, evaluationId, { type: 'candidate', id: candidateId }, (state) =>
    contestEvaluation(state, {
      ids: { ...ids, contestId: world.newId() },
      kind: CONTESTED[value % CONTESTED.length] ?? 'transcript',
      reference: value % 2 === 0 ? null : `${SECRET}reference`,
      text: `${SECRET}contest ${value}`,
      released: value % 5 === 0 ? 'nothing' : 'result',
    }),
  );
};

/** `value` chooses: an evaluation's report is shared, or one of its links is viewed or revoked. */
export const sharingStep = (
  world: World,
  evaluation: Omit<ShareLinkIds, 'linkId'>,
  state: EvaluationState,
  value: number,
): void => {
  const now = new Date(world.now);
  const links = linksOf(world, evaluation.evaluationId);
  const linkId = links[value % (links.length || 1)];
  if (linkId === undefined || value % 3 === 0) {
    const made = world.newId();
    world.submit(shareLink, made, STAFF, (link) =>
      createShareLink(link, {
        ids: { ...evaluation, linkId: made },
        tokenHash: tokenHash(made),
        label: value % 2 === 0 ? `Link ${value}` : null,
        expiresInDays: 1 + value,
        now,
        erased: state.status === 'erased',
        ready: state.status !== 'none' && state.readyGeneration !== null,
      }),
    );
  } else if (value % 7 === 0) world.submit(shareLink, linkId, STAFF, revokeShareLink);
  else
    world.submit(shareLink, linkId, { type: 'share_link', id: linkId }, (link) =>
      viewSharedReport(link, { now }),
    );
};

/** An operator acts on an organisation or, sometimes, on the whole service. */
export const operatorStep = (world: World, organisationId: string, value: number): void => {
  const details = value % 3 === 0 ? { events: value } : { organisationId };
  world.submit(operator, 'log', { type: 'operator', id: 'assay' }, () =>
    recordAction(value % 3 === 0 ? 'backup' : 'evidence export', details),
  );
};

const linksOf = (world: World, evaluationId: string): readonly string[] =>
  world.log.flatMap((event) => {
    const { type, data } = event as unknown as ShareLinkEvent;
    return type === 'share_link.created' && data.evaluationId === evaluationId ? [data.linkId] : [];
  });
