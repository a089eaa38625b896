import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { VARIABLES, type VariableName } from './variables.js';

describe('the table of docs/configuration.md', () => {
  /** What a variable is, if it is not set and that depends on others. */
  const DERIVED: Partial<Record<VariableName, string>> = {
    PUBLIC_URL: 'the address it listens on',
    SEGMENTS: '1, with servers 4',
    DATA_KEY: 'generated in DATA_DIR',
    SIGNING_KEY: 'generated in DATA_DIR',
    DEVELOPMENT_ISSUER: 'loopback only',
    SMTP_CLIENT_NAME: 'from PUBLIC_URL',
    CANDIDATE_SIGN_IN: 'email if mails are sent',
    OPENAI_BASE_URL: "OpenAI's",
  };
  const ROW = /^\| ((?:`[A-Z_]+`(?:, )?)+) +\| (.*?) +\| .* \|$/gm;
  const rows = [...readFileSync('docs/configuration.md', 'utf8').matchAll(ROW)].map(
    ([, names = '', otherwise = '']) =>
      [names.replaceAll('`', '').split(', ') as VariableName[], otherwise.replaceAll('`', '')] as const,
  );

  it('has every variable once', () => {
    const names = rows.flatMap(([row]) => row);
    expect([...names].sort()).toEqual(Object.keys(VARIABLES).sort());
  });

  it.each(rows)('tells what %j is if it is not set', (names, otherwise) => {
    const shown = names.map((name) => DERIVED[name] ?? String(VARIABLES[name].otherwise ?? 'none'));
    expect([...new Set(shown)].map((one) => one || 'none').join(', ')).toBe(otherwise);
  });
});
