import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { eventsOf, fold, specification, stored } from '../../../test/support/given-when-then.js';
import {
  archiveRole,
  createRole,
  type DefinitionInput,
  missingIn,
  nameOfCopy,
  readiness,
  role,
  sameDefinition,
  updateRole,
} from './decider.js';
import type { Dimension, RoleDefinition, RoleEvent } from './events.js';

const spec = specification(role);
const ids = ['n1', 'n2', 'n3'];
const care: Dimension = {
  id: 'd1',
  name: 'Care',
  weight: 60,
  category: 'process',
  threshold: 50,
  rubric: 'Looks twice.',
};
const speed: Dimension = {
  id: 'd2',
  name: 'Speed',
  weight: 40,
  category: 'correctness',
  threshold: null,
  rubric: null,
};
const definition: RoleDefinition = {
  name: 'Engineer',
  overallThreshold: 70,
  dimensions: [care, speed],
  ticketIds: ['T-1'],
  questions: [{ text: 'Why?', dimensionName: 'Care' }],
  instructions: 'Repair the build.',
  timeFrameMinutes: 90,
  notice: { version: '1', text: 'It is recorded.' },
  reminderDays: [7],
  answerPauseMs: 4_000,
};
const created = (given: RoleDefinition = definition) => ({
  type: 'role.created' as const,
  data: { organisationId: 'o', roleId: 'r', definition: given, status: readiness(given) },
  person: null,
  personal: null,
});
const updated = (given: RoleDefinition): RoleEvent => ({ ...created(given), type: 'role.updated' });
const toggled = (type: 'role.archived' | 'role.unarchived'): RoleEvent => ({
  type,
  data: { organisationId: 'o', roleId: 'r' },
  person: null,
  personal: null,
});
const create = (given: DefinitionInput) =>
  spec
    .given()
    .when((state) =>
      createRole(state, { organisationId: 'o', roleId: 'r', definition: given, dimensionIds: ids }),
    );
const update = (given: DefinitionInput, expectedVersion: number | null = null, ...past: RoleEvent[]) =>
  spec
    .given(...(past.length > 0 ? past : [created()]))
    .when((state) => updateRole(state, { definition: given, dimensionIds: ids, expectedVersion }));
const named = (...dimensions: Partial<Dimension>[]): DefinitionInput => ({
  ...definition,
  dimensions: dimensions.map((dimension) => ({ name: 'Care', weight: 1, category: 'process', ...dimension })),
});
const idsOf = (outcome: ReturnType<typeof update>) =>
  outcome.state()!.definition.dimensions.map(({ id }) => id);

describe('creating a role', () => {
  it('gives each dimension a new id and is ready where the definition is', () => {
    const outcome = create({ name: 'Engineer', overallThreshold: 70, dimensions: [{ ...care, id: 'mine' }] });
    outcome.then(
      created({
        name: 'Engineer',
        overallThreshold: 70,
        dimensions: [{ ...care, id: 'n1' }],
        ticketIds: [],
        questions: [],
        instructions: null,
        timeFrameMinutes: null,
        notice: null,
        reminderDays: [3, 1],
        answerPauseMs: 2_500,
      }),
    );
    expect(outcome.state()).toMatchObject({ status: 'ready', version: 1 });
  });

  it.each<[string, Partial<DefinitionInput>]>([
    ['no dimensions', { dimensions: [] }],
    ['an unknown category', { dimensions: [{ name: 'A', weight: 1, category: 'charm' }] }],
    ['a negative weight', { dimensions: [{ name: 'A', weight: -5, category: 'process' }] }],
    ['a blank name', { name: '' }],
    ['a threshold beyond 100', { overallThreshold: 2 ** 53 - 1 }],
    ['a time frame of no minutes', { timeFrameMinutes: 0 }],
    ['a reminder on the last day', { reminderDays: [1, 0] }],
    ['a pause that a breath is', { answerPauseMs: 499 }],
    ['a notice without a version', { notice: { version: ' ', text: 'It is recorded.' } }],
  ])('takes %s, as a draft', (_, change) => {
    expect(create({ ...definition, ...change }).state()).toMatchObject({ status: 'draft' });
  });

  it('happens once', () => {
    spec
      .given(created())
      .when((state) => createRole(state, { organisationId: 'o', roleId: 'r', definition, dimensionIds: ids }))
      .thenRefused('conflict');
  });
});

describe('the name of a copy', () => {
  it.each([
    ['Engineer', 'Engineer (copy)'],
    ['Engineer (copy)', 'Engineer (copy) (copy)'],
    ['🦉'.repeat(200), `${'🦉'.repeat(193)} (copy)`],
  ])('of %s is %s, and never too long', (name, copy) => {
    expect(nameOfCopy(name)).toBe(copy);
    expect(Array.from(nameOfCopy(name)).length).toBeLessThanOrEqual(200);
  });
});

describe('updating a role', () => {
  it('makes a draft ready', () => {
    const draft = created({ ...definition, dimensions: [] });
    const outcome = update({ ...definition, dimensions: [{ ...care, id: undefined }] }, 1, draft);
    outcome.then(updated({ ...definition, dimensions: [{ ...care, id: 'n1' }] }));
    expect(outcome.state()).toMatchObject({ status: 'ready', version: 2 });
  });

  it('keeps to the rules', () => {
    update({ ...named({ id: 'd1' }), name: ' ' }).thenRefused('validation_failed', 'name');
    update(named({ weight: 101 })).thenRefused('validation_failed', 'dimensions[0].weight');
  });

  it.each([
    { path: 'answerPauseMs', kept: { answerPauseMs: 1 }, mended: { answerPauseMs: 2_500 } },
    { path: 'timeFrameMinutes', kept: { timeFrameMinutes: 0 }, mended: { timeFrameMinutes: null } },
    { path: 'reminderDays[1]', kept: { reminderDays: [3, 99] }, mended: { reminderDays: [3] } },
    { path: 'notice.text', kept: { notice: { version: '1', text: ' ' } }, mended: { notice: null } },
  ])(
    'refuses a draft’s $path that breaks a rule also if the update leaves it out',
    ({ path, kept, mended }) => {
      const draft = created({ ...definition, ...kept });
      const rest = { name: 'Other', overallThreshold: 70, dimensions: [care] };
      update(rest, null, draft).thenRefused('validation_failed', path);
      expect(update({ ...rest, ...mended }, null, draft).state()).toMatchObject({ status: 'ready' });
    },
  );

  it('reads each dimension a fixed number of times, however many there are', () => {
    let looks = 0;
    const counted = (name: string, id?: string) => ({
      weight: 1,
      category: 'process',
      threshold: null,
      rubric: null,
      get name() {
        looks += 1;
        return name;
      },
      get id() {
        looks += 1;
        return id;
      },
    });
    const looksAt = (count: number): number => {
      const names = Array.from({ length: count }, (_, index) => `Dimension ${index}`);
      const current = names.map((name, index) => counted(name, `d${index}`));
      const given = names
        .toReversed()
        .map((name, index) => counted(name, index % 2 ? undefined : `d${index}`));
      const past = created({ ...definition, dimensions: current as readonly Dimension[] });
      const state = role.evolve(null, stored(past));
      looks = 0;
      const decision = updateRole(state, {
        definition: { ...definition, dimensions: given },
        dimensionIds: names.map((_, index) => `n${index}`),
        expectedVersion: null,
      });
      expect(decision.kind).toBe('accepted');
      return looks;
    };
    expect(looksAt(400)).toBeLessThan(looksAt(40) * 11);
  });

  it('keeps tickets and questions that are left out, clears them when empty, and clears a rubric left out', () => {
    const { ticketIds, questions, ...rest } = definition;
    const kept = update({ ...rest, name: 'Other', dimensions: [{ ...care, rubric: undefined }, speed] });
    expect(kept.state()?.definition).toEqual({
      ...definition,
      name: 'Other',
      dimensions: [{ ...care, rubric: null }, speed],
    });
    expect(kept.state()?.definition).toMatchObject({ ticketIds, questions });
    expect(update({ ...definition, ticketIds: [], questions: [] }).state()?.definition).toMatchObject({
      ticketIds: [],
      questions: [],
    });
  });

  it('keeps what is left out of what candidates are told, and clears what is null', () => {
    const { instructions, timeFrameMinutes, notice, reminderDays, answerPauseMs, ...rest } = definition;
    expect(update({ ...rest, name: 'Other' }).state()?.definition).toMatchObject({
      instructions,
      timeFrameMinutes,
      notice,
      reminderDays,
      answerPauseMs,
    });
    const cleared = { instructions: null, timeFrameMinutes: null, notice: null, reminderDays: [] };
    expect(update({ ...definition, ...cleared }).state()?.definition).toMatchObject(cleared);
  });

  it('has the policy that is given, keeps one that is left out, and has none after null', () => {
    const withPolicy = { ...definition, aiPolicy: 'allowed' as const };
    expect(update({ ...definition, aiPolicy: 'forbidden' }).state()?.definition.aiPolicy).toBe('forbidden');
    const kept = update({ ...definition, name: 'Other' }, null, created(withPolicy));
    expect(kept.state()?.definition.aiPolicy).toBe('allowed');
    update({ ...definition, aiPolicy: null }, null, created(withPolicy)).then(updated(definition));
  });

  it('of a role without a policy to one without does nothing: former definitions have no such field', () => {
    update({ ...definition, aiPolicy: null }).thenNothing();
    expect(create({ ...definition, aiPolicy: null }).state()?.definition).not.toHaveProperty('aiPolicy');
  });

  it('keeps a threshold only where it is given', () => {
    expect(update(named({ id: 'd1' })).state()?.definition.dimensions).toMatchObject([{ threshold: null }]);
  });

  it('keeps the id of the first dimension of the same name; others get new ones', () => {
    expect(idsOf(update(named({ name: 'Speed' }, { name: 'Care' }, { name: 'Poise' })))).toEqual([
      'd2',
      'd1',
      'n3',
    ]);
    expect(idsOf(update(named({ name: 'Care' }, { name: 'Care' })))).toEqual(['d1', 'n2']);
  });

  it('takes a given id, also under a new name, and never gives one to two dimensions', () => {
    expect(idsOf(update(named({ name: 'Caution', id: 'd1' })))).toEqual(['d1']);
    expect(idsOf(update(named({ name: 'Care' }, { name: 'Caution', id: 'd1' })))).toEqual(['n1', 'd1']);
  });

  it('refuses an id that is not the role’s, or given twice', () => {
    update(named({ id: 'd1' }, { id: 'stranger' })).thenRefused('validation_failed', 'dimensions[1].id');
    update(named({ id: 'd1' }, { id: 'd1' })).thenRefused('validation_failed', 'dimensions[1].id');
  });

  it('to what it is does nothing', () => {
    update(definition).thenNothing();
    update({
      ...definition,
      dimensions: definition.dimensions.map((dimension) => ({ ...dimension, id: undefined })),
    }).thenNothing();
  });

  it('needs the version that stands', () => {
    update({ ...definition, name: 'B' }, 2).thenRefused('version_mismatch');
    expect(update({ ...definition, name: 'B' }, 2, created(), updated(definition)).state()?.version).toBe(3);
  });

  it('needs a role', () => {
    spec
      .given()
      .when((state) => updateRole(state, { definition, dimensionIds: ids, expectedVersion: null }))
      .thenRefused('not_found');
  });

  it('repeated changes nothing, keeps ids distinct, and leaves what is ready ready', () => {
    const dimension = fc.record(
      {
        id: fc.constantFrom('d1', 'd2'),
        name: fc.constantFrom('Care', 'Speed', 'Poise', 'Tact'),
        weight: fc.integer({ min: 0, max: 100 }),
        category: fc.constantFrom('process', 'correctness'),
      },
      { requiredKeys: ['name', 'weight', 'category'] },
    );
    const distinctly = fc.uniqueArray(dimension, {
      minLength: 1,
      maxLength: 4,
      selector: ({ name }) => name,
    });
    fc.assert(
      fc.property(distinctly, (dimensions) => {
        const past: RoleEvent[] = [created()];
        const decide = () =>
          updateRole(fold(role, past), {
            definition: { ...definition, dimensions },
            dimensionIds: ['n1', 'n2', 'n3', 'n4'],
            expectedVersion: null,
          });
        const first = decide();
        fc.pre(first.kind === 'accepted');
        past.push(...eventsOf(first));
        const after = fold(role, past)!;
        expect(after.status).toBe('ready');
        expect(new Set(after.definition.dimensions.map(({ id }) => id)).size).toBe(dimensions.length);
        expect(eventsOf(decide())).toEqual([]);
      }),
    );
  });
});

describe('archiving a role', () => {
  const [archived, unarchived] = [toggled('role.archived'), toggled('role.unarchived')];
  const archive = (into: boolean, expectedVersion: number | null = null, ...past: RoleEvent[]) =>
    spec.given(created(), ...past).when((state) => archiveRole(state, { archived: into, expectedVersion }));

  it('keeps its definition and status, and counts as a change', () => {
    const outcome = archive(true, 1);
    outcome.then(archived);
    expect(outcome.state()).toEqual({
      ...fold(role, [created()]),
      archivedAt: outcome.state()?.updatedAt,
      version: 2,
    });
  });

  it('is undone, and done again', () => {
    const outcome = archive(false, 2, archived);
    outcome.then(unarchived);
    expect(outcome.state()).toEqual({ ...fold(role, [created()]), version: 3 });
    archive(true, null, archived, unarchived).then(archived);
  });

  it('of one that is archived already does nothing, nor does taking out one that is not', () => {
    archive(true, null, archived).thenNothing();
    archive(false).thenNothing();
    archive(false, null, archived, unarchived).thenNothing();
  });

  it('outlasts an update', () => {
    expect(update({ ...definition, name: 'B' }, null, created(), archived).state()).toMatchObject({
      archivedAt: expect.any(String),
      version: 3,
    });
  });

  it('needs a role, at the version that is named', () => {
    spec
      .given()
      .when((state) => archiveRole(state, { archived: true, expectedVersion: null }))
      .thenRefused('not_found');
    archive(true, 2).thenRefused('version_mismatch');
    archive(true, 1, archived).thenRefused('version_mismatch');
  });
});

const careful = { name: 'Care', weight: 100, category: 'process' };
const ready: DefinitionInput = { name: 'Engineer', overallThreshold: 70, dimensions: [careful] };

describe('a definition', () => {
  it('is ready once it satisfies every rule, at their edges too', () => {
    expect(readiness(ready)).toBe('ready');
    expect(
      readiness({
        name: ' x',
        overallThreshold: 0,
        dimensions: [
          { ...careful, weight: 0, threshold: 100 },
          { ...careful, category: 'correctness', weight: 100, threshold: 0 },
          { ...careful, threshold: null },
        ],
      }),
    ).toBe('ready');
  });

  it.each<[string, Partial<DefinitionInput>]>([
    ['a blank name', { name: ' \n\t\u2003' }],
    ['an empty name', { name: '' }],
    ['a threshold over 100', { overallThreshold: 101 }],
    ['a negative threshold', { overallThreshold: -1 }],
    ['a fraction', { overallThreshold: 1.5 }],
    ['no number at all', { overallThreshold: NaN }],
    ['no dimensions', { dimensions: [] }],
    ['a blank dimension name', { dimensions: [careful, { ...careful, name: ' ' }] }],
    ['a weight over 100', { dimensions: [{ ...careful, weight: 101 }] }],
    ['a negative weight', { dimensions: [{ ...careful, weight: -1 }] }],
    ['another category', { dimensions: [{ ...careful, category: 'Process' }] }],
    ['a threshold over 100', { dimensions: [{ ...careful, threshold: 101 }] }],
    ['a time frame over a week', { timeFrameMinutes: 10_081 }],
    ['a reminder after a month', { reminderDays: [31] }],
    ['a pause below half a second', { answerPauseMs: 499 }],
    ['a pause above ten seconds', { answerPauseMs: 10_001 }],
    ['a pause in fractions', { answerPauseMs: 2_500.5 }],
    ['a blank notice', { notice: { version: '1', text: '\n' } }],
  ])('with %s stays a draft', (_, change) => {
    expect(readiness({ ...ready, ...change })).toBe('draft');
  });

  it('that is a draft lacks something, in a sentence for each field, in their order', () => {
    const dimension = { name: '', weight: 1.5, category: 'charm', threshold: -1 };
    const draft = {
      ...{ name: ' ', overallThreshold: 101, dimensions: [careful, dimension], timeFrameMinutes: 0 },
      ...{ notice: { version: '', text: '' }, reminderDays: [1, 31], answerPauseMs: 1 },
    };
    expect(missingIn(draft).map(({ message }) => message)).toEqual([
      'name must not be blank.',
      'overallThreshold must be a whole number from 0 to 100.',
      'dimensions[1].name must not be blank.',
      'dimensions[1].weight must be a whole number from 0 to 100.',
      'dimensions[1].category must be one of: process, correctness.',
      'dimensions[1].threshold must be a whole number from 0 to 100.',
      'timeFrameMinutes must be a whole number from 1 to 10080.',
      'notice.version must not be blank.',
      'notice.text must not be blank.',
      'reminderDays[1] must be a whole number from 1 to 30.',
      'answerPauseMs must be a whole number from 500 to 10000.',
    ]);
    for (const { path, message } of missingIn(draft)) expect(message.startsWith(path)).toBe(true);
    expect(missingIn({ ...ready, dimensions: [] })).toMatchObject([{ path: 'dimensions' }]);
    expect(missingIn(ready)).toEqual([]);
  });

  it('is the same whatever the order of its keys', () => {
    const full = { id: 'd', name: 'A', weight: 1, category: 'process', threshold: null, rubric: null };
    const one: RoleDefinition = { ...definition, dimensions: [full] };
    const reversed = <T extends object>(record: T): T =>
      Object.fromEntries(Object.entries(record).reverse()) as T;
    const other = { ...reversed(one), dimensions: [reversed(full)] };
    expect(sameDefinition(one, other)).toBe(true);
    expect(sameDefinition(one, { ...other, ticketIds: [] })).toBe(false);
  });

  it('differs by any field, also by one that is declared later', () => {
    const one = { ...definition, level: 'a' };
    expect(sameDefinition(one, { ...one })).toBe(true);
    const other = { ...one, level: 'b' };
    expect(sameDefinition(one, other)).toBe(false);
  });
});
