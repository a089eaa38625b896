import {
  type AiPolicy,
  type Role,
  updateDimensionLimits,
  updateNoticeLimits,
  updateQuestionLimits,
  type UpdateRole,
  updateRoleLimits,
} from '../../../packages/client/src/index.js';
import { nameFault } from '../../../src/core/names.js';
import { excessOf } from '../../shared/text-limits.js';

/** A dimension as it is typed. */
export interface DraftDimension {
  /** What the page tells it by: its id, or a name that no other has. */
  readonly key: string;
  readonly id: string | null;
  readonly name: string;
  readonly weight: string;
  readonly category: 'process' | 'correctness';
  readonly threshold: string;
  readonly rubric: string;
}

export interface DraftQuestion {
  readonly key: string;
  readonly text: string;
  /** '': it is about no dimension of its own. */
  readonly dimensionName: string;
}

/** A role's definition as it is typed: figures are texts until they are sent. */
export interface RoleDraft {
  readonly name: string;
  readonly overallThreshold: string;
  readonly dimensions: readonly DraftDimension[];
  readonly ticketIds: readonly string[];
  readonly questions: readonly DraftQuestion[];
  readonly instructions: string;
  /** '': none is planned. */
  readonly timeFrameMinutes: string;
  /** Whole numbers with commas between them. */
  readonly reminderDays: string;
  readonly answerPauseMs: string;
  /** '': the role says nothing of it. */
  readonly aiPolicy: '' | AiPolicy;
  /** `null`: the service writes the notice. */
  readonly notice: { readonly version: string; readonly text: string } | null;
}

export const draftOf = (role: Role): RoleDraft => ({
  name: role.name,
  overallThreshold: `${role.overallThreshold}`,
  dimensions: role.dimensions.map(({ id, name, weight, category, threshold, rubric }) => ({
    ...{ key: id, id, name, weight: `${weight}`, rubric: rubric ?? '' },
    category: category === 'correctness' ? 'correctness' : 'process',
    threshold: threshold === null ? '' : `${threshold}`,
  })),
  ticketIds: role.ticketIds,
  questions: role.questions.map(({ text, dimensionName }, index) => ({
    ...{ key: `q${index}`, text, dimensionName: dimensionName ?? '' },
  })),
  instructions: role.instructions ?? '',
  timeFrameMinutes: `${role.timeFrameMinutes ?? ''}`,
  reminderDays: role.reminderDays.join(', '),
  answerPauseMs: `${role.answerPauseMs}`,
  aiPolicy: role.aiPolicy ?? '',
  notice: role.notice,
});

/** A whole number within limits; `null`: it is none. */
const whole = (text: string, minimum: number, maximum: number): number | null => {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= minimum && value <= maximum ? value : null;
};
const percent = (text: string): number | null => whole(text, 0, 100);

/** The days that a list with commas names; `null`: it is no such list. */
const daysOf = (text: string): readonly number[] | null => {
  const days = text.trim() === '' ? [] : text.split(',').map((one) => whole(one, 1, MAX_REMINDER_DAYS));
  return days.length <= updateRoleLimits.reminderDays.maxItems && !days.includes(null)
    ? days.filter((one) => one !== null)
    : null;
};
const MAX_REMINDER_DAYS = 30;

/** The sum of the weights; `null`: one of them is no whole number from 0 to 100. */
export const weightSum = ({ dimensions }: Pick<RoleDraft, 'dimensions'>): number | null =>
  dimensions.reduce<number | null>((sum, { weight }) => {
    const one = percent(weight);
    return sum === null || one === null ? null : sum + one;
  }, 0);

/** A dimension's part of the overall score, in percent with at most one decimal place; `null`: it is unknown. */
export const shareOf = (draft: Pick<RoleDraft, 'dimensions'>, { weight }: DraftDimension): number | null => {
  const sum = weightSum(draft);
  const one = percent(weight);
  return sum === null || one === null || sum === 0 ? null : Math.round((one / sum) * 1_000) / 10;
};

/** What keeps a definition from being saved, by the path of its field. */
export type Problem =
  'name' | 'percent' | 'noDimension' | 'question' | 'minutes' | 'pause' | 'days' | 'tooLong' | 'inMails';

/** Each problem of a draft, by the path in the body that the service would name, in the order of the page. */
export const problemsOf = (draft: RoleDraft): ReadonlyMap<string, Problem> => {
  const problems = new Map<string, Problem>();
  const check = (isRight: boolean, path: string, problem: Problem): void => {
    if (!isRight && !problems.has(path)) problems.set(path, problem);
  };
  const fits = (text: string, path: string, limit: { readonly maxLength: number }): void =>
    check(excessOf(text, limit) === 0, path, 'tooLong');
  const name = (text: string, path: string, limit: { readonly maxLength: number }): void => {
    check(text.trim() !== '', path, 'name');
    fits(text, path, limit);
  };
  name(draft.name, 'name', updateRoleLimits.name);
  check(nameFault(draft.name) === null, 'name', 'inMails');
  check(percent(draft.overallThreshold) !== null, 'overallThreshold', 'percent');
  check(draft.dimensions.length > 0, 'dimensions', 'noDimension');
  draft.dimensions.forEach((one, index) => {
    const path = `dimensions[${index}]`;
    name(one.name, `${path}.name`, updateDimensionLimits.name);
    check(percent(one.weight) !== null, `${path}.weight`, 'percent');
    check(one.threshold.trim() === '' || percent(one.threshold) !== null, `${path}.threshold`, 'percent');
    fits(one.rubric, `${path}.rubric`, updateDimensionLimits.rubric);
  });
  const names = new Set(draft.dimensions.map((one) => one.name));
  draft.questions.forEach(({ text, dimensionName }, index) => {
    name(text, `questions[${index}].text`, updateQuestionLimits.text);
    check(dimensionName === '' || names.has(dimensionName), `questions[${index}].dimensionName`, 'question');
  });
  fits(draft.instructions, 'instructions', updateRoleLimits.instructions);
  const { minimum, maximum } = updateRoleLimits.timeFrameMinutes;
  const { timeFrameMinutes } = draft;
  check(
    timeFrameMinutes.trim() === '' || whole(timeFrameMinutes, minimum, maximum) !== null,
    'timeFrameMinutes',
    'minutes',
  );
  check(daysOf(draft.reminderDays) !== null, 'reminderDays', 'days');
  const pause = updateRoleLimits.answerPauseMs;
  check(whole(draft.answerPauseMs, pause.minimum, pause.maximum) !== null, 'answerPauseMs', 'pause');
  if (draft.notice) {
    name(draft.notice.version, 'notice.version', updateNoticeLimits.version);
    name(draft.notice.text, 'notice.text', updateNoticeLimits.text);
  }
  return problems;
};

/** Which field a path of the body names: its name without places, and the place if it is in a list. */
export const fieldOf = (path: string): { readonly field: string; readonly index: number | null } => {
  const place = /\[(\d+)\]/.exec(path)?.[1];
  return { field: path.replace(/\[\d+\]/g, ''), index: place === undefined ? null : Number(place) };
};

interface FieldTexts {
  readonly fields: Readonly<Partial<Record<string, string>>>;
  readonly numbered: (field: string, number: number) => string;
}

/** What a path of the body is called on the page. */
export const nameOfField = (path: string, { fields, numbered }: FieldTexts): string => {
  const { field, index } = fieldOf(path);
  const name = fields[field] ?? path;
  return index === null ? name : numbered(name, index + 1);
};

/** The body that saves a draft without problems: every field that a role's definition has. */
export const bodyOf = (draft: RoleDraft): UpdateRole => ({
  name: draft.name,
  overallThreshold: Number(draft.overallThreshold),
  dimensions: draft.dimensions.map(({ id, name, weight, category, threshold, rubric }) => ({
    ...(id !== null && { id }),
    ...{ name, weight: Number(weight), category },
    threshold: threshold.trim() === '' ? null : Number(threshold),
    rubric: rubric.trim() === '' ? null : rubric,
  })),
  ticketIds: [...draft.ticketIds],
  questions: draft.questions.map(({ text, dimensionName }) => ({
    ...{ text, dimensionName: dimensionName === '' ? null : dimensionName },
  })),
  instructions: draft.instructions.trim() === '' ? null : draft.instructions,
  timeFrameMinutes: draft.timeFrameMinutes.trim() === '' ? null : Number(draft.timeFrameMinutes),
  reminderDays: [...(daysOf(draft.reminderDays) ?? [])],
  answerPauseMs: Number(draft.answerPauseMs),
  aiPolicy: draft.aiPolicy === '' ? null : draft.aiPolicy,
  notice: draft.notice,
});

/** A field in which two drafts differ, with both values as texts. */
export interface RoleDifference {
  readonly field: keyof RoleDraft;
  readonly mine: string;
  readonly theirs: string;
}

const FIELDS = [
  ...(['name', 'overallThreshold', 'dimensions', 'ticketIds', 'questions', 'instructions'] as const),
  ...(['timeFrameMinutes', 'reminderDays', 'answerPauseMs', 'aiPolicy', 'notice'] as const),
] satisfies readonly (keyof RoleDraft)[];

/** Where what is typed differs from what somebody else has saved meanwhile. */
export const differencesOf = (mine: RoleDraft, theirs: RoleDraft): readonly RoleDifference[] =>
  FIELDS.map((field) => ({ field, mine: textOf(mine, field), theirs: textOf(theirs, field) })).filter(
    (one) => one.mine !== one.theirs,
  );

const textOf = (draft: RoleDraft, field: RoleDifference['field']): string => {
  switch (field) {
    case 'dimensions':
      return draft.dimensions
        .map(({ name, weight, category, threshold, rubric }) =>
          [`${name}: ${weight}`, category, threshold && `≥ ${threshold}`, rubric].filter(Boolean).join(', '),
        )
        .join('\n');
    case 'questions':
      return draft.questions
        .map(({ text, dimensionName }) => (dimensionName === '' ? text : `${text} (${dimensionName})`))
        .join('\n');
    case 'ticketIds':
      return draft.ticketIds.join('\n');
    case 'notice':
      return draft.notice === null ? '' : `${draft.notice.version}: ${draft.notice.text}`;
    default:
      return draft[field];
  }
};
