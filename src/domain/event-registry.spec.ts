import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { upcast } from '../core/registry.js';
import { eventRegistry } from './event-registry.js';
import { DEFINITION_DEFAULTS } from './role/events.js';
import { NO_WORK } from './ticket/events.js';

const files = readdirSync(join(process.cwd(), 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?:^|[/-])events\.ts$/.test(file));

/** The types in a file's exported declarations, `<aggregate>Events`. */
const declaredIn = async (file: string): Promise<readonly string[]> => {
  const module = (await import(`../${file.replace(/ts$/, 'js')}`)) as object;
  const declarations = Object.entries(module).filter(([name]) => name.endsWith('Events'));
  return declarations.flatMap(([, declared]) => Object.keys(declared as object));
};

describe('event registry', () => {
  it('holds exactly the types that the events files declare', async () => {
    const declared = (await Promise.all(files.map(declaredIn))).flat();
    expect(declared.length).toBeGreaterThan(20);
    expect([...eventRegistry.keys()].sort()).toEqual([...new Set(declared)].sort());
  });
});

describe('an event of version 1', () => {
  const read = (type: string, data: object) =>
    upcast(eventRegistry.get(type)!, 1, { data, personal: null }).data;
  const definition = { name: 'Engineer', overallThreshold: 70, dimensions: [], ticketIds: [], questions: [] };
  const ADDED = {
    ...{ instructions: null, timeFrameMinutes: null, notice: null },
    ...{ reminderDays: [3, 1], answerPauseMs: 2_500 },
  };
  const later = {
    instructions: 'Repair the build.',
    timeFrameMinutes: 90,
    notice: { version: '1', text: 'It is recorded.' },
    reminderDays: [],
    answerPauseMs: 4_000,
  };

  it.each(['role.created', 'role.updated'])('%s has the defaults of the fields that it lacks', (type) => {
    expect(read(type, { definition })).toEqual({ definition: { ...definition, ...ADDED } });
    const partly = { ...definition, instructions: 'Repair the build.', timeFrameMinutes: null };
    expect(read(type, { definition: partly })).toEqual({
      definition: { ...definition, ...ADDED, instructions: 'Repair the build.' },
    });
  });

  it.each(['role.created', 'role.updated'])('%s keeps each field that it has, in its order', (type) => {
    const data = { roleId: 'r', definition: { ...definition, ...later }, status: 'ready' };
    expect(JSON.stringify(read(type, data))).toBe(JSON.stringify(data));
  });

  it('means the same whatever the defaults are by now', () => {
    const former = { ...DEFINITION_DEFAULTS };
    const formerWork = { ...NO_WORK };
    Object.assign(DEFINITION_DEFAULTS, { ...later, reminderDays: [30], further: 1 });
    Object.assign(NO_WORK, { kind: 'text', further: 1 });
    try {
      expect(read('role.created', { definition })).toEqual({ definition: { ...definition, ...ADDED } });
      expect(read('ticket.created', { content: { title: 'T' } })).toEqual({
        content: { title: 'T', kind: null, starter: null, checks: null },
      });
    } finally {
      for (const defaults of [DEFINITION_DEFAULTS, NO_WORK]) Reflect.deleteProperty(defaults, 'further');
      Object.assign(DEFINITION_DEFAULTS, former);
      Object.assign(NO_WORK, formerWork);
    }
  });

  it('an invitation without a language is in English', () => {
    const role = { ...definition, ...later };
    expect(read('candidate.invited', { role: definition })).toEqual({
      role: { ...definition, ...ADDED },
      language: 'en',
    });
    expect(read('candidate.invited', { role, language: 'de' })).toEqual({ role, language: 'de' });
  });

  it.each(['trial.started', 'trial.extended', 'trial.withdrawn', 'trial.expired', 'trial.erased'])(
    '%s opens its session with a whole role and a language, if it is the first',
    (type) => {
      expect(read(type, { opening: { role: definition } })).toEqual({
        opening: { role: { ...definition, ...ADDED }, language: 'en' },
      });
      const opening = { role: { ...definition, ...later }, language: 'de' };
      expect(read(type, { opening })).toEqual({ opening });
      expect(read(type, { opening: null })).toEqual({ opening: null });
    },
  );

  it.each(['organisation.created', 'organisation.updated'])(
    '%s from before candidates could be shown results shows them nothing',
    (type) => {
      const later = { timeZone: 'UTC', senderName: null };
      expect(read(type, { name: 'Acme' })).toEqual({ name: 'Acme', candidateResults: 'nothing', ...later });
      expect(read(type, { candidateResults: 'result' })).toEqual({ candidateResults: 'result', ...later });
    },
  );
});
