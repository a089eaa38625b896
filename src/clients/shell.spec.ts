import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VaultUnavailable } from '../core/errors.js';
import { ShellCommand, withoutSecrets } from './shell.js';
import { ProviderFailed } from './speech.js';

const never = new AbortController().signal;
const LIMITS = { timeoutMs: 20_000, maxBytes: 1_000_000 };

const shell = (command: string, lines: unknown[] = []): ShellCommand =>
  new ShellCommand('The command', command, { debug: (...line: unknown[]) => void lines.push(line) });
const read = async (output: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};
const failure = async (output: Promise<unknown>): Promise<string> => {
  const error = await output.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderFailed)) throw new Error(`It did not fail as it should: ${String(error)}`);
  return error.message;
};
/** Prints the id of its process group. */
const GROUP = 'cut -d" " -f5 /proc/$$/stat';
/** What still runs in the group of a process. */
const group = (id: number): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      // Behind the name, which may hold anything: state, parent, group.
      const [state, , groupId] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      return groupId === String(id) && state !== 'Z';
    } catch {
      return false;
    }
  });
const gone = async (id: number): Promise<void> => {
  const until = performance.now() + 5_000;
  while (group(id).length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(group(id)).toEqual([]);
};

describe('a command of the operator’s', () => {
  it('gets its input and gives its output, as it comes', async () => {
    expect(await read(shell('cat').run('Grüße', LIMITS, never))).toBe('Grüße');
    const output = shell('printf a; sleep 0.2; printf b').run('', LIMITS, never);
    expect((await output.next()).value).toEqual(Buffer.from('a'));
    expect((await output.next()).value).toEqual(Buffer.from('b'));
    expect((await output.next()).done).toBe(true);
  });

  it('need not read what it gets, and gets a lot', async () => {
    const much = {
      async *[Symbol.asyncIterator]() {
        for (let piece = 0; piece < 400; piece++) yield new Uint8Array(10_000);
      },
    };
    expect(await read(shell('printf done').run(much, LIMITS, never))).toBe('done');
    expect(await read(shell('wc -c < /dev/stdin').run(much, LIMITS, never))).toMatch(/^\s*4000000\s*$/);
    expect(await read(shell('head -c 5 | wc -c').run(much, LIMITS, never))).toMatch(/^\s*5\s*$/);
    expect(await read(shell('wc -c').run(much, LIMITS, never))).toMatch(/^\s*4000000\s*$/);
  });

  it('that got a part of its input for the whole gives no output for it', async () => {
    const broken = async function* () {
      yield new Uint8Array(10_000);
      throw new VaultUnavailable('It is away.');
    };
    await expect(read(shell('wc -c').run(broken(), LIMITS, never))).rejects.toThrow(VaultUnavailable);
  });

  it.each([
    ['exit 3', 'The command ended with status 3.'],
    ['no-such-program-here', 'The command ended with status 127, a program was not found.'],
    ['/etc', 'The command ended with status 126, a program could not be run.'],
    ['kill -SEGV $$', 'The command was ended by SIGSEGV.'],
    ['exit 130', 'The command was ended by SIGINT.'],
    ['syntax (', 'The command ended with status 2.'],
    ['printf half; exit 1', 'The command ended with status 1.'],
  ])('fails as %p does', async (command, sentence) => {
    expect(await failure(read(shell(command).run('', LIMITS, never)))).toBe(sentence);
  });

  it('shows the end of what it complains about when debugging, without addresses', async () => {
    const lines: unknown[] = [];
    const command = 'yes noise | head -c 200004 >&2; echo "for ann@example.org: no model" >&2; exit 1';
    await failure(read(shell(command, lines).run('said', LIMITS, never)));
    expect(lines).toEqual([
      [
        { stderr: expect.stringMatching(/noise\nfor \[redacted\]: no model\n$/) },
        'The command ended with status 1.',
      ],
    ]);
    expect(JSON.stringify(lines).length).toBeLessThan(6_000);
    await read(shell('echo fine >&2', lines).run('', LIMITS, never));
    expect(lines).toHaveLength(1);
  });

  it('is killed with all that it started when it takes too long', async () => {
    const output = shell(`${GROUP}; sleep 61 & sleep 62 | sleep 63`).run(
      '',
      { ...LIMITS, timeoutMs: 300 },
      never,
    );
    const id = Number(Buffer.from((await output.next()).value as Uint8Array).toString());
    expect(group(id).length).toBeGreaterThan(1);
    expect(await failure(read(output))).toBe('The command was ended after 300 ms.');
    await gone(id);
  });

  it('is killed when it is cancelled, or its output is not read on', async () => {
    const caller = new AbortController();
    const command = shell(`trap '' TERM INT HUP; ${GROUP}; while :; do sleep 0.1; done`);
    const output = command.run('', LIMITS, caller.signal);
    const id = Number(Buffer.from((await output.next()).value as Uint8Array).toString());
    setTimeout(() => caller.abort(), 50);
    expect(await failure(read(output))).toBe('The command was cancelled.');
    await gone(id);

    let left = 0;
    for await (const chunk of shell(`${GROUP}; sleep 64`).run('', LIMITS, never)) {
      left = Number(Buffer.from(chunk).toString());
      break;
    }
    await gone(left);
  });

  it('is killed with all that it started when the process that runs it is killed', async () => {
    const program = `
      const { ShellCommand } = await import(${JSON.stringify(resolve('dist/src/clients/shell.js'))});
      const command = new ShellCommand('It', '${GROUP}; sleep 67 & sleep 68', { debug: () => undefined });
      const limits = ${JSON.stringify(LIMITS)};
      for await (const chunk of command.run('', limits, new AbortController().signal)) process.stdout.write(chunk);`;
    const args = ['--input-type=module', '-e', program];
    const killed = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = (await once(killed.stdout, 'data')) as [Buffer];
    const id = Number(printed.toString());
    expect(group(id).length).toBeGreaterThan(1);
    killed.kill('SIGKILL');
    await gone(id);
  });

  it('leaves nothing running behind its back, and does not wait for it', async () => {
    const began = performance.now();
    const id = Number(await read(shell(`${GROUP}; sleep 65 &`).run('', LIMITS, never)));
    expect(performance.now() - began).toBeLessThan(5_000);
    await gone(id);
  });

  it('does not wait for what has left its group and holds its output', async () => {
    const output = shell('setsid sh -c "echo \\$\\$; exec sleep 3" &').run(
      '',
      { ...LIMITS, timeoutMs: 500 },
      never,
    );
    const began = performance.now();
    await read(output).catch(() => undefined);
    expect(performance.now() - began).toBeLessThan(2_500);
  });

  it('is killed when it writes too much', async () => {
    const output = shell('yes').run('', { ...LIMITS, maxBytes: 100_000 }, never);
    expect(await failure(read(output))).toBe('The command wrote more than 100000 bytes.');
  });

  it('runs a few times at once and the rest in order; a cancelled one does not run', async () => {
    const command = shell('cat; sleep 0.4');
    const began = performance.now();
    const order: string[] = [];
    const leaving = new AbortController();
    const run = async (name: string, signal = never): Promise<void> => {
      order.push(await read(command.run(name, LIMITS, signal)));
    };
    const first = ['1', '2', '3', '4'].map((name) => run(name));
    const left = failure(run('5', leaving.signal));
    const last = run('6');
    leaving.abort();
    expect(await left).toBe('The command was cancelled before it ran.');
    await Promise.all(first);
    expect(order).toHaveLength(4);
    await last;
    expect(order[4]).toBe('6');
    expect(performance.now() - began).toBeGreaterThanOrEqual(780);
  });

  it('gives its place back however it ends', async () => {
    const command = shell('read -r what; eval "$what"');
    for (let n = 0; n < 3; n += 1) {
      await Promise.all([
        failure(read(command.run('exit 1\n', LIMITS, never))),
        failure(read(command.run('sleep 66\n', { ...LIMITS, timeoutMs: 50 }, never))),
        failure(read(command.run('sleep 66\n', LIMITS, AbortSignal.abort()))),
        (async () => {
          for await (const chunk of command.run('yes\n', LIMITS, never)) if (chunk.byteLength > 0) break;
        })(),
      ]);
    }
    expect(await read(command.run('printf well\n', LIMITS, never))).toBe('well');
  });

  it('sees the environment but not the service’s secrets, and what is said not on its command line', async () => {
    const environment = {
      PATH: '/usr/bin',
      MODEL_DIR: '/models',
      DATA_KEY: 'secret',
      DATA_KEY_PREVIOUS: 'secret',
      SIGNING_KEY: 'secret',
      OPENAI_API_KEY: 'secret',
      MONGODB_URL: 'mongodb://user:secret@host/assay',
      PUBLIC_URL: 'https://assay.example.org/@here',
    };
    expect(withoutSecrets(environment)).toEqual({
      PATH: '/usr/bin',
      MODEL_DIR: '/models',
      PUBLIC_URL: 'https://assay.example.org/@here',
    });
    process.env.SIGNING_KEY = 'kept from commands';
    process.env.MODEL_DIR = '/known to commands';
    try {
      const seen = await read(shell('env; tr "\\0" " " < /proc/$$/cmdline').run('my answer', LIMITS, never));
      expect(seen).toContain('MODEL_DIR=/known to commands');
      expect(seen).not.toMatch(/kept from commands|my answer/);
    } finally {
      delete process.env.SIGNING_KEY;
      delete process.env.MODEL_DIR;
    }
  });
});
