import { usePlace } from '../console.js';
import { Choice, Field, useAdding } from '../parts/form.js';
import { Loaded } from '../parts/load.js';
import type { useTickets } from '../tickets/titles.js';
import {
  aboutDimension,
  dimensionNameOf,
  type DraftDimension,
  type DraftQuestion,
  type RoleDraft,
  shareOf,
  weightSum,
} from './role-draft.js';

/** What each part of the editor gets. */
export interface PartProps {
  readonly draft: RoleDraft;
  readonly change: (part: Partial<RoleDraft>) => void;
  /** What is wrong with a field, by its path in the body; `null`: nothing. */
  readonly wrong: (path: string) => string | null;
}

/** The dimensions, with the sum of their weights. */
export const Dimensions = ({ draft, change, wrong }: PartProps) => {
  const { t } = usePlace();
  const dimension = (index: number, part: Partial<DraftDimension>): void =>
    change({ dimensions: draft.dimensions.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  const sum = weightSum(draft);
  const focusAdded = useAdding(draft.dimensions.length, (index) => `dimensions[${index}].name`);
  return (
    <section class="card">
      <h2>{t.role.dimensions}</h2>
      <p class="soft" role="status">
        {wrong('dimensions') ?? t.role.sum(sum)}
      </p>
      {draft.dimensions.map((one, index) => (
        <fieldset key={one.key} class="item">
          <legend>{one.name || t.role.dimensionNumber(index + 1)}</legend>
          <div class="columns">
            <Field
              label={t.role.dimension}
              value={one.name}
              change={(name) => dimension(index, { name })}
              wrong={wrong(`dimensions[${index}].name`)}
              name={`dimensions[${index}].name`}
            />
            <Choice
              label={t.role.category}
              value={one.category}
              change={(category) => dimension(index, { category: category as DraftDimension['category'] })}
              options={[
                ['process', t.role.categories.process],
                ['correctness', t.role.categories.correctness],
              ]}
            />
            <Field
              label={t.role.weight}
              value={one.weight}
              change={(weight) => dimension(index, { weight })}
              wrong={wrong(`dimensions[${index}].weight`)}
              name={`dimensions[${index}].weight`}
              digits
              hint={t.role.share(shareOf(draft, one))}
            />
            <Field
              label={t.role.dimensionThreshold}
              value={one.threshold}
              change={(threshold) => dimension(index, { threshold })}
              wrong={wrong(`dimensions[${index}].threshold`)}
              name={`dimensions[${index}].threshold`}
              digits
              hint={t.role.optional}
            />
          </div>
          <Field
            label={t.role.rubric}
            rows={2}
            value={one.rubric}
            change={(rubric) => dimension(index, { rubric })}
            wrong={wrong(`dimensions[${index}].rubric`)}
            name={`dimensions[${index}].rubric`}
          />
          <button
            class="link"
            type="button"
            onClick={() => change({ dimensions: draft.dimensions.filter((_, at) => at !== index) })}
          >
            {t.role.remove(one.name || t.role.dimensionNumber(index + 1))}
          </button>
        </fieldset>
      ))}
      <button
        class="button quiet small"
        type="button"
        name="dimensions"
        onClick={() => {
          focusAdded();
          change({
            dimensions: [
              ...draft.dimensions,
              {
                ...{ key: crypto.randomUUID(), id: null, name: '', weight: '10', category: 'process' },
                ...{ threshold: '', rubric: '' },
              },
            ],
          });
        }}
      >
        {t.role.addDimension}
      </button>
    </section>
  );
};

/** The planned questions, which the interviewer always asks. */
export const Questions = ({ draft, change, wrong }: PartProps) => {
  const { t } = usePlace();
  const question = (index: number, part: Partial<DraftQuestion>): void =>
    change({ questions: draft.questions.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  const focusAdded = useAdding(draft.questions.length, (index) => `questions[${index}].text`);
  return (
    <section class="card">
      <h2>{t.role.questions}</h2>
      {draft.questions.map((one, index) => (
        <fieldset key={one.key} class="item">
          <legend>{t.role.questionNumber(index + 1)}</legend>
          <Field
            label={t.role.question}
            rows={2}
            value={one.text}
            change={(text) => question(index, { text })}
            wrong={wrong(`questions[${index}].text`) ?? wrong(`questions[${index}].dimensionName`)}
            name={`questions[${index}].text`}
          />
          <Choice
            label={t.role.about}
            value={one.dimensionKey}
            change={(key) => question(index, aboutDimension(draft.dimensions, key))}
            options={[
              ['', t.role.aboutNone],
              // A dimension that was removed stays chosen until the user chooses another.
              ...(one.dimensionKey === '' || draft.dimensions.some(({ key }) => key === one.dimensionKey)
                ? []
                : [[one.dimensionKey, dimensionNameOf(draft, one)] as const]),
              ...draft.dimensions.flatMap(({ key, name }) =>
                name.trim() === '' && key !== one.dimensionKey ? [] : [[key, name] as const],
              ),
            ]}
          />
          <button
            class="link"
            type="button"
            onClick={() => change({ questions: draft.questions.filter((_, at) => at !== index) })}
          >
            {t.role.remove(t.role.questionNumber(index + 1))}
          </button>
        </fieldset>
      ))}
      <button
        class="button quiet small"
        type="button"
        onClick={() => {
          focusAdded();
          change({
            questions: [
              ...draft.questions,
              { key: crypto.randomUUID(), text: '', ...aboutDimension(draft.dimensions, '') },
            ],
          });
        }}
      >
        {t.role.addQuestion}
      </button>
    </section>
  );
};

/** The tasks of the role, to be chosen among the organisation's. */
export const Tickets = ({
  draft,
  change,
  tickets,
}: Omit<PartProps, 'wrong'> & { readonly tickets: ReturnType<typeof useTickets> }) => {
  const { t, to } = usePlace();
  return (
    <section class="card">
      <h2>{t.role.tickets}</h2>
      <Loaded of={tickets} what={t.role.ticketsWhat}>
        {({ items }) => {
          const others = draft.ticketIds.filter((id) => !items.some((ticket) => ticket.id === id));
          const all = [
            ...items.map(({ id, title }) => ({ id, title })),
            ...others.map((id) => ({ id, title: id })),
          ];
          return (
            <>
              {all.length === 0 && (
                <p class="soft">
                  {t.role.noTickets} <a href={to('tickets')}>{t.role.makeTickets}</a>
                </p>
              )}
              {all.map(({ id, title }) => (
                <label class="check" key={id}>
                  <input
                    type="checkbox"
                    checked={draft.ticketIds.includes(id)}
                    onChange={({ currentTarget }) =>
                      change({
                        ticketIds: currentTarget.checked
                          ? [...draft.ticketIds, id]
                          : draft.ticketIds.filter((one) => one !== id),
                      })
                    }
                  />
                  <span>{title}</span>
                </label>
              ))}
            </>
          );
        }}
      </Loaded>
    </section>
  );
};
