import { describe, expect, it } from '@jest/globals';
import { askedAs, isNarrowed, placeOf, queryWith, returnAddress, samePageOf } from './addresses.js';

const BASE = '/hiring/console/';

describe('the addresses of the console', () => {
  it.each([
    ['/hiring/console/', '', ''],
    ['/hiring/console/o-1', 'o-1', ''],
    ['/hiring/console/o-1/roles/', 'o-1', 'roles'],
    ['/hiring/console/o-1/roles/r-1/edit', 'o-1', 'roles/r-1/edit'],
    ['/elsewhere/o-1', '', ''],
  ])('name the organisation and the page: %s', (path, orgId, page) => {
    expect(placeOf(BASE, path)).toEqual({ orgId, page });
  });

  it('lead to the list of the other organisation, not to a record that it does not have', () => {
    expect([samePageOf('roles/r-1/edit'), samePageOf('')]).toEqual(['roles', '']);
  });

  it('keep the filters that are not changed, and drop empty ones', () => {
    expect(queryWith({ status: 'completed', after: 'c' }, { after: null, sort: '-invitedAt' })).toBe(
      '?status=completed&sort=-invitedAt',
    );
    expect(queryWith({ status: 'x' }, { status: '' })).toBe('');
    expect(queryWith({}, { q: 'a & b' })).toBe('?q=a+%26+b');
  });

  it('never lead a sign-in out of the console, nor back into itself', () => {
    expect(returnAddress(BASE, '/hiring/console/o-1/roles?status=draft')).toBe(
      '/hiring/console/o-1/roles?status=draft',
    );
    for (const asked of [
      '',
      'https://evil.example/',
      '//evil.example',
      '/apply/1',
      '/hiring/console/callback?code=1',
      '/hiring/console/\\evil',
    ])
      expect(returnAddress(BASE, asked)).toBe(BASE);
  });

  it('narrow a list unless they order it alone', () => {
    expect([isNarrowed({ sort: '-invitedAt', text: undefined }), isNarrowed({ passed: false })]).toEqual([
      ...[false, true],
    ]);
  });

  it('may ask whom to sign in as, in a fragment alone', () => {
    const address = '/console/o/candidates?status=invited';
    expect(askedAs(`${address}#as=ben%40example.org`)).toEqual({ email: 'ben@example.org', address });
    for (const other of [
      address,
      `${address}#`,
      `${address}#as=`,
      `${address}#text=as`,
      `${address}?as=a@b.c`,
    ])
      expect(askedAs(other)).toBeNull();
  });
});
