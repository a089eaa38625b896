import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { signalTable } from '../../../tools/simulate/simulate.js';
import type { Position } from '../../core/event-store.js';
import type { GenerationName } from '../../stores/read-store.js';
import { healthLines } from '../health/command.js';
import { statusLines, summaryLines } from '../projections/status-text.js';
import type { GenerationStatus, ViewStatus } from '../projections/view-status.js';
import { tableLines } from './table.js';

const widest = (lines: readonly string[]): number => Math.max(...lines.map((line) => stringWidth(line)));

const isOfTable = (line: string): boolean => /^[┌│├└]/.test(line);

/** An id, a generation's name, or an ordinary word: to be copied whole. */
const word = fc.stringMatching(/^[a-zA-Z0-9.:-]{1,36}$/);
const cell = fc.oneof(
  fc.nat(),
  fc.constant(''),
  fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
  fc.stringMatching(/^[a-z]{37,200}$/),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const table = fc
  .integer({ min: 1, max: 9 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 4 }),
  );

/** A view whose names are as long as machines and people make them. */
const view = `view-with-${'long-'.repeat(9)}name`;
const owner = `assay-projector-of-${'a-cluster-'.repeat(4)}7d9f8b6c5-x2x4q/4194304`;
const generation = (number: number, over: Partial<GenerationStatus>): GenerationStatus => ({
  role: 'live',
  generation: `${view}.v12.g${number}` as GenerationName,
  version: 12,
  feedable: true,
  segments: [1, 2, 3].map((segment) => ({
    ...{ segment, owner: `${segment}-${owner}`, alive: true, caughtUp: false },
    ...{ position: 'a'.repeat(33) as Position, lagSeconds: 600, lagEvents: { count: 100, exact: false } },
  })),
  position: 'a'.repeat(33) as Position,
  caughtUp: false,
  lagSeconds: 100_000,
  lagEvents: { count: 12_345, exact: false },
  progress: 0.5,
  parked: 100,
  owners: [owner],
  operation: null,
  hold: false,
  failure: null,
  since: null,
  rate: 12_345,
  inTheWay: null,
  ...over,
});
const status: ViewStatus = {
  ...{ view, generation: `${view}.v12.g3`, version: 12, codeVersion: 13, behindCode: true, declined: true },
  ...{ paused: true, freeze: null, turn: 1, position: 'a' as Position, caughtUp: false, lagSeconds: 600 },
  ...{ lagEvents: { count: 100, exact: false }, parked: 100, owners: [owner], reason: null, segments: [] },
  generations: [
    generation(3, {}),
    generation(40, { role: 'next', hold: true }),
    generation(2, { role: 'former', feedable: false }),
  ],
  ...{ rateUnit: 'events', open: [], last: null },
};
const short: ViewStatus = { ...status, view: 'signal', generations: [] };

const figures = {
  ...{ completed: 12_345, trialCompletedCount: 12_345, outcomeRecordedCount: 12_345 },
  ...{ awaitingOutcomeCount: 12_345, humanRound: { passed: 12_345, failed: 0 } },
  disposition: { hired: 1, declined: 2 },
};
const roles = [{ ...figures, roleId: 'r', roleName: 'Head of '.repeat(20) }];

describe('a table is never wider than 80 columns where the terminal is no wider', () => {
  it.each([80, 132])('whatever is in it; words of up to 36 signs stay whole: %d', (width) => {
    fc.assert(
      fc.property(table, (rows) => {
        const head = (rows[0] ?? []).map((_, index) => `head ${index}`);
        const lines = tableLines(head, rows, width);
        expect(widest(lines)).toBeLessThanOrEqual(width);
        const words = rows
          .flat()
          .flatMap((one) => String(one).match(/(?<!\S)[a-zA-Z0-9.:-]{1,36}(?!\S)/g) ?? []);
        for (const one of words) expect(lines.join('\n')).toContain(one);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['projections status', () => summaryLines([short, status])],
    ['projections status VIEW', () => statusLines(status)],
    [
      'health',
      () =>
        healthLines([
          { name: `view ${view}`, ready: false, problem: 'It is behind. '.repeat(30), figures: { owner } },
        ]),
    ],
    ['the simulated round', () => signalTable({ roles, totals: figures }).split('\n')],
  ])('%s', (_, lines) => {
    const shown = lines().filter(isOfTable);
    expect(shown.length).toBeGreaterThan(4);
    expect(widest(shown)).toBeLessThanOrEqual(80);
  });

  it('in as few parts as it needs, each with the first column', () => {
    const heads = tableLines(['a', 'b', 'c', 'd', 'e'], [[1, ...Array<string>(4).fill('x'.repeat(30))]]);
    expect(heads.filter((line) => /^│ +a /.test(line)).map((line) => line.match(/[a-e]/g)?.join(''))).toEqual(
      ['abc', 'ade'],
    );
  });

  it('and no table is printed in another way', () => {
    const sources = ['src', 'projections', 'tools'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/\.(?:spec|whole)\.ts$/.test(name))
        .map((name) => join(folder, name)),
    );
    const holding = (text: RegExp): readonly string[] =>
      sources.filter((path) => text.test(readFileSync(path, 'utf8'))).sort();
    expect(holding(/from 'cli-table3'|[┌│]|console\.table/)).toEqual(['src/operator/cli/table.ts']);
    expect(holding(/tableLines\(/)).toEqual([
      'src/operator/health/command.ts',
      'src/operator/organisations.ts',
      'src/operator/projections/status-text.ts',
      'src/operator/projections/status.ts',
      'tools/simulate/simulate.ts',
    ]);
  });
});
