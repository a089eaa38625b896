import type { Command } from 'commander';
import { views } from '../../../projections/index.js';
import { editDistance } from '../../core/edit-distance.js';
import type { AnyView } from '../../engine/view.js';

/**
 * The views that a command is about: one by its name, or all of them.
 * Ends the command with exit code 2 and a sentence where there is no such view, or neither or both were said.
 */
export const viewsNamed = (command: Command, name: string | undefined, all: boolean): readonly AnyView[] => {
  if (name !== undefined && all) command.error('error: name a view or say --all, not both.');
  if (name === undefined && !all) command.error('error: name a view, or say --all.');
  return name === undefined ? views : [viewNamed(command, name)];
};

/** As above, for one. */
export const viewNamed = (command: Command, name: string): AnyView => {
  const view = views.find((one) => one.name === name);
  return (
    view ??
    command.error(
      `error: ${noSuchView(
        name,
        views.map((one) => one.name),
      )}`,
    )
  );
};

export const noSuchView = (name: string, known: readonly string[]): string => {
  const near = nearest(name.toLowerCase(), known);
  const guess = near === null ? '' : ` Did you mean ${near}?`;
  return `there is no view ${JSON.stringify(name)}.${guess} The views are: ${known.join(', ')}.`;
};

/** The one that is closest to what was written, if any comes near. */
const nearest = (name: string, known: readonly string[]): string | null => {
  const beginning = known.filter((one) => name.length > 1 && one.startsWith(name));
  if (beginning.length === 1) return beginning[0] ?? null;
  const [best] = known
    .map((one) => ({ one, distance: editDistance(name, one) }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, name.length / 3) ? best.one : null;
};
