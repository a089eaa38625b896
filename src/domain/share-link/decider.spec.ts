import { describe, expect, it } from '@jest/globals';
import { after, fold, NOW, specification, stored } from '../../../test/support/given-when-then.js';
import {
  createShareLink,
  type CreateShareLink,
  isOpen,
  revokeShareLink,
  shareLink,
  viewSharedReport,
} from './decider.js';
import type { ShareLinkEvent } from './events.js';

const DAY = 86_400_000;
const spec = specification(shareLink);
const ids = {
  organisationId: 'o',
  candidateId: 'c',
  applicationId: 'a',
  trialSessionId: 't',
  roleId: 'r',
  evaluationId: 'e',
  linkId: 'l',
};
const event = (type: 'share_link.revoked' | 'share_link.viewed'): ShareLinkEvent => ({
  type,
  data: ids,
  person: null,
  personal: null,
});
const revoked = event('share_link.revoked');
const viewed = event('share_link.viewed');
const created: ShareLinkEvent = {
  type: 'share_link.created',
  data: { ...ids, tokenHash: 'hash', expiresAt: after(30 * DAY) },
  person: null,
  personal: null,
};
const input: CreateShareLink = {
  ids,
  tokenHash: 'hash',
  label: null,
  expiresInDays: 30,
  now: new Date(NOW),
  erased: false,
  ready: true,
};
const at = (ms: number) => ({ now: new Date(after(ms)) });

describe('creating a share link', () => {
  const create = (over: Partial<CreateShareLink> = {}, ...past: ShareLinkEvent[]) =>
    spec.given(...past).when((state) => createShareLink(state, { ...input, ...over }));

  it('makes one that holds for as many days as are asked for', () => {
    create().then(created);
    create({ expiresInDays: 1 }).then({
      ...created,
      data: { ...ids, tokenHash: 'hash', expiresAt: after(DAY) },
    });
  });

  it('keeps what it is called under its candidate’s key', () => {
    const named = { ...created, person: 'c', personal: { label: 'For the panel' } } as ShareLinkEvent;
    create({ label: 'For the panel' }).then(named);
    expect(shareLink.evolve(null, stored(named))).toMatchObject({ label: 'For the panel' });
    expect(shareLink.evolve(null, stored({ ...named, personal: null }))).toMatchObject({ label: null });
  });

  it('is refused before the evaluation was ever ready', () => {
    create({ ready: false }).thenRefused('evaluation_not_ready');
  });

  it('is refused for an erased candidate, ready or not', () => {
    create({ erased: true }).thenRefused('erased');
    create({ erased: true, ready: false }).thenRefused('erased');
  });

  it('is refused under an id that is taken', () => create({}, created).thenRefused('conflict'));

  it('keeps who made it and when, and nothing of the token', () => {
    const by = { actor: { type: 'staff', id: 'olga' } } as const;
    const state = shareLink.evolve(null, stored(created, by));
    expect(state).toEqual({
      ids,
      createdAt: NOW,
      createdBy: 'olga',
      label: null,
      expiresAt: after(30 * DAY),
      revokedAt: null,
      views: 0,
    });
  });
});

describe('taking a share link back', () => {
  it('is for good', () => {
    const when = spec.given(created, viewed).when(revokeShareLink);
    when.then(revoked);
    expect(when.state()).toMatchObject({ revokedAt: NOW, views: 1 });
  });

  it('again changes nothing', () => spec.given(created, revoked).when(revokeShareLink).thenNothing());

  it('is refused for one that never was', () => spec.given().when(revokeShareLink).thenRefused('not_found'));
});

describe('viewing a shared report', () => {
  const view = (ms: number, ...past: ShareLinkEvent[]) =>
    spec.given(...past).when((state) => viewSharedReport(state, at(ms)));

  it('counts, also in the last millisecond', () => {
    const when = view(30 * DAY - 1, created, viewed);
    when.then(viewed);
    expect(when.state()).toMatchObject({ views: 2 });
  });

  it('is refused alike once it has expired, was taken back, or never was', () => {
    const refused = [view(30 * DAY, created), view(0, created, revoked), view(0)];
    for (const one of refused) one.thenRefused('not_found');
  });

  it('is possible exactly where the link is open', () => {
    for (const [past, ms, open] of [
      [[], 0, false],
      [[created], 0, true],
      [[created], 30 * DAY - 1, true],
      [[created], 30 * DAY, false],
      [[created, revoked], 0, false],
    ] as const)
      expect(isOpen(fold(shareLink, past), at(ms).now)).toBe(open);
  });
});
