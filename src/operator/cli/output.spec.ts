import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { harmless, LineWriter, print } from './output.js';
import { tableLines } from './table.js';

/** One of each sort: a cursor order, C1, marks of direction, invisible ones, line ends, half a pair. */
const HOSTILE = ['\u001b', '\u009b', '\u202e', '\u2066', '\u200f', '\ufeff', '\u200b', '\u2028', '\ud83d'];
const hostile = HOSTILE.map((sign) => `a${sign}b`).join(' ');

describe('what operators are shown', () => {
  it('holds nothing that moves the cursor, turns the direction or is not seen', () => {
    for (const sign of HOSTILE)
      expect(harmless(`a${sign}b`)).toBe(`a\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}b`);
    expect(harmless('\u{e0041}')).toBe('\\udb40\\udc41');
    for (const plain of ['Zoë 💡 ألف „x“ – 70 %', '']) expect(harmless(plain)).toBe(plain);
  });

  it('is so by every way out, and JSON stays the same JSON', async () => {
    const stream = new PassThrough().setEncoding('utf8');
    print(hostile, stream);
    print(JSON.stringify({ name: hostile }), stream);
    await new LineWriter(stream).write(hostile);
    const [text, json, line] = String(stream.read()).split('\n');
    for (const shown of [text, json, line, ...tableLines(['head'], [[hostile]])])
      for (const sign of HOSTILE) expect(shown).not.toContain(sign);
    expect(JSON.parse(json ?? '')).toEqual({ name: hostile });
  });
});
