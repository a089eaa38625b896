import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { collectedEdits, type Work } from '../../shared/collecting.js';
import { Confirm, Status } from '../../shared/components.js';
import type { WorkFile } from '../../shared/packing.js';
import { EditorField } from './editor-field.js';
import { lineCounts, textOfFile } from './lines.js';
import type { TicketProps } from './panel.js';

interface FileEditorProps extends TicketProps {
  /** Shows the work to the candidate, who may then hand it in. */
  readonly review: (work: Work) => void;
  /** Closes the editor. The drafts stay in the browser. */
  readonly close: () => void;
}

/**
 * Edits files of the starter on the page. Each change is kept in the browser as a draft. The work to hand in is the whole
 * starter with the drafts in it.
 */
export const FileEditor = (props: FileEditorProps) => {
  const { handIns, ticket } = props;
  const t = handIns.t.value;
  const [files, setFiles] = useState<readonly WorkFile[] | 'failed' | null>(null);
  const read = () => {
    setFiles(null);
    void handIns
      .starterOf(ticket)
      .read()
      .then(setFiles, () => setFiles('failed'));
  };
  useEffect(read, []);
  if (files === null) return <Status>{handIns.app.t.value.loading}</Status>;
  if (files === 'failed')
    return (
      <>
        <Status tone="bad">{t.starter.failed}</Status>
        <button class="button quiet" type="button" onClick={read}>
          {handIns.app.t.value.tryAgain}
        </button>
      </>
    );
  return <OpenFiles {...props} files={files} />;
};

const OpenFiles = ({
  handIns,
  ticket,
  title,
  review,
  close,
  files,
}: FileEditorProps & { readonly files: readonly WorkFile[] }) => {
  const t = handIns.t.value.editor;
  const { drafts } = handIns.of(ticket.id);
  const id = useId();
  const chooser = useRef<HTMLSelectElement>(null);
  const [path, setPath] = useState(() => drafts.names()[0] ?? mainOf(files));
  const original = textOfFile(files.find((file) => file.path === path)?.content ?? new Uint8Array());
  const [text, setText] = useState(() => drafts.of(path) ?? original);
  const [isKept, setKept] = useState(true);
  const [asking, setAsking] = useState(false);
  useEffect(() => chooser.current?.focus(), []);
  const recorded = useRef(text ?? '');
  useEffect(
    () =>
      drafts.watch(path, (typed) => {
        // The other tab records its change.
        recorded.current = typed;
        setText(typed);
      }),
    [path],
  );
  /** Records as an activity how many lines of the open file changed since it was opened or recorded last. */
  const record = () => {
    const [before, after] = [recorded.current, text ?? ''];
    recorded.current = after;
    if (before !== after) handIns.app.recording.did('file.changed', { path, ...lineCounts(before, after) });
  };
  const open = (next: string) => {
    record();
    const content = files.find((file) => file.path === next)?.content ?? new Uint8Array();
    const shown = drafts.of(next) ?? textOfFile(content);
    recorded.current = shown ?? '';
    setPath(next);
    setText(shown);
  };
  const change = (typed: string) => {
    setText(typed);
    setKept(drafts.keep(path, typed === original ? null : typed));
  };
  const names = drafts.names();
  return (
    <section class="files" aria-label={`${t.file}: ${title}`}>
      <div class="row">
        <label htmlFor={id}>{t.file}</label>
        <select
          id={id}
          ref={chooser}
          value={path}
          onChange={({ currentTarget }) => open(currentTarget.value)}
        >
          {files.map((file) => (
            <option key={file.path} value={file.path}>
              {file.path}
              {names.includes(file.path) ? ` (${t.changed})` : ''}
            </option>
          ))}
        </select>
      </div>
      {text === null ? (
        <p>{t.notText}</p>
      ) : (
        <EditorField
          key={path}
          handIns={handIns}
          label={t.label(path)}
          path={path}
          text={text}
          changed={change}
        />
      )}
      <Status tone={isKept ? '' : 'bad'}>
        {isKept
          ? drafts.unsentNames.length > 0 && handIns.t.value.answer.kept
          : handIns.t.value.answer.notKept}
      </Status>
      <div class="actions">
        <button
          class="button"
          type="button"
          aria-label={`${t.review}: ${title}`}
          onClick={() => {
            record();
            void collectedEdits(edited(files, drafts)).then(review);
          }}
        >
          {t.review}
        </button>
        {names.includes(path) && (
          <button class="button quiet" type="button" onClick={() => setAsking(true)}>
            {t.revert}
          </button>
        )}
        <button
          class="button quiet"
          type="button"
          onClick={() => {
            record();
            close();
          }}
        >
          {t.close}
        </button>
      </div>
      {asking && (
        <Confirm
          title={t.revertTitle}
          text={t.revertText}
          yes={t.revert}
          no={t.cancel}
          dangerous
          close={() => setAsking(false)}
          confirm={() => {
            setAsking(false);
            if (original !== null) change(original);
          }}
        />
      )}
    </section>
  );
};

/** The starter's files, with the draft of each that has one. */
const edited = (
  files: readonly WorkFile[],
  drafts: { of(path: string): string | null },
): readonly WorkFile[] =>
  files.map(({ path, content }) => {
    const text = drafts.of(path);
    return { path, content: text === null ? content : new TextEncoder().encode(text) };
  });

/** The file that is shown first: a readme at the top, else the first one. */
const mainOf = (files: readonly WorkFile[]): string =>
  (files.find(({ path }) => /^readme/i.test(path)) ?? files[0])?.path ?? '';
