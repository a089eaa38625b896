import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SCRIPT_MS, within } from '../../shared/request.js';
import type { OpenEditor } from './editor.js';
import type { HandIns } from './hand-ins.js';

interface EditorFieldProps {
  readonly handIns: HandIns;
  /** The label for screen readers. */
  readonly label: string;
  readonly visibleLabel?: string;
  /** Its ending decides the language of the highlighting. */
  readonly path: string;
  /** Not code: lines wrap, and Tab leaves the field. */
  readonly isProse?: boolean;
  /** If it differs from what was typed, it replaces the content of the field. */
  readonly text: string;
  readonly changed: (text: string) => void;
}

/** A field for a text or a file. Its editor is loaded when the field is shown; until then it is a plain field. */
export const EditorField = (props: EditorFieldProps) => {
  const { handIns, label, visibleLabel, path, isProse = false, text, changed } = props;
  const t = handIns.t.value.editor;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [state, setState] = useState<'loading' | 'open' | 'plain'>('loading');
  const hint = useId();
  useEffect(() => {
    let isGone = false;
    void within(SCRIPT_MS, import('./editor.js'))
      .then(({ openEditor }) => {
        if (isGone || !place.current) return;
        editor.current = openEditor(place.current, {
          ...{ label, path, isProse },
          hint: isProse ? '' : t.hint,
          text: latest.current.text,
          changed: (typed) => latest.current.changed(typed),
        });
        setState('open');
      })
      .catch(() => setState('plain'));
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = null;
    };
  }, [path, label]);
  useLayoutEffect(() => editor.current?.show(text), [text]);
  return (
    <div class="editor-field">
      {visibleLabel && (
        <p class="label" aria-hidden="true">
          {visibleLabel}
        </p>
      )}
      {state === 'loading' && <p role="status">{handIns.app.t.value.loading}</p>}
      {state === 'plain' && (
        <>
          <p class="soft">{t.plain}</p>
          <textarea
            class="field"
            rows={12}
            aria-label={label}
            value={text}
            onInput={({ currentTarget }) => changed(currentTarget.value)}
          />
        </>
      )}
      <div ref={place} class={state === 'open' ? 'editor' : ''} />
      {!isProse && state === 'open' && (
        <p class="soft small" id={hint}>
          {t.hint}
        </p>
      )}
    </div>
  );
};
