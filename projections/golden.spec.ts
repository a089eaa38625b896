import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Stored } from '../src/core/event.js';
import { upcast } from '../src/core/registry.js';
import { eventRegistry } from '../src/domain/event-registry.js';
import type { AnyView } from '../src/engine/view.js';
import { foldView } from '../test/support/given-view.js';
import { views } from './index.js';

/**
 * A view that folds otherwise than before needs another version, or one generation would hold documents of two
 * folds. Histories in `golden/` are as they were once written, whatever deciders do today: none is ever changed;
 * an event type that none of them holds gets a further one.
 *
 * After raising a view's version: `UPDATE_GOLDEN=1 npm run test:jest -- projections/golden`.
 */
interface Golden {
  readonly version: number;
  /** By history: SHA-256 over the folded documents. */
  readonly hashes: Readonly<Record<string, string>>;
}

const folder = new URL('./golden/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
/** In its latest shape, as the codec reads it. */
const latest = (event: Stored): Stored => ({
  ...event,
  ...upcast(eventRegistry.get(event.type)!, event.metadata.schemaVersion, event),
});
const lines = (file: string): readonly Stored[] =>
  read(file)
    .trimEnd()
    .split('\n')
    .map((line) => latest(JSON.parse(line) as Stored));
const histories = readdirSync(folder).filter((file) => file.endsWith('.history.jsonl'));
const stored = new Map(histories.map((file) => [file, lines(file)]));
const golden = new Map(Object.entries(JSON.parse(read('hashes.json')) as Readonly<Record<string, Golden>>));

const hashOf = (view: AnyView, events: readonly Stored[]): string =>
  createHash('sha256')
    .update(JSON.stringify([...foldView(view, events)].sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');

const present = (view: AnyView): Golden => ({
  version: view.version,
  hashes: Object.fromEntries([...stored].map(([file, events]) => [file, hashOf(view, events)])),
});

if (process.env.UPDATE_GOLDEN) {
  for (const view of views) {
    const known = golden.get(view.name);
    // The same version keeps its hashes: another fold under it is the very mistake this is about.
    const hashes = { ...present(view).hashes, ...(known?.version === view.version ? known.hashes : {}) };
    golden.set(view.name, { version: view.version, hashes });
  }
  writeFileSync(new URL('hashes.json', folder), `${JSON.stringify(Object.fromEntries(golden), null, 2)}\n`);
}

describe.each(views.map((view) => [view.name, view] as const))('the view %s', (name, view) => {
  it('folds golden histories as its version always did; a changed fold needs a raised version', () => {
    expect({ [name]: present(view) }).toEqual({ [name]: golden.get(name) });
  });
});

it('golden histories hold every event that a view handles', () => {
  const held = new Set([...stored.values()].flat().map(({ type }) => type));
  expect(views.flatMap(({ handles }) => handles).filter((type) => !held.has(type))).toEqual([]);
});
