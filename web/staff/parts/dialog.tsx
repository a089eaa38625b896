import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FormEnd, useCommand } from './form.js';

/** A native dialog, open for as long as it is part of the page. It returns the focus to where it was. */
export const Dialog = ({
  title,
  text,
  close,
  children,
}: {
  readonly title: string;
  /** What the dialog explains: screen readers read it when the dialog opens. Default: nothing. */
  readonly text?: string | undefined;
  /** Called by Escape. */
  readonly close: () => void;
  readonly children: ComponentChildren;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const textId = text === undefined ? undefined : `${id}-text`;
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    if (opened?.querySelector('input, textarea, select') === null) {
      // Without a field the browser would focus the button that confirms: a key that was meant for the page would do what
      // cannot be undone.
      opened.querySelector<HTMLElement>('.danger ~ .button')?.focus();
    }
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={id}>{title}</h2>
      {text !== undefined && <p id={textId}>{text}</p>}
      {children}
    </dialog>
  );
};

/**
 * A button that opens a dialog. Its content is mounted each time: it begins with the record as it is then, and without what
 * was typed or refused before.
 */
export const Opening = ({
  label,
  name = label,
  title = label,
  text,
  look = 'quiet',
  children,
}: {
  readonly label: string;
  /** The name for screen readers, if several buttons have the same label. */
  readonly name?: string;
  readonly title?: string;
  /** As in `Dialog`. */
  readonly text?: string;
  /** `main`: the page's first command; `link`: as in the row of a table. */
  readonly look?: 'main' | 'quiet' | 'link';
  readonly children: (close: () => void) => ComponentChildren;
}) => {
  const [isShown, setShown] = useState(false);
  const close = (): void => setShown(false);
  return (
    <>
      <button
        class={{ main: 'button', quiet: 'button quiet', link: 'link' }[look]}
        type="button"
        aria-label={name}
        onClick={() => setShown(true)}
      >
        {label}
      </button>
      {isShown && (
        <Dialog title={title} text={text} close={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
};

/** A button whose command is sent after a dialog has explained the effect. */
export const Asking = ({
  label,
  name = label,
  title,
  text,
  work,
  renew,
  danger = false,
  small = false,
}: {
  readonly label: string;
  /** The name for screen readers, if several buttons have the same label. */
  readonly name?: string;
  readonly title: string;
  readonly text: string;
  /** Sends the command. The dialog stays if it fails. */
  readonly work: () => Promise<unknown>;
  /** As of `useCommand`. */
  readonly renew?: () => Promise<unknown>;
  readonly danger?: boolean;
  /** A link, as in the row of a table. */
  readonly small?: boolean;
}) => {
  const [isShown, setShown] = useState(false);
  const command = useCommand(renew);
  const close = (): void => {
    setShown(false);
    command.forget();
  };
  return (
    <>
      <button
        class={small ? 'link' : 'button quiet'}
        type="button"
        aria-label={name}
        onClick={() => setShown(true)}
      >
        {label}
      </button>
      {isShown && (
        <Dialog title={title} text={text} close={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void command.run(work).then((done) => {
                if (done) close();
              });
            }}
          >
            <FormEnd command={command} label={label} tone={danger ? 'danger' : ''} cancel={close} />
          </form>
        </Dialog>
      )}
    </>
  );
};
