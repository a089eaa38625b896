import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { readConfiguration } from '../../src/process/config.js';
import { openWriteSide } from '../../src/process/stores.js';

/** Makes an empty data folder, as a service's first start does. */
export const beginDataFolder = async (dataDir: string): Promise<void> =>
  (await openWriteSide(readConfiguration({ DATA_DIR: dataDir }))).close();

/** A line that a writer has printed: what it has done. */
export interface WriterLine {
  readonly kind: 'acknowledged' | 'erased';
  readonly person: string;
  readonly ids?: readonly string[];
}

/** A process that works on a data folder as a service does. */
export class BackupWriter {
  readonly printed: WriterLine[] = [];
  errors = '';

  private constructor(readonly process: ChildProcess) {
    createInterface({ input: process.stdout! }).on('line', (line) =>
      this.printed.push(JSON.parse(line) as WriterLine),
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

  /** Resolves once it has printed so many lines. @throws {Error} it has ended before */
  async hasPrinted(lines: number): Promise<void> {
    while (this.printed.length < lines) {
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
