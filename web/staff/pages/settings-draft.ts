import {
  type CandidateResults,
  type Organisation,
  updateOrganisationLimits,
  type UpdateOrganisation,
} from '../../../packages/client/src/index.js';
import { excessOf } from '../../shared/text-limits.js';
import { wholeIn } from '../parts/problems.js';

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

/** The fields that keep the settings from being saved. */
export const wrongSettings = ({
  name,
  retentionDays,
  timeZone,
  senderName,
}: SettingsDraft): readonly (keyof SettingsDraft)[] => [
  ...(name.trim() === '' || excessOf(name, updateOrganisationLimits.name) > 0 ? (['name'] as const) : []),
  ...(retentionDays.trim() !== '' && wholeIn(retentionDays, updateOrganisationLimits.retentionDays) === null
    ? (['retentionDays'] as const)
    : []),
  ...(timeZone.trim() === '' ? (['timeZone'] as const) : []),
  ...(excessOf(senderName, updateOrganisationLimits.senderName) > 0 ? (['senderName'] as const) : []),
];

/** What is sent: the fields that were changed alone, so that what others changed meanwhile stays. */
export const settingsBody = (draft: SettingsDraft, base: SettingsDraft): UpdateOrganisation => ({
  ...(draft.name !== base.name && { name: draft.name }),
  ...(draft.recordAudio !== base.recordAudio && { recordAudio: draft.recordAudio }),
  ...(draft.retentionDays !== base.retentionDays && {
    retentionDays: draft.retentionDays.trim() === '' ? null : Number(draft.retentionDays),
  }),
  ...(draft.candidateResults !== base.candidateResults && { candidateResults: draft.candidateResults }),
  ...(draft.timeZone !== base.timeZone && { timeZone: draft.timeZone.trim() }),
  ...(draft.senderName !== base.senderName && { senderName: draft.senderName.trim() || null }),
});

/** The fields in which two drafts differ, in the order of the page. */
export const changedSettings = (
  mine: SettingsDraft,
  theirs: SettingsDraft,
): readonly (keyof SettingsDraft)[] => FIELDS.filter((field) => mine[field] !== theirs[field]);

const FIELDS = [
  'name',
  'senderName',
  'timeZone',
  'candidateResults',
  'recordAudio',
  'retentionDays',
] as const;

/** Whether the new time may erase somebody whom the former kept. */
export const erasesMore = (draft: SettingsDraft, base: SettingsDraft): boolean => {
  const [next, before] = [draft.retentionDays.trim(), base.retentionDays.trim()];
  return next !== '' && (before === '' || Number(next) < Number(before));
};
