import type { Problem } from '../../core/decider.js';
import { nameFault } from '../../core/names.js';
import { isTimeZone } from '../../core/timestamp.js';
import type { OrganisationSettings } from './events.js';

/** What is left out stays as it is. */
export type SettingsChange = {
  readonly [Key in keyof OrganisationSettings]?: OrganisationSettings[Key] | undefined;
};

/** The settings after a change. */
export const changedSettings = (
  state: OrganisationSettings,
  settings: SettingsChange,
): OrganisationSettings => ({
  name: settings.name ?? state.name,
  recordAudio: settings.recordAudio ?? state.recordAudio,
  // Not `??`: `null` is a value. It means that everything is kept.
  retentionDays: settings.retentionDays === undefined ? state.retentionDays : settings.retentionDays,
  candidateResults: settings.candidateResults ?? state.candidateResults,
  timeZone: settings.timeZone ?? state.timeZone,
  senderName: settings.senderName === undefined ? state.senderName : settings.senderName?.trim() || null,
});

/** The broken rules of the settings. @param former the current ones: names and a time zone that stay are not checked */
export const settingsProblems = (
  { name, senderName, timeZone, retentionDays }: OrganisationSettings,
  former?: OrganisationSettings,
): Problem[] => {
  const problems: Problem[] = [];
  const fault = name === former?.name ? null : nameFault(name);
  if (fault !== null) problems.push({ path: 'name', rule: 'name', message: `name ${fault}` });
  const senderFault = senderName === null || senderName === former?.senderName ? null : nameFault(senderName);
  if (senderFault !== null)
    problems.push({ path: 'senderName', rule: 'name', message: `senderName ${senderFault}` });
  // Checked only if it changes: this build of Node may lack a name that an earlier one had.
  if (timeZone !== former?.timeZone && !isTimeZone(timeZone))
    problems.push({
      path: 'timeZone',
      rule: 'timeZone',
      message: 'timeZone must be the name of a time zone of the IANA database, such as Europe/Berlin.',
    });
  if (retentionDays !== null && !(Number.isSafeInteger(retentionDays) && retentionDays >= 1))
    problems.push({
      path: 'retentionDays',
      rule: 'min',
      message: 'retentionDays must be a whole number of at least 1, or null to keep everything.',
    });
  return problems;
};
