import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { serviceNow } from './clock.js';
import { excessOf, type TextLimit } from './text-limits.js';

// Controls that the pages are made of. Each gets its texts from its page: `t` has those that it needs.

/** A state of the page. Its heading gets the focus, so that a screen reader begins there. */
export const Screen = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the focus, since a screen reader then reads out the title and the heading.
  useLayoutEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      {children}
    </>
  );
};

/** Whether a field may get the focus by itself. On a phone the keyboard would then hide the text. */
export const hasKeyboard = (): boolean => matchMedia('(pointer: fine)').matches;

/** A part of a screen with a heading of its own. */
export const Card = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
  </section>
);

/** A sentence that is read out when it changes. */
export const Status = ({
  children,
  tone = '',
}: {
  readonly children?: ComponentChildren;
  readonly tone?: '' | 'good' | 'bad';
}) => (
  <p class={`status ${tone}`} role="status">
    {children}
  </p>
);

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly dangerous?: boolean;
  /** A third choice, such as to save first. */
  readonly other?: { readonly label: string; readonly confirm: () => void } | undefined;
  readonly confirm: () => void;
  readonly close: () => void;
}

/** Asks before something that cannot be undone. Open as long as it is mounted. */
export const Confirm = (props: ConfirmProps) => {
  const { title, text, yes, no, dangerous = false, other, confirm, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const stay = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // The focus is on the button that cancels, so that a key that was meant for the page does not confirm.
    stay.current?.focus();
    // Closed before it is removed from the document, so that the browser returns the focus.
    return () => opened?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" aria-describedby="confirm-text" onCancel={close}>
      <h2 id="confirm-title">{title}</h2>
      <p id="confirm-text">{text}</p>
      <div class="actions">
        {other && (
          <button class="button" type="button" onClick={other.confirm}>
            {other.label}
          </button>
        )}
        <button class={dangerous ? 'button danger' : 'button'} type="button" onClick={confirm}>
          {yes}
        </button>
        <button class="button quiet" type="button" ref={stay} onClick={close}>
          {no}
        </button>
      </div>
    </dialog>
  );
};

/** A button for something that cannot be undone: it asks first. @param t the texts of the button and the question */
export const AskingButton = ({
  t,
  confirm,
}: {
  readonly t: Readonly<Record<'button' | 'confirmTitle' | 'confirmText' | 'confirm' | 'cancel', string>>;
  readonly confirm: () => void;
}) => {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button class="button quiet" type="button" onClick={() => setAsking(true)}>
        {t.button}
      </button>
      {asking && (
        <Confirm
          title={t.confirmTitle}
          text={t.confirmText}
          yes={t.confirm}
          no={t.cancel}
          dangerous
          close={() => setAsking(false)}
          confirm={() => {
            setAsking(false);
            confirm();
          }}
        />
      )}
    </>
  );
};

interface LimitedFieldProps {
  readonly t: { readonly field: { readonly tooLong: (characters: string) => string } };
  readonly label: string;
  /** What the service takes. */
  readonly limit: TextLimit;
  readonly name?: string;
  /** One line unless given. */
  readonly rows?: number;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly invalid?: boolean;
  /** The id of an element that describes the field. */
  readonly describedBy?: string | undefined;
  /** The text of a controlled field, which `changed` keeps. Left out: the browser keeps the text, and the form has it. */
  readonly value?: string;
  /** Gets the element, so that the page can focus it. */
  readonly field?: { current: HTMLTextAreaElement | null };
  readonly changed?: (text: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/**
 * A field for text that shows at once how many characters are too many. The browser does not submit a form with a text that
 * is too long, unless the form has `noValidate`: then its page checks `excessOf`.
 */
export const LimitedField = (props: LimitedFieldProps) => {
  const { t, label, limit, rows, value, field, changed, describedBy = '' } = props;
  const own = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const [typed, setTyped] = useState(0);
  const id = useId();
  const excess = value === undefined ? typed : excessOf(value.trim(), limit);
  const problem = excess > 0 ? t.field.tooLong(excess.toLocaleString(document.documentElement.lang)) : '';
  useLayoutEffect(() => {
    own.current?.setCustomValidity(problem);
    if (field) field.current = own.current;
  }, [problem]);
  const shared = {
    class: 'field',
    ref: own,
    'aria-describedby': `${describedBy} ${id}`.trim(),
    'aria-invalid': props.invalid === true || excess > 0,
    ...(props.name !== undefined && { name: props.name }),
    ...(value !== undefined && { value }),
    required: props.required === true,
    readOnly: props.readOnly === true,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setTyped(excessOf(currentTarget.value.trim(), limit));
      changed?.(currentTarget.value);
    },
    ...(props.onKeyDown && { onKeyDown: props.onKeyDown }),
  };
  return (
    <>
      <label>
        <span>{label}</span>
        {rows === undefined ? <input {...shared} /> : <textarea {...shared} rows={rows} />}
      </label>
      <p class="wrong" id={id} role="alert">
        {problem}
      </p>
    </>
  );
};

/** The value of a form's field, without white space around it; '' if there is none. */
export const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/**
 * The milliseconds until a moment, updated every second; never negative.
 * @param moment by the service's clock, in milliseconds since 1970; `null`: none
 */
export const useMillisecondsUntil = (moment: number | null): number | null => {
  const [, again] = useState(0);
  useEffect(() => {
    if (moment === null) return;
    const timer = setInterval(() => again((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [moment === null]);
  return moment === null ? null : Math.max(0, moment - serviceNow());
};

/** How far the page's clock may be behind the service's. */
const CLOCK_ERROR_MS = 1_000;

/** A time that is left, in words, rounded up to minutes. A limit of 30 minutes never begins with "31 minutes". */
export const minutesOf = (t: { readonly minutes: (count: number) => string }, ms: number): string =>
  t.minutes(Math.ceil((ms - CLOCK_ERROR_MS) / 60_000) || 1);

/** A bar for the level of a microphone, from 0 to 1. The scale is not linear, as hearing is not. */
export const Level = ({ label, level }: { readonly label: string; readonly level: number }) => (
  <meter aria-label={label} min={0} max={1} value={Math.min(1, Math.sqrt(level) * 1.4)} />
);
