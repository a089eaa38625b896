import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type Bounds, boundsHere, makeGroup, tasksOf } from './cgroup.js';
import { LIMITS } from './limits.js';

/** A program to run apart from this machine. */
export interface Program {
  readonly command: readonly string[];
  /** Where it begins; by the path outside where there is no sandbox. */
  readonly folder: string;
  /** Folders that it can read, by their path in the sandbox. */
  readonly folders: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly timeoutMs: number;
  /** Called once with its descriptor 3, a socket. Left out: the program has no such descriptor. */
  readonly channel?: (socket: Socket) => void;
}

/** How a program ended. Either `code` or `signal` is `null`: the program exited, or a signal ended it. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it was ended; `null`: it ended by itself. */
  readonly ended: 'timed_out' | 'too_much_output' | null;
}

/** Runs programs. */
export interface Sandbox {
  /** How it keeps programs apart, as a sentence. */
  readonly description: string;
  /** @throws {NoSandbox} the program was not started, for which it cannot be blamed */
  run(program: Program): Promise<Ended>;
  /** Kills all programs that run, so that each `run` ends. */
  stop(): void;
}

/** No sandbox can be made on this machine. The message says why. */
export class NoSandbox extends Error {
  override readonly name = 'NoSandbox';
}

/** Users that no program of the machine has, one for each run of the checker: the kernel counts processes by user. */
const FIRST_USER = 60_100;
const USERS = 5_000;

const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'];
const NODE = '/opt/node/bin/node';

/** Node, at its path in the sandbox. */
const nodeInside = (): readonly [path: string, outside: string] => {
  const outside = realpathSync(process.execPath);
  return [outside.startsWith('/usr/') ? outside : NODE, outside];
};

/** Reports on descriptor 4 that the sandbox is set up and has the program, then executes the program. */
const STARTED = [
  'case $1 in */*) ;; *) command -v "$1" > /dev/null || { echo "There is no $1 in the sandbox." >&2; exit 127; } ;; esac',
  'echo started >&4; exec 4>&-; exec "$@"',
].join('; ');

const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/**
 * A sandbox by `bwrap`: no network, processes and `/proc` of its own, an unprivileged user, nothing to write but a small
 * `/tmp`. Memory and processes are bounded by control groups, or by resource limits if no group can be made.
 * @throws {NoSandbox}
 */
export const bwrapSandbox = async (): Promise<Sandbox> => {
  for (const command of ['bwrap', 'prlimit', 'setpriv'])
    if (!has(command)) throw new NoSandbox(`There is no ${command} on this machine.`);
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? FIRST_USER + randomInt(USERS) : (process.getuid?.() ?? 0);
  const bounds = await boundsHere();
  const help = spawnSync('bwrap', ['--help'], { encoding: 'utf8' }).stdout;
  const options = { user: isRoot ? user : null, bounds, nested: help.includes('--disable-userns') };
  const running = new Set<ChildProcess>();
  const run = (program: Program): Promise<Ended> => runBounded(program, options, user, running);
  await run({ command: ['true'], folder: '/', folders: {}, stdin: '', timeoutMs: LIMITS.workMs });
  const how = bounds === 'rlimits' ? 'resource limits' : bounds;
  return {
    description: `Sandbox: bwrap, user ${user}, memory and processes bounded by ${how}.`,
    run,
    stop: () => stopAll(running),
  };
};

/** Plain children of this process, with no more than limits of time and output: for tests alone. */
export const noSandbox = (): Sandbox => {
  const running = new Set<ChildProcess>();
  return {
    description: 'No sandbox: CHECKER_UNSAFE is on.',
    run: (program) => runPlain(program, running),
    stop: () => stopAll(running),
  };
};

const stopAll = (running: ReadonlySet<ChildProcess>): void => {
  for (const child of running) kill(child);
};

/** How sandboxes are made on this machine. */
interface Options {
  /** `null`: the one that runs already. */
  readonly user: number | null;
  /** What bounds memory and processes. */
  readonly bounds: Bounds;
  /** Whether `bwrap` can forbid user namespaces within the sandbox. */
  readonly nested: boolean;
}

/** Runs a program in a sandbox, under limits. */
const runBounded = async (
  program: Program,
  options: Options,
  user: number,
  running: Set<ChildProcess>,
): Promise<Ended> => {
  const group = makeGroup(options.bounds);
  if (group === null && options.bounds !== 'rlimits')
    throw new NoSandbox('A control group could not be made.');
  const tasks = options.user === null ? tasksOf(user) + LIMITS.tasks : LIMITS.tasks;
  const limits = [
    '--core=0',
    `--fsize=${LIMITS.fileBytes}`,
    `--cpu=${Math.ceil(program.timeoutMs / 1_000) + 1}`,
    ...(group === null ? [`--nproc=${tasks}`, `--data=${LIMITS.memoryBytes}`] : []),
  ];
  const drop =
    options.user === null
      ? []
      : ['setpriv', `--reuid=${options.user}`, `--regid=${options.user}`, '--clear-groups', '--no-new-privs'];
  // The shell joins the groups, then executes the program.
  const script = `${(group?.members ?? []).map((file) => `echo 0 > '${file}' && `).join('')}exec "$@"`;
  const command = [
    'prlimit',
    ...limits,
    '--',
    ...drop,
    'bwrap',
    ...mountsOf(program, options),
    '--',
    ...['sh', '-c', STARTED, 'sh'],
    ...program.command,
  ];
  try {
    const child = spawn('sh', ['-c', script, 'sh', ...command], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', program.channel === undefined ? 'ignore' : 'pipe', 'pipe'],
    });
    return await follow(child, program, running);
  } finally {
    await group?.end();
  }
};

const mountsOf = ({ folders, folder }: Program, { nested }: Options): readonly string[] => {
  const [node, outside] = nodeInside();
  const size = ['--size', String(LIMITS.fileBytes), '--tmpfs'];
  return [
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],
    ...['--unshare-cgroup-try', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(nested ? ['--disable-userns'] : []),
    ...['--hostname', 'sandbox', '--clearenv', '--setenv', 'HOME', '/tmp', '--setenv', 'LANG', 'C.UTF-8'],
    ...['--setenv', 'PATH', '/opt/node/bin:/usr/local/bin:/usr/bin:/bin'],
    ...['--ro-bind', '/usr', '/usr'],
    ...SYSTEM.filter((path) => existsSync(path)).flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    ),
    ...['/etc/alternatives', '/etc/ld.so.cache'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...(node === NODE ? ['--ro-bind', outside, node] : []),
    ...['--proc', '/proc', '--dev', '/dev', ...size, '/dev/shm', '--remount-ro', '/dev', ...size, '/tmp'],
    ...Object.entries(folders).flatMap(([inside, path]) => ['--ro-bind', path, inside]),
    ...['--remount-ro', '/', '--chdir', folder],
  ];
};

const runPlain = (program: Program, running: Set<ChildProcess>): Promise<Ended> => {
  const [command = '', ...words] = program.command;
  const child = spawn(command, words, {
    cwd: program.folders[program.folder] ?? program.folder,
    detached: true,
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe', ...(program.channel === undefined ? [] : ['pipe' as const])],
  });
  return follow(child, program, running);
};

const kill = (child: ChildProcess): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
};

const follow = (child: ChildProcess, program: Program, running: Set<ChildProcess>): Promise<Ended> =>
  new Promise((resolve, reject) => {
    running.add(child);
    let why: Ended['ended'] = null;
    const end = (reason: NonNullable<Ended['ended']>): void => {
      why ??= reason;
      kill(child);
    };
    const timer = setTimeout(() => end('timed_out'), program.timeoutMs);
    const gather = (stream: Readable | null): (() => string) => {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      stream?.on('data', (chunk: Uint8Array) => {
        bytes += chunk.byteLength;
        if (bytes > LIMITS.outputBytes) end('too_much_output');
        else chunks.push(chunk);
      });
      stream?.on('error', () => undefined);
      return () => Buffer.concat(chunks).toString('utf8');
    };
    const stdout = gather(child.stdout);
    const stderr = gather(child.stderr);
    // Without `bwrap` the child has no such descriptor.
    const startSign = child.stdio[4];
    let isStarted = !(startSign instanceof Socket);
    if (startSign instanceof Socket)
      startSign
        .on('data', () => {
          isStarted = true;
        })
        .on('error', () => undefined);
    const done = (code: number | null, signal: string | null): void => {
      clearTimeout(timer);
      running.delete(child);
      kill(child);
      if (isStarted) resolve({ stdout: stdout(), stderr: stderr(), code, signal, ended: why });
      else reject(new NoSandbox(`bwrap made no sandbox: ${stderr().trim() || 'it was ended'}`));
    };
    child.once('error', (error) => reject(new NoSandbox(error.message)));
    child.once('exit', () => kill(child));
    child.once('close', done);
    // A program need not read what it gets.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(program.stdin);
    const channel = child.stdio[3];
    if (channel instanceof Socket) program.channel?.(channel);
  });
