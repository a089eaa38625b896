/** What a new role has of the fields that its body leaves out; lists that are not here are empty. */
export const DEFINITION_DEFAULTS = {
  instructions: null,
  timeFrameMinutes: null,
  notice: null,
  reminderDays: [3, 1],
  answerPauseMs: 2_500,
};

/**
 * From each version of a stored definition to the next one: a further field adds a function here. Absent fields come
 * last, as they were declared.
 */
export const DEFINITION_VERSIONS = [
  (definition: object): object => ({ ...definition, ...DEFINITION_DEFAULTS, ...definition }),
];
