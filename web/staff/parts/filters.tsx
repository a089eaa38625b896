import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { deadline } from '../../shared/clock.js';
import { countText } from '../../shared/sizes.js';
import type { AnyFilter } from '../addresses.js';
import { usePlace } from '../console.js';
import { dayOf, dayText, type End, FIRST_DAY, LAST_DAY } from './days.js';
import { Choice, Field } from './form.js';
import { shortId } from './people.js';
import { useTyped } from './typed.js';
import { useListTexts } from './views-of-list.js';

/** A filter: its name in the address, and its field in the API. */
interface Named {
  readonly name: string;
  readonly field: string;
  readonly label: string;
}

/** A filter by one of a few values. The first option means no filter. */
interface Choosing extends Named {
  /** Each with the count of the list that it would show, if that is known. */
  readonly options: readonly (readonly [value: string, label: string, count?: number | undefined])[];
}

/** A filter by a range; both ends are included. */
interface Ranging extends Readonly<Record<End, Named>> {
  readonly type: 'date' | 'number';
}

const LIMITS = { date: { min: FIRST_DAY, max: LAST_DAY }, number: { min: 0, max: 100 } } as const;

/** A filter as the address has it. */
interface Given {
  readonly name: string;
  readonly label: string;
  /** '': the address does not have it. */
  readonly value: string;
  /** In words; `undefined`: the list is not narrowed by it. */
  readonly words: ComponentChildren | undefined;
}

/** The filters of a list: a field for each, and a button for each active one that removes it. */
export const Filters = ({
  choices,
  ranges,
  further = [],
  query,
  filter,
  change,
  without,
  plain,
  children,
}: {
  readonly choices: readonly Choosing[];
  readonly ranges: readonly Ranging[];
  /** Filters that have no field here, or one among the children. */
  readonly further?: readonly Given[];
  readonly query: Readonly<Record<string, string>>;
  /** What the list is narrowed to, by the address. */
  readonly filter: AnyFilter;
  /** Narrows it by other values; '': not by that. */
  readonly change: (changes: Readonly<Record<string, string>>) => void;
  /** The page's address without a filter. */
  readonly without: (name: string) => string;
  /** The page's address without any. */
  readonly plain: string;
  readonly children?: ComponentChildren;
}) => {
  const { language } = usePlace();
  const w = useListTexts();
  const wordsOf = useRangeWords();
  // In a narrow window the fields would fill the page.
  const isNarrow = useNarrow();
  const valueOf = ({ name }: Named): string => query[name] ?? '';
  const given = [
    ...choices.map(({ options, ...of }) => {
      const value = valueOf(of);
      const label = options.find(([one]) => one === value)?.[1] ?? shortId(value);
      return { ...of, value, words: filter[of.field] === undefined ? undefined : label };
    }),
    ...ranges.flatMap(({ type, ...ends }) =>
      (['from', 'to'] as const).map((end) => {
        const of = ends[end];
        const value = filter[of.field];
        return {
          ...{ ...of, value: valueOf(of) },
          words: value === undefined ? undefined : wordsOf(type, end, `${value}`),
        };
      }),
    ),
    ...further,
  ].filter(({ value }) => value !== '');
  const fields = (
    <>
      {choices.map(({ name, label, options }) => (
        <Choice
          key={name}
          label={label}
          value={given.some((one) => one.name === name && one.words !== undefined) ? (query[name] ?? '') : ''}
          change={(value) => change({ [name]: value })}
          options={options.map(([value, words, count]) => [
            value,
            count === undefined ? words : `${words} (${countText(count, language)})`,
          ])}
        />
      ))}
      <Ranges {...{ ranges, filter, change }} />
    </>
  );
  return (
    <>
      {isNarrow && (
        <details class="folded-filters">
          <summary>{w.filters}</summary>
          <div class="filters">{fields}</div>
        </details>
      )}
      <div class="filters">
        {!isNarrow && fields}
        {children}
      </div>
      <Active {...{ given, without, plain }} />
    </>
  );
};

/** As in the stylesheet. */
const NARROW = matchMedia('(max-width: 48rem)');

/** Whether the window is as narrow as a phone's. */
const useNarrow = (): boolean => {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const follow = (): void => setNarrow(NARROW.matches);
    NARROW.addEventListener('change', follow);
    return () => NARROW.removeEventListener('change', follow);
  }, []);
  return isNarrow;
};

/** An end of a range in words: a score, a day, or a moment if it is within a day. */
const useRangeWords = (): ((type: Ranging['type'], end: End, value: string) => string) => {
  const { language, membership } = usePlace();
  return (type, end, value) => {
    if (type === 'number') return value;
    const { day, isWhole } = dayOf(value, end, membership.timeZone);
    return isWhole ? dayText(day, language) : deadline(language, value, membership.timeZone);
  };
};

/** The fields of ranges, which are applied together by a button. */
const Ranges = ({
  ranges,
  filter,
  change,
}: Pick<Parameters<typeof Filters>[0], 'ranges' | 'filter' | 'change'>) => {
  const { membership } = usePlace();
  const w = useListTexts();
  const id = useId();
  /** The name of the organisation's zone, if the reader's days differ. */
  const zone =
    membership.timeZone === Intl.DateTimeFormat().resolvedOptions().timeZone
      ? ''
      : ` (${membership.timeZone})`;
  const shownOf = (type: Ranging['type'], end: End, { field }: Named): string => {
    const value = filter[field];
    if (value === undefined) return '';
    return type === 'date' ? dayOf(`${value}`, end, membership.timeZone).day : `${value}`;
  };
  const shown = Object.fromEntries(
    ranges.flatMap(({ type, from, to }) => [
      [from.name, shownOf(type, 'from', from)] as const,
      [to.name, shownOf(type, 'to', to)] as const,
    ]),
  );
  // An address may have an impossible range. A half-typed range is not checked.
  const [{ values, isComplete }, setTyped] = useTyped({ values: shown, isComplete: true });
  const typedOf = ({ name }: Named): string => values[name]?.trim() ?? '';
  const isImpossible = ({ type, from, to }: Ranging): boolean => {
    const [first, last] = [typedOf(from), typedOf(to)];
    if (first === '' || last === '') return false;
    return type === 'date' ? last < first : Number(last) < Number(first);
  };
  return (
    <form
      class="filters ranges"
      onSubmit={(event) => {
        event.preventDefault();
        setTyped({ values, isComplete: true });
        if (ranges.some(isImpossible)) return;
        // An end that was not typed keeps the exact moment of the address.
        const ends = ranges.flatMap(({ from, to }) => [from, to]);
        const changed = ends.filter((of) => typedOf(of) !== shown[of.name]);
        change(Object.fromEntries(changed.map((of) => [of.name, typedOf(of)])));
      }}
    >
      {ranges.map((range) =>
        (['from', 'to'] as const).map((end) => (
          <Field
            key={range[end].name}
            label={range[end].label + (range.type === 'date' ? zone : '')}
            type={range.type}
            {...LIMITS[range.type]}
            value={typedOf(range[end])}
            change={(value) =>
              setTyped({ values: { ...values, [range[end].name]: value }, isComplete: false })
            }
            wrongAt={isComplete && isImpossible(range) ? id : undefined}
          />
        )),
      )}
      <button class="button quiet" type="submit">
        {w.apply}
      </button>
      {isComplete && ranges.some(isImpossible) && (
        <p class="hint bad" role="alert" id={id}>
          {w.impossible}
        </p>
      )}
    </form>
  );
};

/** The filters that narrow a list, each with a button that removes it, and those of the address that do not. */
const Active = ({
  given,
  without,
  plain,
}: Pick<Parameters<typeof Filters>[0], 'without' | 'plain'> & { readonly given: readonly Given[] }) => {
  const { language } = usePlace();
  const { active: words } = useListTexts();
  const { route } = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const removed = useRef<number | null>(null);
  const active = given.filter((one) => one.words !== undefined);
  const leftOut = given.filter((one) => one.words === undefined);
  useEffect(() => {
    if (removed.current === null) return;
    // The button was removed: the focus moves to the next one, or to the heading of the page.
    const buttons = box.current?.querySelectorAll('button') ?? [];
    const next = buttons[Math.min(removed.current, buttons.length - 1)];
    (next ?? document.querySelector('h1'))?.focus();
    removed.current = null;
  }, [given.map(({ name }) => name).join()]);
  const leave = (index: number, address: string): void => {
    removed.current = index;
    route(address);
  };
  if (given.length === 0) return null;
  return (
    <div ref={box}>
      {leftOut.length > 0 && (
        <p class="note" role="status">
          {words.leftOut(
            new Intl.ListFormat(language).format(
              leftOut.map(({ label, value }) => words.given(label, value)),
            ),
          )}
        </p>
      )}
      <ul class="active-filters" aria-label={words.title}>
        {active.map(({ name, label, words: text }, index) => (
          <li class="active-filter" key={name}>
            <span>
              {label}: {text}
            </span>
            <button type="button" onClick={() => leave(index, without(name))}>
              <span aria-hidden="true">×</span>
              <span class="hidden">{words.remove(label)}</span>
            </button>
          </li>
        ))}
        <li>
          <button class="link" type="button" onClick={() => leave(active.length, plain)}>
            {words.clear}
          </button>
        </li>
      </ul>
    </div>
  );
};
