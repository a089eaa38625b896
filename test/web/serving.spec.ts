import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { type Service, startService } from '../support/service.js';

describe('the candidate’s page', () => {
  let service: Service;
  let api: Api;

  beforeAll(async () => {
    service = await startService({ env: { LOG_LEVEL: 'warn' } });
    api = new Api(service.url);
  });
  afterAll(() => service.stop());

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

  it('has a sentence in every language for a browser that cannot load or read its script', async () => {
    const { text } = await api.send('GET', '/apply/x');
    expect(text).toMatch(/<p class="unloaded" lang="en">This page did not load completely\..+<a href="">/);
    expect(text).toMatch(
      /<p class="unloaded" lang="de">Diese Seite wurde nicht vollständig geladen\..+<a href="">/,
    );
  });

  it('is told where to sign in', async () => {
    const { body, headers } = await api.send('GET', '/apply/config.json');
    expect(body).toEqual({
      issuer: `${service.url}/candidate`,
      clientId: 'assay-candidate',
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
    expect(paths).toHaveLength(4);
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
