import { asTyped } from '../../process/installation.js';
import { print } from './harmless.js';
import { type Progress, progressOn } from './progress.js';

/** Where a command says something, besides what it was asked for. */
export interface Screen {
  readonly progress: Progress;
  /** A line for the person who waits. */
  say(line: string): void;
}

/** What a machine reads has standard output for itself. */
export const screenFor = (json: boolean): Screen => {
  const stream = json ? process.stderr : process.stdout;
  return { progress: progressOn(stream), say: (line) => print(asTyped(line), stream) };
};

/** A command's answer: one JSON value for machines, else text. */
export const answer = (json: boolean, value: unknown, text: () => string): void => {
  print(json ? JSON.stringify(value) : asTyped(text()));
};
