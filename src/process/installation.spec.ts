import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../operator/cli/program.js';
import { registrations } from '../operator/commands.js';
import { asTyped } from './installation.js';

const groups = program(registrations).commands.map((command) => command.name());
const COMMAND = new RegExp(`\\bassay (?:${groups.join('|')})\\b`);

describe('a command in a text', () => {
  it.each([
    [
      'Start it: `assay projections resume signal`.',
      'Start it: `npm run -s assay -- projections resume signal`.',
    ],
    ['  $ assay health --url X', '  $ npm run -s assay -- health --url X'],
    ['Usage: assay projections', 'Usage: npm run -s assay -- projections'],
    ['$ assay a || assay b', '$ npm run -s assay -- a || npm run -s assay -- b'],
    ['DATA_DIR=./data assay restore X', 'DATA_DIR=./data npm run -s assay -- restore X'],
  ])('is shown as it is typed in the source folder: %s', (text, shown) => {
    expect(asTyped(text)).toBe(shown);
    expect(asTyped(shown)).toBe(shown);
  });

  it.each(['Assay serves at X', 'to essay `assays`', 'the folder ./assay is empty'])(
    'is not taken for one: %s',
    (text) => {
      expect(asTyped(text)).toBe(text);
    },
  );

  it('is written so that it is shown as typed, wherever one is named', () => {
    const files = ['src', 'projections'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(({ name }) => name.endsWith('.ts') && !/\.(spec|whole|alone)\.ts$/.test(name))
        .map(({ parentPath, name }) => join(parentPath, name)),
    );
    // A literal's own backquotes are escaped: as they are in what is printed.
    const named = files.flatMap((file) => {
      const lines = readFileSync(file, 'utf8').replaceAll('\\`', '`').split('\n');
      return lines.filter((line) => COMMAND.test(line)).map((line) => [file, line.trim()] as const);
    });
    expect(named.length).toBeGreaterThan(60);
    const wrong = named.filter(([, line]) => asTyped(line).search(COMMAND) >= 0);
    expect(wrong).toEqual([]);
  });
});
