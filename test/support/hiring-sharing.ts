import { tokenHash } from '../../src/application/share-links/tokens.js';
import type { Actor } from '../../src/core/event.js';
import type { EvaluationState } from '../../src/domain/evaluation/decider.js';
import { operator, recordAction } from '../../src/domain/operations/decider.js';
import {
  createShareLink,
  revokeShareLink,
  shareLink,
  viewSharedReport,
} from '../../src/domain/share-link/decider.js';
import type { ShareLinkEvent, ShareLinkIds } from '../../src/domain/share-link/events.js';
import type { World } from './world.js';

/** Shares an evaluation's report, or has one of its links viewed or taken back, as `value` says. */
export const sharingStep = (
  world: World,
  evaluation: Omit<ShareLinkIds, 'linkId'>,
  state: EvaluationState,
  value: number,
  staff: Actor,
): void => {
  const now = new Date(world.now);
  const links = linksOf(world, evaluation.evaluationId);
  const linkId = links[value % (links.length || 1)];
  if (linkId === undefined || value % 3 === 0) {
    const made = world.newId();
    world.submit(shareLink, made, staff, (link) =>
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
  } else if (value % 7 === 0) world.submit(shareLink, linkId, staff, revokeShareLink);
  else
    world.submit(shareLink, linkId, { type: 'share_link', id: linkId }, (link) =>
      viewSharedReport(link, { now }),
    );
};

/** An operator does something for an organisation or, now and then, for the whole service. */
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
