import { Command, InvalidArgumentError } from 'commander';
import { urlOf } from '../../src/core/text.js';
import { print } from '../../src/operator/cli/output.js';
import { EXIT_CODES, Interrupted, parsedAsHere } from '../../src/operator/cli/program.js';
import { progressOn } from '../../src/operator/cli/progress.js';
import { asTyped } from '../../src/process/installation.js';
import { NoBrowser } from './browser.js';
import { NoOrganisation } from './organisation.js';
import { ServiceGone, Unexpected } from './service.js';
import { simulate } from './simulate.js';

/** `npm run simulate`: whole hiring rounds over HTTP, and a count that must agree. Exit codes as of `assay`. */

interface Flags {
  readonly candidates: number;
  readonly seed: number;
  readonly url: readonly [string, ...string[]];
  readonly organisation?: string;
  readonly email?: string;
  readonly interview?: true;
  readonly web: number;
}

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };

const httpUrl = (text: string): string => {
  const url = urlOf(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an http or https address, or several separated by commas.');
  return url.href.replace(/\/$/, '');
};

const httpUrls = (text: string): readonly [string, ...string[]] => {
  const [first = '', ...others] = text.split(',');
  return [httpUrl(first.trim()), ...others.map((other) => httpUrl(other.trim()))];
};

const program = parsedAsHere(new Command('simulate'))
  .description('Plays hiring rounds over HTTP and compares the signal with its own count.')
  .option('--candidates <n>', 'how many people apply', wholeNumber(1, 100_000), 50)
  .option('--seed <n>', 'the same seed plays the same round', wholeNumber(0, 0xffff_ffff), 7)
  .option(
    '--url <addresses>',
    'the service; several processes of it separated by commas',
    httpUrls,
    httpUrls(`http://127.0.0.1:${process.env['PORT'] ?? '3000'}`),
  )
  .option('--interview', 'trials are completed by an interview over its socket')
  .option('--web <n>', 'how many more go the whole way in a real browser', wholeNumber(0, 1_000), 0)
  .option('--organisation <id>', 'an organisation that exists (with --email)')
  .option('--email <address>', 'an owner of that organisation')
  .allowExcessArguments(false)
  .addHelpText('after', EXIT_CODES)
  .parse();

const flags = program.opts<Flags>();
if ((flags.organisation === undefined) !== (flags.email === undefined))
  program.error('error: --organisation and --email belong together: an organisation and an owner of it.');

const say = (line: string): void => print(line);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.stderr.write('Interrupted: the round was not played to its end.\n');
    process.exit(new Interrupted().exitCode);
  });

try {
  const differences = await simulate(
    {
      candidates: flags.candidates,
      seed: flags.seed,
      urls: flags.url,
      interviews: flags.interview === true,
      web: flags.web,
      issuer: (process.env['OIDC_ISSUER'] ?? `${flags.url[0]}/issuer`).replace(/\/$/, ''),
      organisation:
        flags.organisation === undefined || flags.email === undefined
          ? null
          : { id: flags.organisation, ownerEmail: flags.email },
    },
    say,
    progressOn(process.stdout),
  );
  if (differences.length === 0) say('Everything agrees.');
  else {
    for (const difference of differences) say(`DIFFERENT  ${difference}`);
    say(differences.length === 1 ? '1 difference.' : `${differences.length} differences.`);
    process.exitCode = 1;
  }
} catch (error) {
  const told = [ServiceGone, Unexpected, NoOrganisation, NoBrowser];
  if (!(error instanceof Error) || !told.some((kind) => error instanceof kind)) throw error;
  print(asTyped(error.message), process.stderr);
  process.exitCode = 1;
}
