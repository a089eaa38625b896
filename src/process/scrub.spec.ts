import { describe, expect, it } from '@jest/globals';
import { messageOf } from '../core/errors.js';
import { readConfiguration } from './config.js';
import { createLogger } from './log.js';
import { scrub } from './log.js';
import type { Environment } from './variables.js';

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLWJ5dGVz';

const SHARE = '3q2-7wAAzT9vYk1m_4cQ8JfRrXhLbNdPsGtUeVwKiOo';

const MAIL_FROM = 'me@mail.example';

const problemWith = (environment: Environment): string => {
  try {
    readConfiguration(environment);
  } catch (error) {
    return messageOf(error);
  }
  throw new Error('It was accepted.');
};

describe('a scrubbed text', () => {
  it.each([
    [`Authorization: Bearer ${TOKEN}`, TOKEN],
    [`GET /interrogation/1/socket?token=${TOKEN}&x=1`, TOKEN],
    ['GET /x?a=1&token=opaque', 'opaque'],
    ['GET /shared/reports/q8Zt-secret?x=1', 'q8Zt-secret'],
    ['GET //shared//reports//q8Zt-secret/', 'q8Zt-secret'],
    ['GET /shared%2Freports%2fq8Zt-secret', 'q8Zt-secret'],
    ['GET /api%2Fshared%2Freports%2Fq8Zt-secret', 'q8Zt-secret'],
    ['GET https://assay.example.org/api/shared/reports/%71q8Zt-secret', 'q8Zt-secret'],
    [`GET /%73hared/reports/${SHARE}?x=1`, SHARE],
    [`no route for {"path":"${SHARE}"}`, SHARE],
    ['bearer abc', 'abc'],
    ['ada@example.org is no member', 'ada@example.org'],
    ['GET /members/ada%40example.org', 'ada%40example.org'],
    ['GET /organisations/1/members/ada%3Dlovelace%40example.org?x=1', 'lovelace'],
    ['GET /organisations/1/members/ada=lovelace@example.org', 'ada'],
    ['GET /organisations/1/members/%61da%2540example.org', 'example'],
    ['GET /organisations/1%2Fmembers%2Fauth0%7Cada', 'ada'],
    ['{"email":"Ada.L+x@Example.co.uk"}', 'Example.co.uk'],
    ['mongodb+srv://assay:p{q}@db.example.org/x is not valid', 'p{q}'],
    ["esdb://admin:it's,a=b;(c)@db.example.org:2113 is not valid", 'it'],
    [`smtps://assay:first${'x'.repeat(70)}@mail.example.org is not valid`, 'first'],
    ['https://assay:a@b@proxy.example.org:8080/x', 'a@b'],
  ])('%j holds no %j', (text, secret) => {
    expect(scrub(text)).not.toContain(secret);
    expect(scrub(text)).toContain('[redacted]');
  });

  it('leaves ordinary text alone', () => {
    const text =
      'Error: at file:///app/dist/src/app/log.js:12:3 GET /organisations/0190b6a0-0000-7000-8000-000000000000' +
      '/members/0190b6a0-0000-7000-8000-000000000001 /organisations/:orgId/members/:memberId';
    expect(scrub(text)).toBe(text);
  });

  it('still shows the examples in messages about settings', () => {
    for (const environment of [
      { MAIL_FROM: 'me', SMTP_URL: 'smtp://h' },
      { MAIL_FROM, SMTP_URL: 'h' },
      { EVENTSTORE_URL: 'h', MONGODB_URL: 'h' },
    ]) {
      const sentence = problemWith(environment);
      expect(sentence).toContain('@');
      expect(scrub(sentence)).toBe(sentence);
    }
    expect(scrub('jobs@example.org.uk')).not.toContain('jobs');
  });

  it('still shows how the address of a server is written', () => {
    const text = 'must be an address such as esdb://user:password@host:2113?tls=true.';
    expect(scrub(text)).toBe(text);
    expect(scrub('esdb://user:hunter2@host:2113')).not.toContain('hunter2');
    expect(scrub('esdb://user:password@host.example.org')).not.toContain('password');
  });
});

describe('the log', () => {
  it('holds no secret, whatever is handed to it', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
    const cause = new Error(`could not verify ${TOKEN}`);
    logger.error({ err: new Error('no mail to ada@example.org', { cause }), token: TOKEN }, 'failed');
    logger.info(
      { request: { authorization: `Bearer ${TOKEN}`, email: 'ada@example.org' }, status: 200 },
      'done',
    );
    const text = lines.join('');
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('ada@example.org');
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({ level: 'error', msg: 'failed', err: { message: 'no mail to [redacted]' } });
    expect(second).toMatchObject({ level: 'info', status: 200 });
    expect(Date.parse(String(first?.time))).not.toBeNaN();
  });
});
