import type { Role, UpdateRole } from '../../../packages/client/src/index.js';

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
});

const percent = (text: string): number | null =>
  /^\d{1,3}$/.test(text.trim()) && Number(text) <= 100 ? Number(text) : null;

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
export type Problem = 'name' | 'percent' | 'noDimension' | 'question';

/** Each problem of a draft, by the path in the body that the service would name. */
export const problemsOf = (draft: RoleDraft): ReadonlyMap<string, Problem> => {
  const problems = new Map<string, Problem>();
  const check = (isRight: boolean, path: string, problem: Problem): void => {
    if (!isRight && !problems.has(path)) problems.set(path, problem);
  };
  check(draft.name.trim() !== '', 'name', 'name');
  check(percent(draft.overallThreshold) !== null, 'overallThreshold', 'percent');
  check(draft.dimensions.length > 0, 'dimensions', 'noDimension');
  draft.dimensions.forEach(({ name, weight, threshold }, index) => {
    check(name.trim() !== '', `dimensions[${index}].name`, 'name');
    check(percent(weight) !== null, `dimensions[${index}].weight`, 'percent');
    check(
      threshold.trim() === '' || percent(threshold) !== null,
      `dimensions[${index}].threshold`,
      'percent',
    );
  });
  const names = new Set(draft.dimensions.map(({ name }) => name));
  draft.questions.forEach(({ text, dimensionName }, index) => {
    check(text.trim() !== '', `questions[${index}].text`, 'name');
    check(dimensionName === '' || names.has(dimensionName), `questions[${index}].dimensionName`, 'question');
  });
  return problems;
};

/** The body that saves a draft without problems. What the editor does not show stays as it is. */
export const bodyOf = (draft: RoleDraft): UpdateRole => ({
  name: draft.name,
  overallThreshold: Number(draft.overallThreshold),
  dimensions: draft.dimensions.map(({ id, name, weight, category, threshold, rubric }) => ({
    ...(id !== null && { id }),
    ...{ name, weight: Number(weight), category },
    ...(threshold.trim() !== '' && { threshold: Number(threshold) }),
    ...(rubric.trim() !== '' && { rubric }),
  })),
  ticketIds: [...draft.ticketIds],
  questions: draft.questions.map(({ text, dimensionName }) => ({
    text,
    ...(dimensionName !== '' && { dimensionName }),
  })),
  instructions: draft.instructions.trim() === '' ? null : draft.instructions,
});

/** A field in which two drafts differ, with both values as texts. */
export interface Difference {
  readonly field: 'name' | 'overallThreshold' | 'dimensions' | 'ticketIds' | 'questions' | 'instructions';
  readonly mine: string;
  readonly theirs: string;
}

const FIELDS = ['name', 'overallThreshold', 'dimensions', 'ticketIds', 'questions', 'instructions'] as const;

/** Where what is typed differs from what somebody else has saved meanwhile. */
export const differencesOf = (mine: RoleDraft, theirs: RoleDraft): readonly Difference[] =>
  FIELDS.map((field) => ({ field, mine: textOf(mine, field), theirs: textOf(theirs, field) })).filter(
    (one) => one.mine !== one.theirs,
  );

const textOf = (draft: RoleDraft, field: Difference['field']): string => {
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
    default:
      return draft[field];
  }
};
