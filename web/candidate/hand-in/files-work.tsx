import { useRef, useState } from 'preact/hooks';
import { HAND_IN_LIMITS } from '../../../src/work/limits.js';
import {
  type Chosen,
  chosenBy,
  collected,
  dropped,
  type Problem,
  type Work,
} from '../../shared/collecting.js';
import { Status } from '../../shared/components.js';
import { download } from '../../shared/download.js';
import { sizeOf } from '../../shared/sizes.js';
import { FileEditor } from './file-editor.js';
import type { TicketProps } from './panel.js';
import { Review } from './review.js';
import { TreeView } from './tree-view.js';
import { bytesOf } from './tree.js';

/** A ticket that files are handed in for. */
export const FilesWork = (props: TicketProps) => {
  const { handIns, ticket } = props;
  const [work, setWork] = useState<Work | null>(null);
  const done = () => setWork(null);
  return (
    <>
      <StarterFiles {...props} review={setWork} />
      <h3>{handIns.t.value.choose.title}</h3>
      {work === null ? (
        <Chooser {...props} chosen={setWork} />
      ) : (
        <Review
          key={work.sha256}
          {...props}
          work={work}
          cancel={done}
          send={() => {
            done();
            void handIns.of(ticket.id).handIn(work);
          }}
        />
      )}
    </>
  );
};

/** The starter's files, to be downloaded or edited on the page. */
const StarterFiles = (props: TicketProps & { readonly review: (work: Work) => void }) => {
  const { handIns, ticket, title } = props;
  const t = handIns.t.value;
  const { starter, visibleChecks, hasHiddenChecks } = ticket;
  const [isOpen, setOpen] = useState(() => handIns.of(ticket.id).drafts.names().length > 0);
  const [state, setState] = useState<'idle' | 'preparing' | 'failed'>('idle');
  const save = async (format: 'zip' | 'tar') => {
    if (state === 'preparing') return;
    setState('preparing');
    const file = await handIns.app.attempt('file', () => handIns.starterOf(ticket).archive(format));
    setState('done' in file ? 'idle' : 'failed');
    if ('done' in file) download(new Blob([file.done as BlobPart]), `${fileNameOf(title)}.${format}`);
  };
  const checks = visibleChecks ? (hasHiddenChecks ? 'both' : 'visible') : hasHiddenChecks ? 'hidden' : null;
  return (
    <>
      {starter && (
        <>
          <h3>{t.starter.title}</h3>
          <p>{t.starter.text}</p>
          <details>
            <summary>
              {t.files(starter.files.length)}{' '}
              <span class="soft">· {sizeOf(t, handIns.app.language.value, bytesOf(starter.files))}</span>
            </summary>
            <TreeView handIns={handIns} label={t.starter.title} files={starter.files} />
          </details>
          <div class="actions">
            {(['zip', 'tar'] as const).map((format) => (
              <button
                key={format}
                class="button quiet"
                type="button"
                aria-label={`${t.starter[format]}: ${title}`}
                aria-disabled={state === 'preparing'}
                onClick={() => void save(format)}
              >
                {t.starter[format]}
              </button>
            ))}
            {!isOpen && (
              <button
                class="button quiet"
                type="button"
                aria-label={`${t.starter.edit}: ${title}`}
                onClick={() => setOpen(true)}
              >
                {t.starter.edit}
              </button>
            )}
          </div>
          <Status tone={state === 'failed' ? 'bad' : ''}>
            {{ idle: '', preparing: t.starter.preparing, failed: t.starter.failed }[state]}
          </Status>
          {isOpen && <FileEditor {...props} close={() => setOpen(false)} />}
        </>
      )}
      {checks && <p class="soft">{t.checks[checks]}</p>}
    </>
  );
};

/** A file name that every operating system allows. */
const fileNameOf = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'starter';

/** An area to drop files on, with buttons to choose them. */
const Chooser = ({
  handIns,
  ticket,
  title,
  chosen,
}: TicketProps & { readonly chosen: (work: Work) => void }) => {
  const t = handIns.t.value.choose;
  const language = handIns.app.language.value;
  const [state, setState] = useState<'idle' | 'over' | 'reading' | 'unreadable' | Problem>('idle');
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const megabytes = sizeOf(handIns.t.value, language, HAND_IN_LIMITS.bytes);
  const count = HAND_IN_LIMITS.files.toLocaleString(language);
  /** What was chosen last: files that were chosen before may take longer to read, and must not take its place. */
  const latest = useRef<Promise<Chosen> | null>(null);
  const take = async (reading: Promise<Chosen>) => {
    latest.current = reading;
    setState('reading');
    const work = await reading
      .then((files) => collected(files, ticket.starter?.files ?? []))
      .catch(() => ({ problem: 'unreadable' as const }));
    if (latest.current !== reading) return;
    if ('problem' in work) setState(work.problem);
    else chosen(work);
  };
  const problems = {
    unreadable: t.unreadable,
    empty: t.empty,
    tooMany: t.tooMany(handIns.t.value.files(HAND_IN_LIMITS.files)),
    tooLarge: t.tooLarge(megabytes),
  };
  const fromField = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    const list = [...(currentTarget.files ?? [])];
    // So that the same file can be chosen again.
    currentTarget.value = '';
    if (list.length > 0) void take(Promise.resolve(chosenBy(list)));
  };
  return (
    <div
      class={state === 'over' ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        if (state !== 'reading') setState('over');
      }}
      onDragLeave={(event) => {
        if (state === 'over' && !event.currentTarget.contains(event.relatedTarget as Node | null))
          setState('idle');
      }}
      onDrop={(event) => {
        event.preventDefault();
        if (event.dataTransfer) void take(dropped(event.dataTransfer.items));
      }}
    >
      <p>{t.drop}</p>
      <div class="actions">
        {CHOOSES_FOLDERS && (
          <button
            class="button quiet"
            type="button"
            aria-label={`${t.folder}: ${title}`}
            onClick={() => folder.current?.click()}
          >
            {t.folder}
          </button>
        )}
        <button
          class="button quiet"
          type="button"
          aria-label={`${t.files}: ${title}`}
          onClick={() => files.current?.click()}
        >
          {t.files}
        </button>
      </div>
      <p class="soft small">{t.limits(count, megabytes)}</p>
      <input type="file" hidden multiple ref={files} onChange={fromField} />
      <input type="file" hidden multiple ref={folder} onChange={fromField} {...{ webkitdirectory: true }} />
      <Status tone={state in problems ? 'bad' : ''}>
        {state === 'reading' ? t.reading : state in problems ? problems[state as keyof typeof problems] : ''}
      </Status>
    </div>
  );
};

/** Whether folders can be chosen: phones offer files only. */
const CHOOSES_FOLDERS =
  'webkitdirectory' in HTMLInputElement.prototype && matchMedia('(pointer: fine)').matches;
