import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { prefersHtml } from './prefers-html.js';

describe('a page is wanted', () => {
  it.each([
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
    'text/html',
    'TEXT/HTML;level=1',
    'text/html, */*',
    'text/*',
    'application/json;q=0.5, text/html;q=0.6',
    'application/json;q=0, */*',
    '*/*;q=0.1, text/html; q = 0.2',
  ])('by %j', (accept) => expect(prefersHtml(accept)).toBe(true));

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0.9, application/json',
    'text/html;q=0, */*',
    'text/html;q=0',
    'application/*, text/*',
    'image/png',
    ',;,',
  ])('but not by %j', (accept) => expect(prefersHtml(accept)).toBe(false));

  it('whatever comes is answered one way or the other', () => {
    fc.assert(fc.property(fc.string(), (accept) => typeof prefersHtml(accept) === 'boolean'));
  });
});
