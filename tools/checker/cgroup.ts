import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isProcessRunning } from '../../src/process/owner.js';
import { LIMITS } from './limits.js';

/** A group of processes whose memory and number the kernel bounds. */
export interface ControlGroup {
  /** To which a process writes its id, to belong to it. */
  readonly members: readonly string[];
  /** Kills what is left in it, and removes it. */
  end(): Promise<void>;
}

const ROOT = '/sys/fs/cgroup';
const MAX_TRIES = 50;

/** How memory and processes are bounded here. */
export type Bounds = 'cgroup v1' | 'cgroup v2' | 'rlimits';

/** Where this process may make groups, by what the kernel has; `rlimits`: nowhere. */
export const boundsHere = async (): Promise<Bounds> => {
  for (const bounds of ['cgroup v2', 'cgroup v1'] as const) {
    await sweep(bounds);
    const group = makeGroup(bounds);
    if (group === null) continue;
    await group.end();
    return bounds;
  }
  return 'rlimits';
};

/** A new group. `null`: none can be made. */
export const makeGroup = (bounds: Bounds): ControlGroup | null => {
  const name = `assay-check-${process.pid}-${randomUUID()}`;
  const made: string[] = [];
  try {
    for (const [base, settings] of placesOf(bounds)) {
      const folder = join(base, name);
      mkdirSync(folder);
      made.push(folder);
      for (const [file, value] of settings) writeFileSync(join(folder, file), value);
      // Kernels without swap accounting lack this file.
      for (const [file, value] of SWAP)
        if (existsSync(join(folder, file))) writeFileSync(join(folder, file), value);
    }
  } catch {
    for (const folder of made) remove(folder);
    return null;
  }
  if (made.length === 0) return null;
  return { members: made.map((folder) => join(folder, 'cgroup.procs')), end: () => endGroup(made) };
};

/** Ends the groups of checkers that were killed: their last processes may outlive them. */
const sweep = async (bounds: Bounds): Promise<void> => {
  await endGroup(groupsOfTheDead(bounds));
};

const groupsOfTheDead = (bounds: Bounds): readonly string[] => {
  try {
    return placesOf(bounds).flatMap(([base]) =>
      readdirSync(base)
        .filter((name) => {
          const [, pid] = /^assay-check-(\d+)-/.exec(name) ?? [];
          return pid !== undefined && !isProcessRunning(Number(pid));
        })
        .map((name) => join(base, name)),
    );
  } catch {
    // If groups cannot be listed, none can be made either.
    return [];
  }
};

type Place = readonly [base: string, settings: readonly (readonly [file: string, value: string])[]];

const MEMORY = String(LIMITS.memoryBytes);
const TASKS = String(LIMITS.tasks);
const SWAP = [
  ['memory.memsw.limit_in_bytes', MEMORY],
  ['memory.swap.max', '0'],
] as const;

const placesOf = (bounds: Bounds): readonly Place[] => {
  if (bounds === 'rlimits') return [];
  const own = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  const pathOf = (controller: string): string | undefined =>
    own
      .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
      .find((found) => found?.[1]?.split(',').includes(controller) === true)?.[2];
  if (bounds === 'cgroup v1') {
    const memory = pathOf('memory');
    const pids = pathOf('pids');
    if (memory === undefined || pids === undefined) return [];
    return [
      [join(ROOT, 'memory', memory), [['memory.limit_in_bytes', MEMORY]]],
      [join(ROOT, 'pids', pids), [['pids.max', TASKS]]],
    ];
  }
  const path = pathOf('');
  if (path === undefined || !existsSync(join(ROOT, 'cgroup.controllers'))) return [];
  // This process's own group has processes, so it cannot distribute memory among subgroups; its parent may.
  const base = [join(ROOT, path), join(ROOT, path, '..')].find(canShareOut);
  if (base === undefined) return [];
  return [
    [
      base,
      [
        ['memory.max', MEMORY],
        ['pids.max', TASKS],
      ],
    ],
  ];
};

const canShareOut = (folder: string): boolean => {
  try {
    const file = join(folder, 'cgroup.subtree_control');
    const has = readFileSync(file, 'utf8').trim().split(' ');
    if (!has.includes('memory') || !has.includes('pids')) writeFileSync(file, '+memory +pids');
    return true;
  } catch {
    return false;
  }
};

const endGroup = async (folders: readonly string[]): Promise<void> => {
  for (let time = 0; time < MAX_TRIES; time += 1) {
    for (const folder of folders) killAll(folder);
    if (folders.map(remove).every(Boolean)) return;
    await pause(time);
  }
};

const killAll = (folder: string): void => {
  for (const id of read(join(folder, 'cgroup.procs')).split('\n')) {
    if (id === '' || id === '0') continue;
    try {
      process.kill(Number(id), 'SIGKILL');
    } catch {
      // It is gone.
    }
  }
};

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** @returns whether it is gone: one with processes stays */
const remove = (folder: string): boolean => {
  try {
    rmdirSync(folder);
  } catch {
    return !existsSync(folder);
  }
  return true;
};

/** Tasks of a user of this machine. */
export const tasksOf = (user: number): number =>
  readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .map((id) => read(`/proc/${id}/status`))
    .filter((status) => new RegExp(`^Uid:\\s+${user}\\s`, 'm').test(status))
    .reduce((sum, status) => sum + Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 1), 0);
