// Views load this module with the declarations of the invitation, apart from the bundle: it imports nothing.

/** What a new role has of the fields that its body leaves out; lists that are not here are empty. */
export const DEFINITION_DEFAULTS = {
  instructions: null,
  timeFrameMinutes: null,
  notice: null,
  reminderDays: [3, 1],
  answerPauseMs: 2_500,
};

/** A stored definition of version 1 in the shape of version 2. Absent fields come last, as they were declared. */
export const definitionV2 = (definition: object): object => ({
  ...definition,
  ...DEFINITION_DEFAULTS,
  ...definition,
});
