import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let api: Api;

beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: 'warn' } });
  api = new Api(service.url);
});
afterAll(() => service.stop());

describe('the candidate’s page', () => {
  it('is the same for every application, with a strict policy, and is not kept', async () => {
    const page = await api.send('GET', '/apply/0197f0a4-6c1e-7b55-9d3a-1f2e3d4c5b6a');
    const other = await api.send('GET', '/apply/anything');
    expect([page.status, other.status, other.text]).toEqual([200, 200, page.text]);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
      'permissions-policy': expect.stringContaining('microphone=(self)'),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(page.text).not.toMatch(/<style|<script(?! type="module" src=)|\sstyle=|\son\w+=/);
  });

  it.each(['/apply/x', '/console'])(
    'has a sentence in every language for a browser that cannot load, read or run its script: %s',
    async (path) => {
      const { text } = await api.send('GET', path);
      expect(text).toMatch(/<p class="unloaded" lang="en">This page did not load completely\..+<a href="">/);
      expect(text).toMatch(
        /<p class="unloaded" lang="de">Diese Seite wurde nicht vollständig geladen\..+<a href="">/,
      );
      expect(text).toMatch(/<noscript><p lang="en">This page needs JavaScript\..+<\/p><\/noscript>/);
      expect(text).toMatch(/<noscript><p lang="de">Diese Seite braucht JavaScript\..+<\/p><\/noscript>/);
    },
  );

  it('is told where to sign in', async () => {
    const { body, headers } = await api.send('GET', '/apply/config.json');
    expect(body).toEqual({
      issuer: `${service.url}/candidate`,
      clientId: 'assay-candidate',
      deviceClientId: 'assay-work',
      redirectUri: `${service.url}/apply/callback`,
      signIn: 'email',
      languages: ['en', 'de'],
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('may be framed by itself alone where a sign-in is renewed', async () => {
    const { headers } = await api.send('GET', '/apply/callback?code=c&state=s');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self';");
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  it('refers to files that never change, compressed for whoever takes that', async () => {
    const { text } = await api.send('GET', '/apply/x');
    const paths = [...text.matchAll(/="\.(\/assets\/[^"]+)"/g)].map(([, path]) => `/apply${path}`);
    expect(paths).toHaveLength(5);
    for (const path of paths) {
      const response = await fetch(service.url + path);
      expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip']);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      const plain = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip;q=0, br' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await plain.text()).toBe(await response.text());
    }
  });

  it('has no other files', async () => {
    for (const name of ['names.json', 'app-000000000000.js', '..%2fnames.json', '__proto__'])
      expect((await api.send('GET', `/apply/assets/${name}`)).status).toBe(404);
  });

  it('alone may use the microphone', async () => {
    for (const path of ['/docs', '/issuer', '/health/live'])
      expect((await api.send('GET', path)).headers.get('permissions-policy')).toBe('microphone=()');
  });
});

describe('the staff’s console', () => {
  it('is one page for every path below it, known or not, with a strict policy, and is not kept', async () => {
    const { text } = await api.send('GET', '/console/');
    for (const path of [
      '/console',
      '/console/o-1',
      '/console/o-1/roles/r-1/edit',
      '/console/%00/..%2f',
      '/console/assets',
    ])
      expect(await api.send('GET', path)).toMatchObject({ status: 200, text });
    const { headers } = await api.send('GET', '/console/o-1/roles?after=x');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; media-src blob:; form-action 'none'; base-uri 'none'",
      'permissions-policy': 'microphone=()',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(text).not.toMatch(/<style|<script(?! type="module" src=)|\sstyle=|\son\w+=/);
  });

  it('refers to files that never change, and has no others', async () => {
    const { text } = await api.send('GET', '/console/o-1/roles');
    const paths = [...text.matchAll(/="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths) {
      const response = await fetch(service.url + path);
      expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip']);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect((await api.send('GET', '/console/assets/staff-000000000000.js')).status).toBe(404);
  });

  it('is told where staff sign in', async () => {
    expect((await api.send('GET', '/console/config.json')).body).toEqual({
      issuer: `${service.url}/issuer`,
      clientId: 'assay',
      redirectUri: `${service.url}/console/callback`,
      development: true,
      people: [],
      outbox: `${service.url}/outbox`,
    });
  });

  it('may be framed by itself alone where a sign-in is renewed', async () => {
    const { headers } = await api.send('GET', '/console/callback?code=c&state=s');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self';");
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  it('takes no commands', async () => {
    const { status, headers } = await api.send('POST', '/console/o-1/roles');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
