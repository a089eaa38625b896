import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { readConfiguration } from '../../src/process/config.js';
import { openWriteSide } from '../../src/process/stores.js';
import type { Ended } from './copy-command.js';

/** `assay …` in a process of its own, on a data folder. */
export class AssayCommand {
  readonly #ended: Promise<Ended>;
  #output = '';
  #watchers: (() => void)[] = [];

  private constructor(readonly process: ChildProcess) {
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      process[stream]!.setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text;
        this.#output += text;
        for (const look of this.#watchers) look();
      });
    this.#ended = once(process, 'close').then(([code]) => ({ code: code as number | null, ...printed }));
  }

  /** @param fileBlocks a limit on the size of files in blocks of 512 bytes: to such a process the disk is full there */
  static start(dataDir: string, args: readonly string[], fileBlocks?: number): AssayCommand {
    const node = ['--enable-source-maps', resolve('dist/bin/operator.js'), ...args];
    const limited = ['-c', `trap '' XFSZ; ulimit -f ${fileBlocks ?? 0}; exec "$0" "$@"`, process.execPath];
    return new AssayCommand(
      spawn(
        fileBlocks === undefined ? process.execPath : '/bin/sh',
        fileBlocks === undefined ? node : [...limited, ...node],
        { env: { PATH: process.env['PATH'], DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', 'pipe'] },
      ),
    );
  }

  static run(dataDir: string, args: readonly string[], fileBlocks?: number): Promise<Ended> {
    return AssayCommand.start(dataDir, args, fileBlocks).ended();
  }

  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Resolves once it has printed this, or has ended. */
  async printed(what: RegExp): Promise<void> {
    const seen = new Promise<void>((settle) => {
      const look = (): void => {
        if (what.test(this.#output)) settle();
      };
      this.#watchers.push(look);
      look();
    });
    await Promise.race([seen, this.#ended]);
  }
}

/** Makes an empty data folder, as a service's first start does. */
export const beginDataFolder = async (dataDir: string): Promise<void> =>
  (await openWriteSide(readConfiguration({ DATA_DIR: dataDir }))).close();

/** What a writer has done, and told. */
export interface Told {
  readonly kind: 'acknowledged' | 'erased';
  readonly person: string;
  readonly ids?: readonly string[];
}

/** A process that works on a data folder as a service does. */
export class BackupWriter {
  readonly told: Told[] = [];
  errors = '';

  private constructor(readonly process: ChildProcess) {
    createInterface({ input: process.stdout! }).on('line', (line) =>
      this.told.push(JSON.parse(line) as Told),
    );
    process.stderr!.on('data', (text: Buffer) => (this.errors += text.toString()));
  }

  static start(dataDir: string, dataKey: Buffer, pauseMs: number): BackupWriter {
    const entry = resolve('dist/test/faults/backup-writer.js');
    return new BackupWriter(
      spawn(process.execPath, ['--no-warnings', entry, dataDir, dataKey.toString('hex'), `${pauseMs}`], {
        env: { PATH: process.env['PATH'] },
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
  }

  /** Resolves once it has told so much. */
  async hasTold(lines: number): Promise<void> {
    while (this.told.length < lines) {
      if (this.process.exitCode !== null) throw new Error(`The writer has ended: ${this.errors}`);
      await new Promise((settle) => setTimeout(settle, 5));
    }
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }
}
