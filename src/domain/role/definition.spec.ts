import { describe, expect, it } from '@jest/globals';
import { type DefinitionInput, definitionProblems, readiness, sameDefinition } from './definition.js';

const dimension = { name: 'Care', weight: 100, category: 'process' };
const ready: DefinitionInput = { name: 'Engineer', overallThreshold: 70, dimensions: [dimension] };
const paths = (definition: DefinitionInput) => definitionProblems(definition).map(({ path }) => path);

describe('a definition', () => {
  it('is ready once it satisfies every rule, at their edges too', () => {
    expect(readiness(ready)).toBe('ready');
    expect(
      readiness({
        name: ' x',
        overallThreshold: 0,
        dimensions: [
          { ...dimension, weight: 0, threshold: 100 },
          { ...dimension, category: 'correctness', weight: 100, threshold: 0 },
          { ...dimension, threshold: null },
        ],
      }),
    ).toBe('ready');
  });

  it.each<[string, Partial<DefinitionInput>, string]>([
    ['a blank name', { name: ' \n\t\u2003' }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a threshold over 100', { overallThreshold: 101 }, 'overallThreshold'],
    ['a negative threshold', { overallThreshold: -1 }, 'overallThreshold'],
    ['a fraction', { overallThreshold: 1.5 }, 'overallThreshold'],
    ['no number at all', { overallThreshold: NaN }, 'overallThreshold'],
    ['no dimensions', { dimensions: [] }, 'dimensions'],
    [
      'a blank dimension name',
      { dimensions: [dimension, { ...dimension, name: ' ' }] },
      'dimensions[1].name',
    ],
    ['a weight over 100', { dimensions: [{ ...dimension, weight: 101 }] }, 'dimensions[0].weight'],
    ['a negative weight', { dimensions: [{ ...dimension, weight: -1 }] }, 'dimensions[0].weight'],
    ['another category', { dimensions: [{ ...dimension, category: 'Process' }] }, 'dimensions[0].category'],
    ['a threshold over 100', { dimensions: [{ ...dimension, threshold: 101 }] }, 'dimensions[0].threshold'],
  ])('with %s stays a draft', (_, change, path) => {
    const definition = { ...ready, ...change };
    expect(readiness(definition)).toBe('draft');
    expect(paths(definition)).toEqual([path]);
  });

  it('names every offending field in a sentence', () => {
    const problems = definitionProblems({
      name: '',
      overallThreshold: 101,
      dimensions: [{ ...dimension, weight: 7.5 }],
    });
    expect(problems.map(({ path }) => path)).toEqual(['name', 'overallThreshold', 'dimensions[0].weight']);
    for (const { message, path } of problems)
      expect(message.startsWith(path) && message.endsWith('.')).toBe(true);
  });

  it('is the same whatever the order of its keys', () => {
    const full = { id: 'd', name: 'A', weight: 1, category: 'process', threshold: null, rubric: null };
    const one = { name: 'R', overallThreshold: 1, dimensions: [full], ticketIds: ['T'], questions: [] };
    const other = {
      questions: [],
      ticketIds: ['T'],
      dimensions: [{ rubric: null, threshold: null, category: 'process', weight: 1, name: 'A', id: 'd' }],
      overallThreshold: 1,
      name: 'R',
    };
    expect(sameDefinition(one, other)).toBe(true);
    expect(sameDefinition(one, { ...other, ticketIds: [] })).toBe(false);
  });

  it('differs by any field, also by one that is declared later', () => {
    const one = { name: 'R', overallThreshold: 1, dimensions: [], ticketIds: [], questions: [], level: 'a' };
    expect(sameDefinition(one, { ...one })).toBe(true);
    const other = { ...one, level: 'b' };
    expect(sameDefinition(one, other)).toBe(false);
  });
});
