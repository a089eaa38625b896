// Views fold by this module and name it as part of their code.

/** How many days before a session expires its candidate is reminded, unless the role says otherwise. */
export const DEFAULT_REMINDER_DAYS: readonly number[] = [3, 1];

/** Of a definition that may have been stored before roles had reminders. */
export const reminderDaysOf = ({
  reminderDays = DEFAULT_REMINDER_DAYS,
}: {
  readonly reminderDays?: readonly number[];
}): readonly number[] => reminderDays;
