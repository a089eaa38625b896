import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { runInThisContext } from 'node:vm';

const SCRIPT = 'docs/verify-evidence.mjs';

/** The output of an auditor's check, and its exit code. */
interface Audited {
  readonly code: number;
  readonly text: string;
}

/** Runs the check as an auditor does: in a process of its own. */
export const audit = (...args: string[]): Promise<Audited> =>
  new Promise((settle) => {
    execFile(process.execPath, [SCRIPT, ...args], (error, stdout, stderr) =>
      settle({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    );
  });

/** Runs the same file in this process: faster than a process for each of many checks. */
export const auditHere = async (...args: string[]): Promise<Audited> => {
  const said: string[] = [];
  const say = (line: string): void => void said.push(`${line}\n`);
  const exit = (code: number): never => {
    throw new Exit(code);
  };
  const script = await compiled();
  try {
    script({ log: say, error: say }, { argv: ['node', SCRIPT, ...args], exit });
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { code: error.code, text: said.join('') };
  }
  return { code: 0, text: said.join('') };
};

type Script = (console: object, process: object) => void;

/** The script as a function of the globals that it uses. It imports only Node's modules. */
const compiled = async (): Promise<Script> => {
  const modules: Record<string, unknown> = {};
  const source = await readFile(SCRIPT, 'utf8');
  const imports = /^import (\{.*\}) from '(node:\w+)';$/gm;
  for (const [, , name = ''] of source.matchAll(imports)) modules[name] = await import(name);
  const body = source.replace(/^#!.*/, '').replace(imports, "const $1 = modules['$2'];");
  // In Node's main context: arrays of the test's own context would not equal those of Node's modules.
  const make = runInThisContext(`(modules) => (console, process) => {${body}}`, { filename: SCRIPT }) as (
    modules: object,
  ) => Script;
  return make(modules);
};

class Exit extends Error {
  constructor(readonly code: number) {
    super();
  }
}
