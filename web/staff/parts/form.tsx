import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AssayError, isAssayError } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Failure } from './load.js';
import { type ConflictTexts, type FailureTexts, faultOf } from './sentences.js';
import { askBeforeLeaving } from './unsaved.js';

/** A field with its label, and the problem of its content. */
export const Field = ({
  label,
  value,
  change,
  hint,
  wrong,
  wrongAt,
  type = 'text',
  digits = false,
  rows,
  suggestions,
  ...rest
}: {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly hint?: string;
  readonly wrong?: string | null | undefined;
  /** The id of the sentence that says what is wrong, if that is elsewhere. */
  readonly wrongAt?: string | undefined;
  readonly type?: 'text' | 'email' | 'number' | 'date' | 'datetime-local' | 'search';
  /** A whole number is typed: phones offer digits alone. */
  readonly digits?: boolean;
  /** One line unless given. */
  readonly rows?: number;
  /** Values to choose from, of which the browser shows those that match what is typed. */
  readonly suggestions?: readonly string[];
  readonly required?: boolean;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  /** The field's path in the body that is sent: `showField` finds it by that. */
  readonly name?: string;
}) => {
  const { t } = usePlace();
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const isBlank = rest.required === true && value !== '' && value.trim() === '';
  // To the browser spaces are content: it sends the form of a required field that has them alone.
  useLayoutEffect(() => field.current?.setCustomValidity(isBlank ? t.form.blank : ''), [isBlank, t]);
  const shared = {
    id,
    ref: field,
    class: 'field',
    value,
    'aria-describedby': wrongAt ?? `${id}-hint`,
    'aria-invalid': wrong != null || wrongAt !== undefined,
    ...(digits && { inputMode: 'numeric' as const }),
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      change(currentTarget.value),
    ...rest,
  };
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input {...{ ...shared, type: type as 'text' }} {...(suggestions && { list: `${id}-list` })} />
      ) : (
        <textarea {...shared} rows={rows} />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <p class={wrong == null ? 'hint' : 'hint bad'} id={`${id}-hint`}>
        {wrong ?? hint}
      </p>
    </div>
  );
};

/** The value that is saved now, above the field for another one. */
export const Now = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="soft small">
    {usePlace().t.form.now} {children}
  </p>
);

/** Moves the focus to the field of this path; if the page has none, to the list of what has to be corrected. */
export const showField = (path: string): void => {
  const place = document.getElementsByName(path)[0] ?? document.querySelector<HTMLElement>('.mend summary');
  place?.focus();
};

/**
 * For a button that adds an item to the end of a list. The item takes the button's place: its first field gets the focus.
 * @param count of the items
 * @param fieldOf the path of an item's first field
 * @returns what the button calls in addition to the change
 */
export const useAdding = (count: number, fieldOf: (index: number) => string): (() => void) => {
  const isAdding = useRef(false);
  useLayoutEffect(() => {
    if (isAdding.current) showField(fieldOf(count - 1));
    isAdding.current = false;
  }, [count]);
  return () => {
    isAdding.current = true;
  };
};

/** A choice of one among a few. */
export const Choice = ({
  label,
  value,
  options,
  change,
  hint,
  name,
}: {
  readonly label: string;
  readonly hint?: string;
  /** As of a `Field`. */
  readonly name?: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly change: (value: string) => void;
}) => {
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-hint`}
        {...(name !== undefined && { name })}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
};

/** A choice of several of a list, each with a checkbox. */
export const Several = <T extends string>({
  label,
  chosen,
  options,
  change,
  wrong,
}: {
  readonly label: string;
  readonly chosen: readonly T[];
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly change: (chosen: readonly T[]) => void;
  readonly wrong?: string | null;
}) => (
  <fieldset class="several">
    <legend>{label}</legend>
    {options.map(([one, name]) => (
      <label class="check" key={one}>
        <input
          type="checkbox"
          checked={chosen.includes(one)}
          onChange={({ currentTarget }) =>
            change(currentTarget.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
          }
        />
        <span>{name}</span>
      </label>
    ))}
    <p class="hint bad" role="alert">
      {wrong}
    </p>
  </fieldset>
);

/**
 * A command under way: `run` sends it once at a time, and keeps why it failed.
 * @param renew reads the record again whose version the command names. Called if somebody else has changed it meanwhile:
 *   what was typed stays, and can be sent again for the record as it is then
 */
export const useCommand = (renew?: () => Promise<unknown>) => {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  return {
    isRunning,
    error,
    forget: () => setError(undefined),
    /** @returns whether it was done */
    run: async (work: () => Promise<unknown>): Promise<boolean> => {
      if (isRunning) return false;
      setRunning(true);
      setError(undefined);
      try {
        await work();
        return true;
      } catch (failure) {
        try {
          if (isAssayError(failure, 'version_mismatch')) await renew?.();
          setError(failure);
        } catch (unread) {
          setError(unread);
        }
        return false;
      } finally {
        setRunning(false);
      }
    },
  };
};
export type Command = ReturnType<typeof useCommand>;

/** Why the service refused a field's content, by its path in the body; `null`: it did not. */
export const wrongOf = (error: unknown, path: string, t: FailureTexts): string | null => {
  const fault =
    error instanceof AssayError ? error.details.find((detail) => detail.path === path) : undefined;
  return fault ? faultOf(fault, t) : null;
};

/**
 * The end of a form: why it was refused, the button that sends it, and further ones.
 * @param cancel called by a button that leaves the form; left out: there is none
 */
export const FormEnd = ({
  command,
  label,
  tone = '',
  conflict,
  cancel,
  children,
}: {
  readonly command: Command;
  readonly label: string;
  readonly tone?: '' | 'danger';
  readonly conflict?: ConflictTexts;
  readonly cancel?: () => void;
  readonly children?: ComponentChildren;
}) => {
  const { t } = usePlace();
  return (
    <>
      {command.error !== undefined && <Failure error={command.error} conflict={conflict} />}
      <div class="actions">
        <button class={`button ${tone}`} type="submit" aria-disabled={command.isRunning}>
          {command.isRunning ? t.form.sending : label}
        </button>
        {cancel && (
          <button class="button quiet" type="button" onClick={cancel}>
            {t.form.cancel}
          </button>
        )}
        {children}
      </div>
    </>
  );
};

/** Asks before the page is left with unsaved text, see `askBeforeLeaving`. */
export const useUnsaved = (isUnsaved: boolean): void => {
  const { t } = usePlace();
  // A layout effect runs with the render that shows the saved text. A later one would still ask at a link right after it.
  useLayoutEffect(() => (isUnsaved ? askBeforeLeaving(t.form.unsaved) : undefined), [isUnsaved]);
};
