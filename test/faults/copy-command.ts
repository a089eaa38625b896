import { startAssay } from '../support/assay.js';
import type { Program } from '../support/program.js';

/** The object that `--json` prints. */
export interface Printed {
  readonly from: string;
  readonly to: string;
  readonly dataKey: string;
  readonly equal: boolean;
  readonly sourceMoved: boolean;
  readonly log: Sides<{ readonly events: number; readonly sha256: string }>;
  readonly vault: Sides<{ readonly entries: number; readonly sha256: string }>;
  readonly copySeconds: number;
  readonly seconds: number;
}

interface Sides<T> {
  readonly source: T;
  readonly target: T;
  readonly copied: number;
}

type Settings = Readonly<Record<string, string>>;

/** Starts `assay events copy`. */
export const startCopy = (args: readonly string[], env: Settings = {}): Program =>
  startAssay(env, ['events', 'copy', ...args]);

/** Runs it with `--json`. @returns the printed object. @throws {Error} with the command's message if it fails */
export const copyJson = async (from: string, to: string, env: Settings = {}): Promise<Printed> => {
  const { code, out, err } = await startCopy(['--from', from, '--to', to, '--json'], env).ended();
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Printed;
};
