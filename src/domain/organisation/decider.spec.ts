import { describe, expect, it } from '@jest/globals';
import { specification } from '../../../test/support/given-when-then.js';
import type { PersonId } from '../../core/vault/port.js';
import { createOrganisation, organisation, updateSettings } from './decider.js';
import { INITIAL_SETTINGS, type OrganisationEvent } from './events.js';
import { changeLogo } from './logo.js';

const spec = specification(organisation);
const owner = 'person-1' as PersonId;
const settings = {
  name: 'Acme',
  ...INITIAL_SETTINGS,
} as const;
const created: OrganisationEvent = {
  type: 'organisation.created',
  data: { organisationId: 'o', ...settings },
  person: null,
  personal: null,
};
const ownerAdded: OrganisationEvent = {
  type: 'member.added',
  data: { organisationId: 'o', memberId: owner, role: 'owner', subject: null },
  person: owner,
  personal: { email: 'Ann@Example.org' },
};
const creation = { organisationId: 'o', name: 'Acme', owner: { memberId: owner, email: 'Ann@Example.org' } };

const logo = { id: 'l-1', type: 'image/png', width: 320, height: 96, sha256: 'a1' } as const;
const logoGiven: OrganisationEvent = {
  type: 'organisation.logo_changed',
  data: { organisationId: 'o', logo },
  person: null,
  personal: null,
};

describe('the logo', () => {
  it('is given, kept when the settings change, and taken away, each as a version', () => {
    const given = spec.given(created).when((state) => changeLogo(state, { logo, expectedVersion: 1 }));
    given.then(logoGiven);
    expect(given.state()).toMatchObject({ logo, version: 2 });
    const renamed = spec
      .given(created, logoGiven)
      .when((state) => updateSettings(state, { settings: { name: 'B' }, expectedVersion: null }));
    expect(renamed.state()).toMatchObject({ logo, name: 'B', version: 3 });
    const removed = spec
      .given(created, logoGiven)
      .when((state) => changeLogo(state, { logo: null, expectedVersion: 2 }));
    removed.then({ ...logoGiven, data: { organisationId: 'o', logo: null } });
    expect(removed.state()).toMatchObject({ logo: null, version: 3 });
  });

  it('of the same picture keeps its id, and to take away none does nothing', () => {
    spec
      .given(created, logoGiven)
      .when((state) => changeLogo(state, { logo: { ...logo, id: 'l-2' }, expectedVersion: null }))
      .thenNothing();
    spec
      .given(created)
      .when((state) => changeLogo(state, { logo: null, expectedVersion: null }))
      .thenNothing();
  });

  it('is of an organisation that exists, at the version that the caller has seen', () => {
    spec
      .given(created)
      .when((state) => changeLogo(state, { logo, expectedVersion: 2 }))
      .thenRefused('version_mismatch');
    spec
      .given()
      .when((state) => changeLogo(state, { logo, expectedVersion: null }))
      .thenRefused('not_found');
  });
});

describe('an organisation', () => {
  it('begins with its settings and its first owner', () => {
    const outcome = spec.given().when((state) => createOrganisation(state, creation));
    outcome.then(created, ownerAdded);
    expect(outcome.state()).toMatchObject({
      ...settings,
      version: 1,
      members: [{ signedIn: false, version: 1 }],
    });
  });

  it('begins once', () => {
    spec
      .given(created, ownerAdded)
      .when((state) => createOrganisation(state, creation))
      .thenRefused('conflict');
  });

  it('needs a name that can be seen', () => {
    spec
      .given()
      .when((state) => createOrganisation(state, { ...creation, name: ' \t' }))
      .thenRefused('validation_failed', 'name');
  });

  it('changes what is given and keeps the rest', () => {
    const first = spec
      .given(created, ownerAdded)
      .when((state) => updateSettings(state, { settings: { retentionDays: 30 }, expectedVersion: 1 }));
    first.then({
      ...created,
      type: 'organisation.updated',
      data: { ...created.data, retentionDays: 30 },
    } as never);
    expect(first.state()).toMatchObject({ name: 'Acme', retentionDays: 30, version: 2 });
  });

  it('lets retention be taken back by null, and only by null', () => {
    const kept = spec
      .given(created, {
        ...created,
        type: 'organisation.updated',
        data: { ...created.data, organisationId: 'o', ...settings, retentionDays: 30 },
      })
      .when((state) => updateSettings(state, { settings: { name: 'B' }, expectedVersion: null }));
    expect(kept.state()).toMatchObject({ name: 'B', retentionDays: 30 });
    const cleared = spec
      .given(...[created], ...kept.events())
      .when((state) => updateSettings(state, { settings: { retentionDays: null }, expectedVersion: null }));
    expect(cleared.state()).toMatchObject({ retentionDays: null });
  });

  it('keeps names and a time zone that were stored before they were checked, until they change', () => {
    const stored = { name: 'Two\nlines', senderName: 'Two\nlines', timeZone: 'Mars/Olympus' };
    const past = { ...created, data: { ...created.data, ...stored } } as OrganisationEvent;
    const update = (change: Parameters<typeof updateSettings>[1]['settings']) =>
      spec.given(past).when((state) => updateSettings(state, { settings: change, expectedVersion: null }));
    expect(update({ retentionDays: 30 }).state()).toMatchObject({ ...stored, retentionDays: 30 });
    update({ name: 'Three\nlines' }).thenRefused('validation_failed', 'name');
    update({ senderName: 'Three\nlines' }).thenRefused('validation_failed', 'senderName');
    update({ timeZone: 'Mars/Elysium' }).thenRefused('validation_failed', 'timeZone');
  });

  it('has nothing to do where nothing changes', () => {
    spec
      .given(created)
      .when((state) => updateSettings(state, { settings, expectedVersion: null }))
      .thenNothing();
  });

  it('is changed at the version that the caller has seen, memberships not counted', () => {
    spec
      .given(created, ownerAdded)
      .when((state) => updateSettings(state, { settings: { name: 'B' }, expectedVersion: 2 }))
      .thenRefused('version_mismatch');
  });

  it.each([0, -1, 1.5, 2 ** 53])('refuses to keep data for %p days', (retentionDays) => {
    spec
      .given(created)
      .when((state) => updateSettings(state, { settings: { retentionDays }, expectedVersion: null }))
      .thenRefused('validation_failed', 'retentionDays');
  });

  it.each(['Mars/Olympus', '+02:00', ''])('refuses the time zone %p', (timeZone) => {
    spec
      .given(created)
      .when((state) => updateSettings(state, { settings: { timeZone }, expectedVersion: null }))
      .thenRefused('validation_failed', 'timeZone');
  });

  it.each(['Two\nlines', 'Win at https://evil.example/x', 'Carol (carol@example.org)'])(
    'refuses %p as the sender of mails',
    (senderName) => {
      spec
        .given(created)
        .when((state) => updateSettings(state, { settings: { senderName }, expectedVersion: null }))
        .thenRefused('validation_failed', 'senderName');
    },
  );

  it('sends mails by its own name where the sender is blank', () => {
    const set = spec
      .given(created)
      .when((state) =>
        updateSettings(state, { settings: { senderName: ' Hiring ' }, expectedVersion: null }),
      );
    expect(set.state()).toMatchObject({ senderName: 'Hiring' });
    for (const senderName of [null, '', '  ']) {
      const blank = spec
        .given(...[created], ...set.events())
        .when((state) => updateSettings(state, { settings: { senderName }, expectedVersion: null }));
      expect(blank.state()).toMatchObject({ senderName: null });
    }
  });

  it('must exist', () => {
    spec
      .given()
      .when((state) => updateSettings(state, { settings: {}, expectedVersion: null }))
      .thenRefused('not_found');
  });
});
