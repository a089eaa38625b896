import { InvalidArgumentError } from 'commander';
import type { Position } from '../../core/event-store.js';

/** A command line's whole number from `least` on. */
export const wholeNumber =
  (least: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
  };

/** A position as these commands print it. */
export const position = (text: string): Position => {
  if (/^[0-9a-f]{14,32}$/.test(text)) return text as Position;
  throw new InvalidArgumentError('It must be a position as the commands print it: 14 or 32 hex digits.');
};
