import {
  type CandidateResults,
  type Organisation,
  updateOrganisationLimits,
  type UpdateOrganisation,
} from '../../../packages/client/src/index.js';
import { Problems, wholeIn } from '../parts/problems.js';

/** The organisation's settings as they are typed. */
export interface SettingsDraft {
  readonly name: string;
  readonly recordAudio: boolean;
  /** '': candidates are kept. */
  readonly retentionDays: string;
  readonly candidateResults: CandidateResults;
  readonly timeZone: string;
  /** '': the organisation's name. */
  readonly senderName: string;
}

/** The draft that the settings’ form begins with. */
export const settingsOf = ({
  name,
  recordAudio,
  retentionDays,
  candidateResults,
  timeZone,
  senderName,
}: Organisation): SettingsDraft => ({
  ...{ name, recordAudio, candidateResults, timeZone },
  senderName: senderName ?? '',
  retentionDays: `${retentionDays ?? ''}`,
});

/** The zone of a list that is typed in other capitals, as phones put them; a zone of another list as it is typed. */
export const zoneOf = (
  typed: string,
  zones: readonly string[] = Intl.supportedValuesOf('timeZone'),
): string => {
  const zone = typed.trim();
  return zones.find((one) => one.toLowerCase() === zone.toLowerCase()) ?? zone;
};

/** What keeps the settings from being saved, by field. */
export const problemsOf = ({
  name,
  retentionDays,
  timeZone,
  senderName,
}: SettingsDraft): ReadonlyMap<string, 'name' | 'tooLong' | 'days' | 'zone'> => {
  const problems = new Problems<'days' | 'zone'>();
  const { name: nameLimit, retentionDays: dayLimits, senderName: senderLimit } = updateOrganisationLimits;
  problems.named(name, 'name', nameLimit);
  problems.fits(senderName, 'senderName', senderLimit);
  problems.check(timeZone.trim() !== '', 'timeZone', 'zone');
  problems.check(
    retentionDays.trim() === '' || wholeIn(retentionDays, dayLimits) !== null,
    'retentionDays',
    'days',
  );
  return problems.found;
};

/** The request's body: only the changed fields, so that other people's changes of other fields stay. */
export const settingsBody = (draft: SettingsDraft, base: SettingsDraft): UpdateOrganisation => ({
  ...(draft.name !== base.name && { name: draft.name.trim() }),
  ...(draft.recordAudio !== base.recordAudio && { recordAudio: draft.recordAudio }),
  ...(draft.retentionDays !== base.retentionDays && {
    retentionDays: draft.retentionDays.trim() === '' ? null : Number(draft.retentionDays),
  }),
  ...(draft.candidateResults !== base.candidateResults && { candidateResults: draft.candidateResults }),
  ...(draft.timeZone !== base.timeZone && { timeZone: zoneOf(draft.timeZone) }),
  ...(draft.senderName !== base.senderName && { senderName: draft.senderName.trim() || null }),
});

/** The settings in the order of the page. */
export const FIELDS = [
  'name',
  'senderName',
  'timeZone',
  'candidateResults',
  'recordAudio',
  'retentionDays',
] as const;

/** Whether the new retention may erase candidates that the former one keeps. */
export const erasesMore = (draft: SettingsDraft, base: SettingsDraft): boolean => {
  const [next, before] = [draft.retentionDays.trim(), base.retentionDays.trim()];
  return next !== '' && (before === '' || Number(next) < Number(before));
};
