import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fields } from '../../../packages/interview-client/src/protocol/fields.js';
import {
  clientMessages,
  type Declarations,
  serverMessages,
} from '../../../packages/interview-client/src/protocol/messages.js';
import {
  parseClientMessage,
  parseServerMessage,
} from '../../../packages/interview-client/src/protocol/parse.js';
import {
  clientDescriptions,
  closings,
  type Description,
  errors,
  serverDescriptions,
} from './descriptions.js';
import { audioDescriptions, audioHeader, exampleFrame, refusals } from './document.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(root, 'docs/interview-socket.md'), 'utf8');
const flowing = page.replaceAll(/\s+/g, ' ');

/** The cells of every row of the page's tables. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const section = (heading: string): string =>
  page.slice(page.indexOf(`\n${heading}\n`)).split(/\n##+ /)[1] ?? '';

const entry = (type: string, fields: Fields, summary: string): string => {
  const names = Object.entries(fields).map(([name, { optional }]) => (optional ? `${name}?` : name));
  return `- \`${type}\`${names.length > 0 ? ` \`{${names.join(', ')}}\`` : ''}: ${summary}`;
};

describe('the page for authors of clients', () => {
  it.each([
    ['clients', '### What clients send', clientMessages, clientDescriptions],
    ['the server', '### What the server sends', serverMessages, serverDescriptions],
  ])(
    'has every message of %s in the words of the AsyncAPI document',
    (_, heading, messages: Declarations, descriptions: Readonly<Record<string, Description>>) => {
      for (const [type, { fields }] of Object.entries(messages)) {
        expect(flowing).toContain(entry(type, fields, descriptions[type]!.summary));
      }
      const named = [...section(heading).matchAll(/^- `([\w.]+)`/gm)].map(([, type]) => type);
      expect(named).toEqual(Object.keys(messages));
    },
  );

  it('has the header of audio frames, and reads an example of it', () => {
    for (const { offset, type, name, meaning } of audioHeader)
      expect(rows).toContainEqual([`${offset}`, type, `\`${name}\``, meaning]);
    for (const [name, { summary }] of Object.entries(audioDescriptions))
      expect(flowing).toContain(entry(name, {}, summary));
    const [, hexadecimal = ''] = /`((?:[0-9a-f]{2,8} ?){5})`/.exec(page) ?? [];
    expect(hexadecimal.replaceAll(' ', '')).toBe(Buffer.from(exampleFrame(1)).toString('hex'));
  });

  it('has every refusal, closing code and error code, and none besides', () => {
    const expected = [
      ...refusals.map(({ status, code, meaning }) => [`${status}`, `\`${code}\``, meaning]),
      ...Object.values(closings).map(({ code, meaning, then }) => [`${code}`, meaning, then]),
      ...Object.entries(errors).map(([code, { closes, meaning }]) => [
        `\`${code}\``,
        closes === null ? '' : `${closes}`,
        meaning,
      ]),
    ];
    for (const row of expected) expect(rows).toContainEqual(row);
    const codes = new Set(Object.values(closings).map(({ code }) => `${code}`));
    for (const [code] of flowing.matchAll(/\b(1[0-9]{3}|4[0-9]{3})\b/g))
      if (!['1006'].includes(code)) expect([...codes]).toContain(code);
  });

  it('shows an example whose every message is understood', () => {
    const lines = [...page.matchAll(/^([→←]) (\{.*\})$/gm)];
    expect(lines.length).toBeGreaterThan(10);
    for (const [, direction, json = ''] of lines) {
      const parsed = (direction === '→' ? parseClientMessage : parseServerMessage)(json);
      const message: unknown = JSON.parse(json);
      expect(parsed).toEqual({ kind: 'message', message });
    }
  });
});
