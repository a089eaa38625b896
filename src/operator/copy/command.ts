import type { Command } from 'commander';
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppendRefused } from '../../core/errors.js';
import { ISSUER_FILE } from '../../process/secret-files.js';
import { answer, type Screen, screenFor } from '../cli/output.js';
import { OperatorError, stoppable } from '../cli/program.js';
import type { VaultContent } from './copy-vault.js';
import { copy, type CopyReport } from './copy.js';
import {
  assertFolders,
  dataKeyOf,
  nameOf,
  needBothClients,
  NoPlace,
  parsePlace,
  type Place,
} from './place.js';
import { Retries } from './retries.js';
import { openSource, openTarget } from './side.js';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly json?: true;
}

const HELP = `
A PLACE is a data folder (DATA_DIR of a service), or an EventStoreDB URL and a MongoDB URL joined by a comma. The log
and the vault are copied and compared at the end; views are not: the next start on the target rebuilds them.

Stop every process that works on either place first. A copy that was cut off continues when you run it again. A target
that holds anything but the beginning of the source is refused and left unchanged.

Both vaults use one DATA_KEY: that of the environment, else the data.key of a data folder. No key is copied: a service
on the target needs the same DATA_KEY and SIGNING_KEY, in its environment or, for a folder, as data.key and signing.key
that you copy there. From folder to folder the file of the development issuer is copied too, if there is one.

Example:
  $ assay events copy --from ./data --to 'esdb://localhost:2113?tls=false,mongodb://localhost:27017/assay'
  $ assay events copy --from 'esdb://localhost:2113?tls=false,mongodb://localhost:27017/assay' --to ./data-again`;

/** `events copy`: copies everything that cannot be rebuilt from one store to another. */
export const copyEventsCommand = (root: Command): void => {
  const command = root
    .command('events')
    .description('The event log.')
    .command('copy')
    .description('Copy the whole log and vault to another place: between a data folder and servers.')
    .requiredOption('--from <place>', 'where to copy from')
    .requiredOption('--to <place>', 'where to copy to: empty, or an earlier run of this copy')
    .option('--json', 'print one JSON object with counts and hashes and nothing else')
    .addHelpText('after', HELP)
    .action(({ from, to, json }: Options) => {
      const places = [from, to].map((text) => place(command, text)) as [Place, Place];
      if (needBothClients(...places))
        command.error(
          'error: esdb:// and kurrentdb:// need clients that cannot share a process: name both servers by the same scheme.',
        );
      return run(...places, json);
    });
};

/** Reads a place. Not done by Commander, which would print the text with its passwords. */
const place = (command: Command, text: string): Place => {
  try {
    return parsePlace(text);
  } catch (error) {
    if (error instanceof NoPlace) command.error(`error: ${error.message}`);
    throw error;
  }
};

const run = async (from: Place, to: Place, json?: true): Promise<void> => {
  assertFolders(from, to);
  const dataKey = await dataKeyOf(from, to, process.env);
  const screen = screenFor(json);
  const report = await stoppable((signal) => copyPlaces(from, to, dataKey.key, signal, screen), {
    hangUp: false,
  });
  const names = { from: nameOf(from), to: nameOf(to) };
  if (report.equal) await copyIssuer(from, to);
  answer(json, { ...names, dataKey: dataKey.file ?? 'DATA_KEY', ...report }, () =>
    summaryOf(report, { dataKeyFile: dataKey.file, from, to }),
  );
  if (!report.equal)
    throw new OperatorError(
      'The target is not the same as the source. Stop every process on both, and copy again to an empty place.',
    );
};

/** Copies the development issuer's file. An existing one stays, since people may have signed in with its keys. */
const copyIssuer = async (from: Place, to: Place): Promise<void> => {
  if (from.kind !== 'folder' || to.kind !== 'folder') return;
  const [source, target] = [join(from.folder, ISSUER_FILE), join(to.folder, ISSUER_FILE)];
  if (existsSync(source) && !existsSync(target)) {
    await copyFile(source, target, constants.COPYFILE_EXCL);
    await chmod(target, 0o600);
  }
};

const copyPlaces = async (
  from: Place,
  to: Place,
  key: Buffer,
  signal: AbortSignal,
  screen: Screen,
): Promise<CopyReport> => {
  const source = await openSource(from, key);
  try {
    const target = await openTarget(to, key, source);
    try {
      return await copy({ source, target }, new Retries({ signal }), screen);
    } catch (error) {
      if (!(error instanceof AppendRefused)) throw error;
      throw new OperatorError(`The target refuses an event: ${error.message}`, { cause: error });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** What the advice after a copy depends on. */
interface Circumstances {
  readonly from: Place;
  readonly to: Place;
  /** `null`: DATA_KEY was in the environment. */
  readonly dataKeyFile: string | null;
}

/** The outcome of a copy, in lines. */
export const summaryOf = (report: CopyReport, circumstances: Circumstances): readonly string[] => [
  doneIn(report),
  ...sides(report.log, ({ events }) => `${events} events`),
  ...sides(report.vault, vaultEntries),
  ...(report.equal ? whatNext(report, circumstances) : []),
];

const vaultEntries = ({ entries, chunks, pieces }: VaultContent): string => {
  const parts = [chunks > 0 ? `${chunks} of them audio` : '', pieces > 0 ? `${pieces} of them files` : ''];
  const named = parts.filter((part) => part !== '').join(', ');
  return named === '' ? `${entries} vault entries` : `${entries} vault entries (${named})`;
};

const doneIn = ({ log, vault, copySeconds, seconds }: CopyReport): string => {
  if (log.copied === 0 && vault.copied === 0)
    return 'The target held everything already; nothing was copied.';
  const rate =
    log.copied > 0 ? ` (${Math.round(log.copied / copySeconds)} events a second while copying)` : '';
  return `Copied ${log.copied} events and ${vault.copied} vault entries in ${seconds.toFixed(1)} s${rate}.`;
};

const sides = <Content extends { readonly sha256: string }>(
  { source, target }: { readonly source: Content; readonly target: Content },
  counted: (content: Content) => string,
): readonly string[] => [
  `source  ${counted(source)}  sha256 ${source.sha256}`,
  `target  ${counted(target)}  sha256 ${target.sha256}`,
];

const whatNext = ({ sourceMoved }: CopyReport, circumstances: Circumstances): readonly string[] => [
  'Both hold the same.',
  ...(sourceMoved
    ? [
        'The source was written to meanwhile; this is copied too. Make sure that every process on it is stopped.',
      ]
    : []),
  'Views are not copied: the next start on the target rebuilds them.',
  keysFor(circumstances),
  ...issuerFor(circumstances),
];

/** The development issuer's file, which is in DATA_DIR also if the data is on servers. */
const issuerFor = ({ from, to }: Circumstances): readonly string[] => {
  const there = from.kind === 'folder' && existsSync(join(from.folder, ISSUER_FILE));
  if (!there) return [];
  return [
    to.kind === 'folder'
      ? `${join(to.folder, ISSUER_FILE)} is there: the sign-ins of the development issuer stay the same people.`
      : `With the development issuer, put ${join(from.folder, ISSUER_FILE)} into DATA_DIR of every API process: without it everybody who signs in is another person.`,
  ];
};

/** A line about the keys. It contains no key. */
const keysFor = ({ from, to, dataKeyFile }: Circumstances): string => {
  const dataKey = dataKeyFile ?? 'the DATA_KEY of this command';
  const kept = from.kind === 'folder' ? join(from.folder, 'signing.key') : 'the current one';
  if (to.kind === 'folder')
    return `A service on ${to.folder} needs the same keys: set DATA_KEY (${dataKey}) and SIGNING_KEY (${kept}), or store them there as data.key and signing.key. No key was copied.`;
  return `Every process on these servers needs the same keys: set DATA_KEY (${dataKey}) and SIGNING_KEY (${kept}, unless it was set). No key was copied.`;
};
