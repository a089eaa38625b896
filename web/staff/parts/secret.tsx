import { useId, useRef, useState } from 'preact/hooks';
import { usePlace } from '../console.js';
import { Dialog } from './dialog.js';

/** A secret that is shown once. Escape does not close the dialog, so that the secret is not lost by mistake. */
export const Secret = ({
  title,
  text,
  label,
  value,
  done,
}: {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly value: string;
  readonly done: () => void;
}) => {
  const { t } = usePlace();
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const copy = (): void => {
    field.current?.select();
    // If the browser does not let the page copy, the secret is selected to be copied by hand.
    if ('clipboard' in navigator)
      navigator.clipboard.writeText(value).then(
        () => setCopied(true),
        () => undefined,
      );
  };
  return (
    <Dialog title={title} text={text} close={() => undefined}>
      <div class="form-field">
        <label for={id}>{label}</label>
        <input id={id} class="field secret" readOnly value={value} ref={field} />
      </div>
      <p class="soft small" role="status">
        {isCopied ? t.settings.secret.copied : ''}
      </p>
      <div class="actions">
        <button class="button" type="button" onClick={copy}>
          {t.settings.secret.copy}
        </button>
        <button class="button quiet" type="button" onClick={done}>
          {t.settings.secret.done}
        </button>
      </div>
    </Dialog>
  );
};
