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
import { fitting } from '../../shared/text-limits.js';
import { differencesBy } from '../parts/newer.js';
import { Problems, wholeIn } from '../parts/problems.js';

/** A dimension as it is typed. */
export interface DraftDimension {
  /** Identifies it on the page: its id, or a name that no other has. */
  readonly key: string;
  /** `null`: the role does not have it yet. */
  readonly id: string | null;
  readonly name: string;
  readonly weight: string;
  readonly category: 'process' | 'correctness';
  readonly threshold: string;
  readonly rubric: string;
}

/** A planned question in the form. */
export interface DraftQuestion {
  readonly key: string;
  readonly text: string;
  /** The key of the dimension that the question belongs to; '': it belongs to none. */
  readonly dimensionKey: string;
  /** The dimension's name when it was read or chosen. It finds the dimension if none has the key any more. */
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
  /** '': the role has no policy. */
  readonly aiPolicy: '' | AiPolicy;
  /** `null`: the service writes the notice. */
  readonly notice: { readonly version: string; readonly text: string } | null;
}

/** What a question says of the dimension that it belongs to: the dimension with this key. */
export const aboutDimension = (
  dimensions: readonly Pick<DraftDimension, 'key' | 'name'>[],
  key: string,
): Pick<DraftQuestion, 'dimensionKey' | 'dimensionName'> => ({
  dimensionKey: key,
  dimensionName: dimensions.find((one) => one.key === key)?.name ?? '',
});

/** The present name of the dimension that a question belongs to; '': it belongs to none. */
export const dimensionNameOf = (
  { dimensions }: Pick<RoleDraft, 'dimensions'>,
  { dimensionKey, dimensionName }: Pick<DraftQuestion, 'dimensionKey' | 'dimensionName'>,
): string => (dimensions.find(({ key }) => key === dimensionKey)?.name ?? dimensionName).trim();

/** The draft that a role’s form begins with. */
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
    dimensionKey: role.dimensions.find(({ name }) => name === dimensionName)?.id ?? dimensionName ?? '',
  })),
  instructions: role.instructions ?? '',
  timeFrameMinutes: `${role.timeFrameMinutes ?? ''}`,
  reminderDays: role.reminderDays.join(', '),
  answerPauseMs: `${role.answerPauseMs}`,
  aiPolicy: role.aiPolicy ?? '',
  notice: role.notice,
});

const percent = (text: string): number | null => wholeIn(text, { minimum: 0, maximum: 100 });
const REMINDER_DAY = { minimum: 1, maximum: 30 };

/** The days of a list with commas; `null`: the text is not such a list. */
const daysOf = (text: string): readonly number[] | null => {
  const days = text.trim() === '' ? [] : text.split(',').map((one) => wholeIn(one, REMINDER_DAY));
  return days.length <= updateRoleLimits.reminderDays.maxItems && !days.includes(null)
    ? days.filter((one) => one !== null)
    : null;
};

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
  const problems = new Problems<Problem>();
  problems.named(draft.name, 'name', updateRoleLimits.name);
  problems.check(nameFault(draft.name) === null, 'name', 'inMails');
  problems.check(percent(draft.overallThreshold) !== null, 'overallThreshold', 'percent');
  problems.check(draft.dimensions.length > 0, 'dimensions', 'noDimension');
  draft.dimensions.forEach((one, index) => {
    const path = `dimensions[${index}]`;
    const isPercent = one.threshold.trim() === '' || percent(one.threshold) !== null;
    problems.named(one.name, `${path}.name`, updateDimensionLimits.name);
    problems.check(percent(one.weight) !== null, `${path}.weight`, 'percent');
    problems.check(isPercent, `${path}.threshold`, 'percent');
    problems.fits(one.rubric, `${path}.rubric`, updateDimensionLimits.rubric);
  });
  const names = new Set(['', ...draft.dimensions.map(({ name }) => name.trim())]);
  draft.questions.forEach((question, index) => {
    const { text } = question;
    const isKnown = names.has(dimensionNameOf(draft, question));
    problems.named(text, `questions[${index}].text`, updateQuestionLimits.text);
    problems.check(isKnown, `questions[${index}].dimensionName`, 'question');
  });
  problems.fits(draft.instructions, 'instructions', updateRoleLimits.instructions);
  const { timeFrameMinutes, answerPauseMs, notice } = draft;
  const isTime =
    timeFrameMinutes.trim() === '' || wholeIn(timeFrameMinutes, updateRoleLimits.timeFrameMinutes) !== null;
  problems.check(isTime, 'timeFrameMinutes', 'minutes');
  problems.check(daysOf(draft.reminderDays) !== null, 'reminderDays', 'days');
  const isPause = wholeIn(answerPauseMs, updateRoleLimits.answerPauseMs) !== null;
  problems.check(isPause, 'answerPauseMs', 'pause');
  if (notice) {
    problems.named(notice.version, 'notice.version', updateNoticeLimits.version);
    problems.named(notice.text, 'notice.text', updateNoticeLimits.text);
  }
  return problems.found;
};

/** The body that saves a draft without problems: every field that a role's definition has. */
export const bodyOf = (draft: RoleDraft): UpdateRole => ({
  name: draft.name.trim(),
  overallThreshold: Number(draft.overallThreshold),
  dimensions: draft.dimensions.map(({ id, name, weight, category, threshold, rubric }) => ({
    ...(id !== null && { id }),
    ...{ name: name.trim(), weight: Number(weight), category },
    threshold: threshold.trim() === '' ? null : Number(threshold),
    rubric: rubric.trim() === '' ? null : rubric,
  })),
  ticketIds: [...draft.ticketIds],
  questions: draft.questions.map((question) => ({
    text: question.text.trim(),
    dimensionName: dimensionNameOf(draft, question) || null,
  })),
  instructions: draft.instructions.trim() === '' ? null : draft.instructions,
  timeFrameMinutes: draft.timeFrameMinutes.trim() === '' ? null : Number(draft.timeFrameMinutes),
  reminderDays: [...(daysOf(draft.reminderDays) ?? [])],
  answerPauseMs: Number(draft.answerPauseMs),
  aiPolicy: draft.aiPolicy === '' ? null : draft.aiPolicy,
  notice: draft.notice && { ...draft.notice, version: draft.notice.version.trim() },
});

const FIELDS = [
  ...(['name', 'overallThreshold', 'dimensions', 'ticketIds', 'questions', 'instructions'] as const),
  ...(['timeFrameMinutes', 'reminderDays', 'answerPauseMs', 'aiPolicy', 'notice'] as const),
] satisfies readonly (keyof RoleDraft)[];

type Field = (typeof FIELDS)[number];

/** What the codes and ids of a role mean to its reader. */
interface RoleWords {
  readonly categories: Readonly<Record<DraftDimension['category'], string>>;
  readonly aiPolicies: Readonly<Record<AiPolicy | 'none', string>>;
  readonly titleOf: (ticketId: string) => string;
}

const textOf = (draft: RoleDraft, field: Field, words: RoleWords | null = null): string => {
  switch (field) {
    case 'dimensions':
      return draft.dimensions
        .map(({ name, weight, category, threshold, rubric }) =>
          [
            `${name.trim()}: ${weight.trim()}`,
            words?.categories[category] ?? category,
            threshold.trim() && `≥ ${threshold.trim()}`,
            rubric,
          ]
            .filter(Boolean)
            .join(', '),
        )
        .join('\n');
    case 'questions':
      return draft.questions
        .map((question) => {
          const name = dimensionNameOf(draft, question);
          return name === '' ? question.text.trim() : `${question.text.trim()} (${name})`;
        })
        .join('\n');
    case 'name':
    case 'overallThreshold':
    case 'timeFrameMinutes':
    case 'reminderDays':
    case 'answerPauseMs':
      return draft[field].trim();
    case 'ticketIds':
      return draft.ticketIds.map((id) => words?.titleOf(id) ?? id).join('\n');
    case 'aiPolicy':
      return words?.aiPolicies[draft.aiPolicy || 'none'] ?? draft.aiPolicy;
    case 'notice':
      return draft.notice === null ? '' : `${draft.notice.version.trim()}: ${draft.notice.text}`;
    default:
      return draft[field];
  }
};

/** The fields in which the draft differs from the version that another person has saved meanwhile. */
export const differencesOf = differencesBy<RoleDraft, Field>(FIELDS, (draft, field) => textOf(draft, field));

/** A field's value as its reader knows it: two tasks of one title read the same, so drafts are not compared by it. */
export const wordsIn =
  (words: RoleWords) =>
  (draft: RoleDraft, field: Field): string =>
    textOf(draft, field, words);

/** A role's name for people: the API takes a draft without one, which needs a name of its link. */
export const roleName = ({ name }: Pick<Role, 'name'>, { unnamed }: { readonly unnamed: string }): string =>
  name.trim() === '' ? unnamed : name;

/** A name for comparison, without the differences of case and of Unicode composition. */
const comparable = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** Whether one of the roles has this name. */
export const isTaken = (name: string, names: readonly string[]): boolean =>
  names.some((other) => comparable(other) === comparable(name));

/** A name that no role has: with a number at its end if a role has the proposed one. @param names of the roles */
export const freeName = (name: string, names: readonly string[]): string => {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : ` ${number}`;
    const begin = name.slice(0, fitting(name, { maxLength: updateRoleLimits.name.maxLength - end.length }));
    if (!isTaken(begin + end, names)) return begin + end;
  }
};
