import { describe, expect, it } from '@jest/globals';
import { unclearEmail } from '../../application/caller.js';
import { callerOf } from './claims.js';

const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1000;
const claims = {
  sub: 'ada',
  exp: SECONDS + 60,
  iat: SECONDS,
  email: 'Ada@example.com',
  email_verified: true,
};

const of = (payload: unknown) => callerOf(payload, 'ours', NOW);

describe('the caller of a payload', () => {
  it('is who the claims name', () => {
    expect(of(claims)).toEqual({
      subject: 'ada',
      email: 'Ada@example.com',
      emailVerified: true,
      expiresAt: NOW + 60_000,
    });
  });

  it.each([
    ['a missing subject', { sub: undefined }],
    ['a subject of no text', { sub: 7 }],
    ['an empty subject', { sub: '' }],
    ['a blank subject', { sub: '  ' }],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
    ['a control character in the subject', { sub: 'ada\n' }],
    ['half of a surrogate pair in the subject', { sub: 'ada\ud800' }],
    ['several audiences and no azp', { aud: ['ours', 'another'] }],
    ['several audiences and another’s azp', { aud: ['ours', 'another'], azp: 'another' }],
    ['several audiences and a list for azp', { aud: ['ours', 'another'], azp: ['ours'] }],
    ['a missing expiry', { exp: undefined }],
    ['an expiry as text', { exp: `${SECONDS + 60}` }],
    ['an expiry that never comes', { exp: Infinity }],
    ['an expiry beyond what a date can hold', { exp: 1e300 }],
    ['an expiry before the epoch', { exp: -1 }],
    ['an issue time of no number', { iat: 'today' }],
    ['an issue time more than a minute ahead', { iat: SECONDS + 61 }],
  ])('is nobody with %s', (_, change) => {
    expect(of({ ...claims, ...change })).toBeNull();
  });

  it.each([null, undefined, 'text', 7, []])('is nobody where the payload is %j', (payload) => {
    expect(of(payload)).toBeNull();
  });

  it('may have a subject of 255 characters, no issue time, or one a minute ahead', () => {
    expect(of({ ...claims, sub: 'x'.repeat(255) })).not.toBeNull();
    expect(of({ ...claims, iat: undefined })).not.toBeNull();
    expect(of({ ...claims, iat: SECONDS + 60 })).not.toBeNull();
  });

  it.each([
    [{ aud: ['another', 'ours'], azp: 'ours' }],
    [{ aud: ['ours'] }],
    [{ aud: 'ours', azp: 'another' }],
  ])('is who the claims name with %j', (change) => {
    expect(of({ ...claims, ...change })).not.toBeNull();
  });

  it.each([['true'], [undefined]])(
    'of a trusted issuer has a verified e-mail also where email_verified is %j, and is told of it elsewhere',
    (verified) => {
      const sent = { ...claims, email_verified: verified };
      expect(callerOf(sent, 'ours', NOW, true)).toMatchObject({ emailVerified: true });
      const elsewhere = callerOf(sent, 'ours', NOW);
      expect(elsewhere).toMatchObject({ emailVerified: false });
      expect(elsewhere && unclearEmail(elsewhere)).toMatch(
        /email_verified of your ID token is .*OIDC_TRUSTED_EMAIL_ISSUERS/,
      );
    },
  );

  it.each([[false], ['false'], ['TRUE'], [1], [null], ['']])(
    'of a trusted issuer has no verified e-mail where email_verified is %j',
    (verified) => {
      const caller = callerOf({ ...claims, email_verified: verified }, 'ours', NOW, true);
      expect(caller).toMatchObject({ emailVerified: false });
      expect(caller && unclearEmail(caller)).toBeNull();
    },
  );

  it.each([['true'], [1], [null], [undefined], [{}]])(
    'has no verified e-mail where email_verified is %j',
    (emailVerified) => {
      expect(of({ ...claims, email_verified: emailVerified })).toMatchObject({
        emailVerified: false,
      });
    },
  );

  it.each([
    [7],
    [['ada@example.com']],
    [''],
    ['ada'],
    [null],
    [undefined],
    ['x'.repeat(321)],
    ['a@b.c\u0000'],
    ['\u212Aelvin@example.com'],
    ['ada\u00A0@example.com'],
    ['ada@exam\u2028ple.com'],
    ['ada\ud800@example.com'],
  ])('has no e-mail at all, verified or not, where email is %j', (email) => {
    expect(of({ ...claims, email })).toMatchObject({ email: null, emailVerified: false });
  });

  it.each([
    '\u00A0ada@example.com',
    '\uFEFFada@example.com',
    'ada\u202E@example.com',
    'AD\u00C4@example.com',
    'ada\u0308@example.com',
    'ada@b\u00FCcher.example',
  ])('has an e-mail in any spelling that is compared as an address, such as %j', (email) => {
    expect(of({ ...claims, email })).toMatchObject({ email, emailVerified: true });
  });
});
