import { describe, expect, it } from '@jest/globals';
import type { Position } from '../core/event-store.js';
import type { GenerationHealth, SegmentHealth, ViewHealth } from '../engine/health/health.js';
import type { GenerationName } from '../stores/read-store.js';
import { viewComponent, viewNotices } from './view-component.js';

const segment: SegmentHealth = {
  segment: 1,
  owner: 'host/7',
  alive: true,
  position: '9' as Position,
  caughtUp: true,
  lagSeconds: 0,
  lagEvents: { count: 0, exact: true },
};

const generation = (change: Partial<GenerationHealth> = {}): GenerationHealth => ({
  role: 'live',
  generation: 'signal.v1.g1' as GenerationName,
  version: 1,
  feedable: true,
  segments: [segment],
  position: segment.position,
  caughtUp: true,
  lagSeconds: 0,
  lagEvents: segment.lagEvents,
  progress: 1,
  parked: 0,
  owners: ['host/7'],
  operation: null,
  hold: false,
  failure: null,
  since: null,
  ...change,
});

const view = (change: Partial<ViewHealth> = {}): ViewHealth => ({
  view: 'signal',
  generation: 'signal.v1.g1',
  version: 1,
  codeVersion: 1,
  behindCode: false,
  declined: false,
  paused: false,
  freeze: null,
  turn: 1,
  position: segment.position,
  caughtUp: true,
  lagSeconds: 0,
  lagEvents: segment.lagEvents,
  parked: 0,
  owners: ['host/7'],
  reason: null,
  segments: [segment],
  generations: [generation()],
  ...change,
});

const next = (change: Partial<GenerationHealth> = {}): GenerationHealth =>
  generation({ role: 'next', generation: 'signal.v2.g4' as GenerationName, version: 2, ...change });

const unfed = generation({ feedable: false, segments: [{ ...segment, alive: false }] });
const failure = {
  eventId: 'e-1',
  eventType: 'trial.started',
  position: '5' as Position,
  documentId: null,
  message: 'What somebody said.',
};

describe('What an operator has to know of a view', () => {
  it.each<[string, Partial<ViewHealth>, string]>([
    [
      'paused',
      { paused: true },
      'The view signal is paused by an operator: `npm run -s assay -- projections resume signal`.',
    ],
    [
      'one document parked',
      { parked: 1 },
      '1 document of signal waits behind an event that could not be folded: `npm run -s assay -- dead-letters list signal`.',
    ],
    [
      'some parked',
      { parked: 2 },
      '2 documents of signal wait behind an event that could not be folded: `npm run -s assay -- dead-letters list signal`.',
    ],
    [
      'many parked',
      { parked: 100 },
      'At least 100 documents of signal wait behind an event that could not be folded: `npm run -s assay -- dead-letters list signal`.',
    ],
    [
      'newer code',
      { behindCode: true, codeVersion: 2 },
      'The code folds version 2 of signal, but version 1 is live: `npm run -s assay -- projections rebuild signal`.',
    ],
    [
      'newer code that was declined',
      { behindCode: true, codeVersion: 2, declined: true },
      'The code folds version 2 of signal, but version 1 is live, by an operator’s choice: `npm run -s assay -- projections rebuild signal`.',
    ],
    [
      'changed code of one version',
      { behindCode: true },
      'The code folds version 1 of signal, but version 1 of other code is live: `npm run -s assay -- projections rebuild signal`.',
    ],
    [
      'no code that folds it',
      { generations: [unfed] },
      'No running code folds signal.v1.g1, which is live: it is not updated until the version that built it runs again, or `npm run -s assay -- projections rebuild signal`.',
    ],
    [
      'no code that folds it, and a rebuild',
      { generations: [unfed, next()] },
      'No running code folds signal.v1.g1, which is live: it is not updated until signal.v2.g4 is live.',
    ],
    [
      'a failed rebuild',
      { generations: [generation(), next({ failure })] },
      'The rebuild signal.v2.g4 has stopped at the event e-1 (trial.started), which it cannot fold: `npm run -s assay -- projections status signal` shows why, `npm run -s assay -- projections cancel signal` cancels it.',
    ],
    [
      'a rebuild that waits',
      { generations: [generation(), next({ hold: true })] },
      'The rebuild signal.v2.g4 has caught up and waits: `npm run -s assay -- projections promote signal`.',
    ],
  ])('with %s is a sentence that names the command', (_, change, sentence) => {
    const { ready, problem, figures } = viewComponent(view(change));
    expect(figures?.['notice']).toBe(sentence);
    // None of it keeps anybody from reading.
    expect([ready, problem]).toEqual([true, undefined]);
  });

  it.each<[string, Partial<ViewHealth>]>([
    ['all is well', {}],
    ['it is not known what operators want', { paused: null }],
    ['other processes feed what this code cannot', { generations: [{ ...unfed, segments: [segment] }] }],
    ['a paused one stands still', { generations: [unfed], paused: true, parked: 0 }],
    [
      'a held rebuild is still behind',
      { generations: [generation(), next({ hold: true, caughtUp: false })] },
    ],
    ['nothing was built', { generations: [], generation: null }],
  ])('is nothing more where %s', (_, change) => {
    expect(viewNotices(view(change)).filter((notice) => !notice.includes('paused'))).toEqual([]);
  });
});

describe('A view as a part of the service', () => {
  it('is not ready when it is far behind, and says what else is known', () => {
    const { ready, problem } = viewComponent(view({ caughtUp: false, lagSeconds: 31, parked: 1 }));
    expect(ready).toBe(false);
    expect(problem).toBe(
      'The view signal is 31 s behind, though it is being fed: the log of the process that feeds it shows why. 1 document of signal waits behind an event that could not be folded: `npm run -s assay -- dead-letters list signal`.',
    );
  });

  it('names the damage of the log, and asks for a projector only where none feeds it', () => {
    const damage = 'Event 1 (role-1, revision 0) is damaged: its data is not a JSON object.';
    expect(viewComponent(view({ caughtUp: false, lagSeconds: 31, damage })).problem).toBe(
      `The view signal cannot go on, since the log is damaged: ${damage}`,
    );
    const unfed = view({ caughtUp: false, lagSeconds: 31 });
    const segments = unfed.segments.map((segment) => ({ ...segment, alive: false }));
    expect(viewComponent({ ...unfed, segments }).problem).toMatch(/31 s behind: is a projector running\?/);
  });

  it('is not taken away by an operator who pauses it', () => {
    const { ready, figures } = viewComponent(view({ paused: true, caughtUp: false, lagSeconds: 4000 }));
    expect(ready).toBe(true);
    expect(figures).toMatchObject({ paused: true, lagSeconds: 4000 });
  });

  it('shows what is being built and what can be gone back to', () => {
    const former = generation({ role: 'former', generation: 'signal.v1.g0' as GenerationName });
    const building = next({ caughtUp: false, progress: 0.4269 });
    const shown = viewComponent(view({ codeVersion: 2, generations: [generation(), building, former] }));
    expect(shown.figures).toMatchObject({
      version: 1,
      codeVersion: 2,
      next: 'signal.v2.g4, 42 % of the log',
      former: 'signal.v1.g0',
    });
    const built = viewComponent(view({ generations: [generation(), next()] }));
    expect(built.figures).toMatchObject({ next: 'signal.v2.g4, caught up' });
  });
});
