import { MINUTE_MS } from '../core/timestamp.js';
import type { CheckIsolation } from '../domain/ticket/events.js';
import { exposureOf } from './issuer-mode.js';
import { commandOf, type LocalCommand } from './providers.js';
import type { VariableReader } from './variable-reader.js';
import { isIsolation } from './variables.js';

/** The program that runs checks over candidates' work, and its limits. */
export type CheckerSettings =
  | { readonly kind: 'none' }
  | (LocalCommand & {
      /** The isolations that the command supports. */
      readonly isolations: readonly CheckIsolation[];
      /** Longest time of one run, in milliseconds. */
      readonly timeoutMs: number;
      /** How many runs this process makes at the same time. */
      readonly atOnce: number;
      /** A check that fails for other reasons than its command is retried for so long after its request; in ms. */
      readonly giveUpMs: number;
    });

/** Matches a command that uses its arguments: a run's folders and slug. */
const PASSES_ARGUMENTS = /\$(@|\*|\{?[1-3])/;

const USED_WITH_A_COMMAND = [
  'CHECKER_ISOLATION',
  'CHECKER_SECONDS',
  'CHECKER_AT_ONCE',
  'CHECKER_GIVE_UP_MINUTES',
  'CHECKER_UNSAFE',
] as const;

/** Reads the checker's settings. A variable that is set but has no effect is reported as wrong. */
export const checkerSettingsOf = (
  read: VariableReader,
  reached: { production: boolean; publicUrl: string | null; trustedProxies: readonly string[] },
): CheckerSettings => {
  const local = commandOf(read, 'CHECKER', read.get('CHECKER'));
  if (local === null) {
    const unused = USED_WITH_A_COMMAND.find((name) => read.has(name));
    return unused === undefined
      ? { kind: 'none' }
      : read.wrong(unused, 'is used only while CHECKER is command.');
  }
  if (!PASSES_ARGUMENTS.test(local.command)) {
    return read.wrong(
      'CHECKER_COMMAND',
      'must pass its arguments on: end it in "$@", or name "$1" (slug), "$2" (input folder) and "$3" (output folder).',
    );
  }
  if (read.get('CHECKER_UNSAFE') === 'on') assertForTests(read, reached);
  return {
    ...local,
    isolations: read.get('CHECKER_ISOLATION').filter(isIsolation),
    timeoutMs: read.get('CHECKER_SECONDS') * 1_000,
    atOnce: read.get('CHECKER_AT_ONCE'),
    giveUpMs: read.get('CHECKER_GIVE_UP_MINUTES') * MINUTE_MS,
  };
};

/** Refuses the command if other machines can reach the service: their users could run programs on this machine. */
const assertForTests = (
  read: VariableReader,
  { production, publicUrl, trustedProxies }: Parameters<typeof checkerSettingsOf>[1],
): void => {
  if (production) read.wrong('CHECKER_UNSAFE', 'cannot be on while NODE_ENV is production.');
  const way = exposureOf({
    HOST: read.get('HOST'),
    PUBLIC_URL: publicUrl ?? undefined,
    behindProxy: trustedProxies.length > 0,
  });
  if (way !== null || read.get('DEVELOPMENT_ISSUER') === 'on')
    read.wrong('CHECKER_UNSAFE', `cannot be on while ${way ?? 'DEVELOPMENT_ISSUER is on'}.`);
};
