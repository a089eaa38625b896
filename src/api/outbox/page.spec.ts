import { describe, expect, it } from '@jest/globals';
import { outboxPage } from './page.js';

const mail = {
  ...{ id: 'x', number: 7, to: 'carol@example.org', sentAt: '2026-03-01T09:00:00.000Z', html: '' },
  ...{ senderName: 'Hiring', subject: '<b>Hello</b>' },
  text: 'Open http://127.0.0.1:3000/apply/1?a=1&b=2. Or (https://example.org/x).\n<script>alert(1)</script>',
};

describe('the outbox as a page', () => {
  it('shows mails as text, their addresses as links', () => {
    const { html } = outboxPage([mail]);
    expect(html).toContain('&lt;b&gt;Hello&lt;/b&gt;');
    expect(html).not.toContain('<script>');
    expect([...html.matchAll(/href="(http[^"]*)"/g)].map(([, href]) => href)).toEqual([
      'http://127.0.0.1:3000/apply/1?a=1&amp;b=2',
      'https://example.org/x',
    ]);
    expect(html).toContain('from <bdi>Hiring</bdi> to');
    expect(html).toContain('href="outbox/7"');
    expect(html).toContain('1 March 2026 at 09:00 UTC');
    const berlin = outboxPage([{ ...mail, timeZone: 'Europe/Berlin' }]);
    expect(berlin.html).toContain('1 March 2026 at 10:00 CET (09:00 UTC)');
  });

  it('says what to do where there is none', () => {
    expect(outboxPage([]).html).toContain('No mail yet');
  });
});
