import { describe, expect, it } from '@jest/globals';
import { changesBetween } from './changes.js';
import { DEFINITION_DEFAULTS, type Dimension, type RoleDefinition } from './events.js';

const care: Dimension = {
  ...{ id: 'd1', name: 'Care', weight: 60, category: 'process', threshold: 50, rubric: null },
};
const speed: Dimension = {
  ...{ id: 'd2', name: 'Speed', weight: 40, category: 'correctness', threshold: null, rubric: null },
};
const definition: RoleDefinition = {
  ...{ name: 'Engineer', overallThreshold: 70, dimensions: [care, speed], ticketIds: ['T-1'], questions: [] },
  ...DEFINITION_DEFAULTS,
};
const changes = (change: Partial<RoleDefinition>, from: Partial<RoleDefinition> = {}) =>
  changesBetween({ ...definition, ...from }, { ...definition, ...change });

describe('what changed between two definitions', () => {
  it('is nothing between equal ones, whatever the order of their keys', () => {
    expect(changes({})).toEqual([]);
    const reversed = Object.fromEntries(Object.entries(care).reverse()) as unknown as Dimension;
    expect(changes({ dimensions: [reversed, speed] })).toEqual([]);
  });

  it('is each field that differs, in the order of a definition', () => {
    expect(changes({ reminderDays: [1], name: 'Builder', ticketIds: [] })).toEqual([
      { path: 'name', dimensionName: null, before: 'Engineer', after: 'Builder' },
      { path: 'ticketIds', dimensionName: null, before: ['T-1'], after: [] },
      { path: 'reminderDays', dimensionName: null, before: [3, 1], after: [1] },
    ]);
  });

  it('is a policy that came or went, and nothing where neither has one', () => {
    expect(changes({ aiPolicy: null })).toEqual([]);
    expect(changes({ aiPolicy: 'forbidden' })).toEqual([
      { path: 'aiPolicy', dimensionName: null, before: null, after: 'forbidden' },
    ]);
    expect(changes({}, { aiPolicy: 'allowed' })).toEqual([
      { path: 'aiPolicy', dimensionName: null, before: 'allowed', after: null },
    ]);
  });

  it('is a part of the notice, or the whole if there was none', () => {
    const notice = { version: '1', text: 'It is recorded.' };
    const later = { ...notice, version: '2' };
    expect(changes({ notice: later }, { notice })).toEqual([
      { path: 'notice.version', dimensionName: null, before: '1', after: '2' },
    ]);
    expect(changes({ notice })).toEqual([
      { path: 'notice', dimensionName: null, before: null, after: notice },
    ]);
  });

  it('is a part of the dimension of the same id, under its later name', () => {
    expect(changes({ dimensions: [{ ...care, name: 'Caution', weight: 50 }, speed] })).toEqual([
      { path: 'dimensions.name', dimensionName: 'Caution', before: 'Care', after: 'Caution' },
      { path: 'dimensions.weight', dimensionName: 'Caution', before: 60, after: 50 },
    ]);
  });

  it('is a dimension that came or went, also one of the same name', () => {
    const other = { ...speed, id: 'd3' };
    expect(changes({ dimensions: [care, other] })).toEqual([
      { path: 'dimensions', dimensionName: 'Speed', before: speed, after: null },
      { path: 'dimensions', dimensionName: 'Speed', before: null, after: other },
    ]);
  });

  it('is the order of the dimensions that stayed', () => {
    const third = { ...speed, id: 'd3', name: 'Poise' };
    expect(changes({ dimensions: [speed, third, care] })).toEqual([
      { path: 'dimensions', dimensionName: 'Poise', before: null, after: third },
      { path: 'dimensions', dimensionName: null, before: ['Care', 'Speed'], after: ['Speed', 'Care'] },
    ]);
  });
});
