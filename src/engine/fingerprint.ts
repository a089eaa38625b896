import { createHash } from 'node:crypto';
import type { AnyView } from './view.js';

/**
 * Of the code that folds a view: its name, version, functions' source text and what it says that it `uses`. A function
 * beside the view is not seen; a change there is what `version` is for.
 */
export function fingerprintOf(view: AnyView): string {
  const known = fingerprints.get(view) ?? make(view);
  fingerprints.set(view, known);
  return known;
}

/** A view is never changed, and is asked about several times a second. */
const fingerprints = new WeakMap<AnyView, string>();

function make(view: AnyView): string {
  const indexes = Object.entries(view.indexes ?? {}).map(([name, of]) => [name, String(of)]);
  const functions = ['documentId', 'initial', 'evolve', 'removed'].map((name) =>
    String(Reflect.get(view, name)),
  );
  const parts = [
    view.name,
    view.version,
    view.handles,
    functions,
    indexes,
    ...(view.uses ? [view.uses] : []),
  ];
  return createHash('sha256').update(JSON.stringify(parts, asText)).digest('hex').slice(0, 32);
}

const asText = (_: string, value: unknown): unknown => (typeof value === 'function' ? String(value) : value);
