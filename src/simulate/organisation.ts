import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programFile } from '../programs.js';
import { objectOf, stringOf } from './answers.js';

/** The operator's command did not make an organisation. */
export class NoOrganisation extends Error {
  override readonly name = 'NoOrganisation';
}

const OPERATOR = programFile('operator');

/**
 * Makes an organisation by the operator's command, under this process's own environment.
 * @returns its id
 * @throws {NoOrganisation} with the command's own last words
 */
export async function createOrganisation(name: string, ownerEmail: string): Promise<string> {
  const command = ['organisations', 'create', '--name', name, '--owner-email', ownerEmail, '--json'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [OPERATOR, ...command], {
      timeout: 60_000,
    });
    return stringOf(objectOf(JSON.parse(stdout), "The operator's answer"), 'id');
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const last = words.split('\n').at(-1) ?? '';
    throw new NoOrganisation(
      `No organisation could be made by "operator organisations create": ${last === '' ? String(error) : last}`,
    );
  }
}
