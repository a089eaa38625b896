import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OPERATOR = new URL('../../bin/operator.js', import.meta.url).pathname;

/** An organisation with roles, and a token of its owner. */
export interface Organisation {
  readonly id: string;
  readonly token: string;
  readonly roleIds: readonly string[];
  /** The signal summary, with all of its roles. */
  readonly signal: { readonly roles: readonly object[] };
}

export const definition = (name: string, overallThreshold: number) => ({
  name,
  overallThreshold,
  dimensions: [
    { name: 'Does it work?', weight: 60, category: 'correctness', threshold: 50 },
    { name: 'How did it go?', weight: 40, category: 'process' },
  ],
});

/** Posts JSON and reads the answer; one that is no success is an error. */
export const send = async (url: string, body: object, token?: string): Promise<Record<string, string>> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
};

/**
 * Makes an organisation by the operator's command, and its roles by the service's API.
 * @param stores the variables that name the stores, if they are on servers
 */
export const makeOrganisation = async (
  url: string,
  folder: string,
  roles: number,
  stores: Readonly<Record<string, string>> = {},
): Promise<Organisation> => {
  const email = 'owner@example.org';
  const args = [OPERATOR, 'organisations', 'create', '--name', 'Bench', '--owner-email', email, '--json'];
  const { stdout } = await run(process.execPath, args, {
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...stores },
  });
  const { id } = JSON.parse(stdout) as { id: string };
  const { idToken: token = '' } = await send(`${url}/issuer/token-for`, { email });
  await fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });
  const roleIds: string[] = [];
  for (let index = 0; index < roles; index++) {
    const made = await send(`${url}/organisations/${id}/roles`, definition(`Role ${index}`, 60), token);
    roleIds.push(made.id ?? '');
  }
  for (;;) {
    const response = await fetch(`${url}/organisations/${id}/signal`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const signal = (await response.json()) as Organisation['signal'];
    if (signal.roles.length === roles) return { id, token, roleIds, signal };
    await sleep(20);
  }
};
