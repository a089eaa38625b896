import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { html, htmlDocument } from './page.js';

const hostile = fc.constantFrom('<script>', '</style>', '" onload="x', "' x='", '&lt;', '&#60;', '<!--', '`');
const anyText = fc.oneof(fc.string({ unit: 'binary' }), hostile);

const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** What a browser reads between two tags, or in a quoted attribute. @throws {Error} it would read more than a text */
const readText = (markup: string): string => {
  const text = markup.replace(/&(?:amp|lt|gt|quot|#39);/g, '');
  if (/[<>"'&]/.test(text)) throw new Error(`Not a text alone: ${markup}`);
  return markup.replace(/&[^;]+;/g, (entity) => CHARACTERS[entity] ?? '');
};

describe('a template of HTML', () => {
  it('holds any text as text, between tags and in an attribute', () => {
    fc.assert(
      fc.property(anyText, anyText, (title, content) => {
        const [, inAttribute = '', between = ''] =
          /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(html`<p title="${title}">${content}</p>`.toString()) ?? [];
        expect([readText(inAttribute), readText(between)]).toEqual([title, content]);
      }),
    );
  });

  it('holds any text of a list, and of a template in it, as text', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1 }), (texts) => {
        const list = html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`.toString();
        const items = [...list.matchAll(/<li>([^<]*)<\/li>/g)].map(([, item = '']) => readText(item));
        expect(items).toEqual(texts);
        expect(readText(html`${texts}`.toString())).toBe(texts.join(''));
      }),
    );
  });

  it('is not taken for a template once it is a text again', () => {
    const text = html`<b>${'&'}</b>`.toString();
    expect(html`${text}`.toString()).toBe('&lt;b&gt;&amp;amp;&lt;/b&gt;');
  });

  it('leaves a document’s title a text', () => {
    fc.assert(
      fc.property(anyText, (title) => {
        const page = htmlDocument(title, html``, html``);
        const shown = page.slice(page.indexOf('<title>') + 7, page.lastIndexOf('</title>'));
        expect(readText(shown)).toBe(title);
      }),
    );
  });
});
