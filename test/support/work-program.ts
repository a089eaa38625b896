import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Program } from './program.js';

/** How a run of the program ended. */
interface ProgramEnd {
  readonly code: number | null;
  readonly out: string;
  /** Its output for the candidate. */
  readonly said: string;
}

/** A running program. */
interface ProgramRun {
  /** Waits until its output matches. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramEnd>;
}

/** The program `assay-work` of one candidate, with a folder and a home of its own. */
export class WorkProgram {
  private constructor(
    readonly folder: string,
    /** Replaces the user's folder for configuration. */
    readonly home: string,
    private readonly main: readonly string[],
  ) {}

  /** Makes the program's folders. Close it. @param main the command that runs it; by default the built program */
  static async open(
    main: readonly string[] = [process.execPath, resolve('dist/packages/work/src/main.js')],
  ): Promise<WorkProgram> {
    const base = await mkdtemp(join(tmpdir(), 'assay-work-'));
    return new WorkProgram(join(base, 'work'), join(base, 'home'), main);
  }

  /** @param cwd by default the folder of this process */
  run(args: readonly string[], { cwd }: { readonly cwd?: string } = {}): ProgramRun {
    const [file = '', ...before] = this.main;
    const program = Program.start(file, [...before, ...args], {
      ...(cwd !== undefined && { cwd }),
      env: { PATH: process.env['PATH'], HOME: this.home, ASSAY_WORK_HOME: this.home },
    });
    const ended = program.ended().then(({ code, out, err }) => ({ code, out, said: err }));
    const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
      const late = sleep(60_000, null, { ref: false });
      const found = await Promise.race([program.reached(({ err }) => pattern.exec(err)), late]);
      if (found === null) throw new Error(`It did not say ${String(pattern)}.`);
      return found;
    };
    return { child: program.process, ended, says };
  }

  /** Runs it in the folder of the work, to its end. */
  inside(...args: readonly string[]): Promise<ProgramEnd> {
    return this.run(args, { cwd: this.folder }).ended;
  }

  async close(): Promise<void> {
    await rm(join(this.folder, '..'), { recursive: true, force: true });
  }
}
