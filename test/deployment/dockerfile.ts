/** One instruction of a Dockerfile, its continuation lines joined. */
export interface Instruction {
  readonly name: string;
  /** The text after the name, with the defaults of build arguments put in. */
  readonly rest: string;
}

/** A build stage: one `FROM` and what follows it. */
export interface Stage {
  readonly name: string | null;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, in order. */
export const stagesOf = (text: string): readonly Stage[] => {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const args = new Map<string, string>();
  const stages: { name: string | null; base: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', written = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    const runs = ['RUN', 'CMD', 'ENTRYPOINT', 'HEALTHCHECK'].includes(name);
    const rest = runs
      ? written
      : written.replaceAll(/\$\{(\w+)\}/g, (whole, arg: string) => args.get(arg) ?? whole);
    if (name === 'ARG') {
      const [arg = '', value = ''] = rest.split('=', 2);
      args.set(arg, value);
    } else if (name === 'FROM') {
      const [base = '', , alias = null] = rest.split(/\s+/);
      stages.push({ name: alias, base, instructions: [] });
    }
    stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
};

/** The `rest` of every instruction with this name. */
export const allOf = (stage: Stage, name: string): readonly string[] =>
  stage.instructions.filter((one) => one.name === name).map(({ rest }) => rest);

/** `NAME=value` pairs of `ENV` and `LABEL`. */
export const pairsOf = (stage: Stage, name: 'ENV' | 'LABEL'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    allOf(stage, name).flatMap((rest) =>
      [...rest.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, key = '', quoted, plain]) => [
        key,
        quoted ?? plain ?? '',
      ]),
    ),
  );

/** What a stage copies; `from` is another stage, or `null` for the build context. */
export const copiesOf = (stage: Stage): readonly { from: string | null; source: string; target: string }[] =>
  allOf(stage, 'COPY').flatMap((rest) => {
    const from = /--from=(\S+)/.exec(rest)?.[1] ?? null;
    const paths = rest.split(/\s+/).filter((part) => !part.startsWith('--'));
    const target = paths.pop() ?? '';
    return paths.map((source) => ({ from, source, target }));
  });

const WILD: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '*': '[^/]*' };

/** Whether a `.dockerignore` excludes a path from the build context. The last rule wins. */
export const isIgnored = (rules: string, path: string): boolean => {
  let ignored = false;
  for (const line of rules.split('\n')) {
    const rule = line.trim();
    if (rule === '' || rule.startsWith('#')) continue;
    const [, not = '', pattern = ''] = /^(!?)\/?(.*)$/.exec(rule) ?? [];
    if (/[?[\]\\]/.test(pattern)) throw new Error(`The rule "${rule}" is of a kind that is not read here.`);
    const expression = pattern
      .split(/(\*\*\/|\*)/)
      .map((part) => WILD[part] ?? part.replaceAll(/[.+^${}()|]/g, '\\$&'))
      .join('');
    // A rule for a folder applies to everything in it.
    if (new RegExp(`^${expression}(?:/.*)?$`).test(path)) ignored = not === '';
  }
  return ignored;
};
