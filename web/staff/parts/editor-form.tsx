import type { ComponentChildren } from 'preact';
import { usePlace } from '../console.js';
import { Conflict, type Differing } from './conflict.js';
import type { Editor } from './editing.js';
import { FormEnd, showField } from './form.js';

/** A field that keeps a record from being saved. */
export interface ToMend {
  readonly path: string;
  readonly name: string;
  readonly sentence: string;
}

/** A record's editor: its fields, both versions if another person has saved since, and the bar with the buttons. */
export const EditorForm = <Saved, Draft, Of, Problem>({
  editor,
  differences,
  toMend,
  save,
  cancel,
  children,
}: {
  readonly editor: Editor<Saved, Draft, Of, Problem>;
  readonly differences: readonly Differing[];
  readonly toMend: readonly ToMend[];
  readonly save: string;
  /** The page to which its button leads. */
  readonly cancel: string;
  readonly children: ComponentChildren;
}) => {
  const { t, to } = usePlace();
  const { conflict, command, submit } = editor;
  return (
    <form
      class="editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {conflict && <Conflict {...conflict} differences={differences} />}
      {children}
      <div class="form-bar">
        <div role="status">
          {toMend.length > 0 && (
            <details class="mend">
              <summary class="bad">{t.form.incomplete(toMend.length)}</summary>
              <ul class="plain-list">
                {toMend.map(({ path, name, sentence }) => (
                  <li key={path}>
                    <button class="link" type="button" onClick={() => showField(path)}>
                      {name}
                    </button>{' '}
                    {sentence}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
        <FormEnd command={command} label={save}>
          <a class="button quiet" href={to(cancel)}>
            {t.form.cancel}
          </a>
        </FormEnd>
      </div>
    </form>
  );
};
