import { join } from 'node:path';
import type { CopyReport } from './copy.js';
import type { Place } from './place.js';

interface Circumstances {
  readonly from: Place;
  readonly to: Place;
  /** Where DATA_KEY was found; `null`: in the environment. */
  readonly dataKeyFile: string | null;
}

/** What a copy came to, in lines for the screen. */
export const summaryOf = (report: CopyReport, circumstances: Circumstances): readonly string[] => [
  doneIn(report),
  ...sides(report.log, ({ events }) => `${events} events`),
  ...sides(report.vault, ({ entries, chunks }) =>
    chunks > 0 ? `${entries} vault entries (${chunks} of them audio)` : `${entries} vault entries`,
  ),
  ...(report.equal ? whatNext(report, circumstances) : []),
];

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
        'The source was written to meanwhile; that is copied too. Make sure that nothing works on it any more.',
      ]
    : []),
  'Views are not copied: the next start on the target rebuilds them.',
  keysFor(circumstances),
];

/** Names keys, and never shows one. */
const keysFor = ({ from, to, dataKeyFile }: Circumstances): string => {
  const dataKey = dataKeyFile ?? 'the DATA_KEY that this command ran with';
  const kept = from.kind === 'folder' ? join(from.folder, 'signing.key') : 'the one in use so far';
  if (to.kind === 'folder')
    return `A service on ${to.folder} needs the same keys: set DATA_KEY (${dataKey}) and SIGNING_KEY (${kept}), or put them there as data.key and signing.key; none was copied.`;
  return `Every process on these servers needs the same keys: set DATA_KEY (${dataKey}) and SIGNING_KEY (${kept}, unless it was set); none was copied.`;
};
