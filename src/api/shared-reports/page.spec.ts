import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import type { Page } from '../../http/page.js';
import { reportPage } from './page.js';
import type { SharedReport } from './report.js';

const PDF = 'report.pdf';
const report: SharedReport = {
  organisationName: 'Acme & Sons',
  organisationLogo: null,
  roleName: 'Backend engineer',
  label: 'For the panel on Friday',
  status: 'ready',
  overallScore: 84,
  overallThreshold: 60,
  passed: true,
  scores: [
    {
      dimensionName: 'Does it work?',
      dimensionCategory: 'correctness',
      score: 92,
      caveat: 'Not all was checked.',
    },
    { dimensionName: 'How did it go?', dimensionCategory: 'process', score: 0, caveat: null },
  ],
  generatedAt: '2026-03-01T09:05:00.000Z',
  expiresAt: '2026-03-31T09:05:00.000Z',
  timeZone: 'Europe/Berlin',
};

describe('the page of a report', () => {
  it('says everything that the JSON says', () => {
    const page = reportPage(report, PDF).html;
    for (const said of [
      '<html lang="en">',
      '<title>Assessment report: Backend engineer</title>',
      'Acme &amp; Sons',
      'For the panel on Friday',
      'Overall score 84 of 100',
      '84, passes at 60',
      'Passed',
      'Does it work?',
      'correctness',
      '>92<',
      'Not all was checked.',
      '1 March 2026 at 10:05 CET (09:05 UTC)',
      '31 March 2026 at 11:05 CEST (09:05 UTC)',
      '<a href="report.pdf">Download as PDF</a>',
      'datetime="2026-03-31T09:05:00.000Z"',
    ])
      expect(page).toContain(said);
    expect(page).not.toContain('Not passed');
  });

  it('draws each score as long as it is', () => {
    const widths = [...reportPage(report, PDF).html.matchAll(/class="score" width="(\d+)"/g)].map(
      ([, width]) => width,
    );
    expect(widths).toEqual(['92', '0']);
  });

  it('says so where there is no overall score, result or dimension', () => {
    const page = reportPage({ ...report, overallScore: null, passed: null, scores: [] }, PDF).html;
    for (const said of ['No overall score', 'No result', 'The role has no dimensions.'])
      expect(page).toContain(said);
    expect(reportPage({ ...report, passed: false }, PDF).html).toContain('Not passed');
  });

  it('shows names as text, whatever is in them', () => {
    const text = fc.string({ unit: 'binary' });
    const hostile = fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=y>',
      "' onload='x",
      '&lt;',
      '</style>',
    );
    fc.assert(
      fc.property(fc.oneof(text, hostile), (name) => {
        const named = reportPage(
          {
            ...report,
            organisationName: name,
            roleName: name,
            label: name,
            scores: [{ dimensionName: name, dimensionCategory: name, score: 1, caveat: name }],
          },
          PDF,
        );
        const plain = reportPage(
          {
            ...report,
            organisationName: 'x',
            roleName: 'x',
            label: 'x',
            scores: [{ dimensionName: 'x', dimensionCategory: 'x', score: 1, caveat: 'x' }],
          },
          PDF,
        );
        const tags = (page: Page) => page.html.match(/<[^>]*>/g);
        expect(tags(named)).toEqual(tags(plain));
      }),
    );
  });
});

describe('the logo', () => {
  it('is shown within its box, from where the service is, and nothing else is loaded', () => {
    const url = 'https://assay.example/logos/o/l';
    const { html: page, headers } = reportPage(
      { ...report, organisationLogo: { url, width: 1_000, height: 100 } },
      PDF,
    );
    expect(page).toContain(`<img class="logo" src="${url}" alt="" width="240" height="24">`);
    expect(page.match(/https?:/g)).toHaveLength(1);
    expect(headers['Content-Security-Policy']).toContain(
      '; img-src data: https://assay.example; form-action',
    );
  });
});

describe('the page', () => {
  it('needs nothing but itself, and fits its policy', () => {
    const { html: page, headers } = reportPage(report, PDF);
    const { 'Content-Security-Policy': policy } = headers;
    expect(page).not.toMatch(
      /<script|<link(?! rel="icon" href="data:)|<img|<iframe|\ssrc=|\shref=(?!"report\.pdf"|"data:image)|\sstyle=|\son\w+=|url\(|@import|https?:/i,
    );
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(page) ?? [];
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/,
    );
  });
});
