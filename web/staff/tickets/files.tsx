import { useRef, useState } from 'preact/hooks';
import { FILE_SET_LIMITS } from '../../../src/work/limits.js';
import { type Chosen, chosenBy, collected, dropped, type Problem } from '../../shared/collecting.js';
import { download } from '../../shared/download.js';
import { sizeOf } from '../../shared/sizes.js';
import { usePlace } from '../console.js';
import { useCommand } from '../parts/form.js';
import { Failure } from '../parts/load.js';
import type { SentFiles } from './draft.js';
import { sendFiles } from './send.js';

/** The files, each with its size, and a button that saves them all as they were sent. */
export const FilesOf = ({ ticketId, files }: { readonly ticketId: string; readonly files: SentFiles }) => {
  const { client, t, orgId, language } = usePlace();
  const words = t.ticket;
  const command = useCommand();
  const save = async (): Promise<void> => {
    const content = await client.get(
      '/organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/content',
      { params: { orgId, ticketId, fileSetId: files.id }, timeoutMs: 60_000 },
    );
    download(new Blob([content as Uint8Array<ArrayBuffer>]), files.name);
  };
  return (
    <>
      <details class="files">
        <summary>
          {files.name}{' '}
          <span class="soft">
            {words.files(files.files.length)} · {sizeOf(words, language, files.bytes)}
          </span>
        </summary>
        <ul class="plain-list mono">
          {files.files.map(({ path, bytes }) => (
            <li key={path}>
              {path} <span class="soft small">{sizeOf(words, language, bytes)}</span>
            </li>
          ))}
        </ul>
      </details>
      <button
        class="link"
        type="button"
        aria-label={`${words.download}: ${files.name}`}
        onClick={() => void command.run(save)}
      >
        {words.download}
      </button>
      {command.error !== undefined && <Failure error={command.error} />}
    </>
  );
};

/** Whether folders can be chosen: phones offer files only. */
const CHOOSES_FOLDERS =
  'webkitdirectory' in HTMLInputElement.prototype && matchMedia('(pointer: fine)').matches;

/** Takes files, a folder or an archive, and sends them at once. They are used once the ticket is saved. */
export const FilesEditor = ({
  ticketId,
  label,
  hint,
  files,
  change,
  isSending,
  wrong,
}: {
  readonly ticketId: string;
  readonly label: string;
  readonly hint: string;
  readonly files: SentFiles | null;
  readonly change: (files: SentFiles | null) => void;
  /** Called with `true` when files begin to be sent, and with `false` when that has ended. */
  readonly isSending: (is: boolean) => void;
  /** Why the service refused them. */
  readonly wrong: string | null;
}) => {
  const { client, t, orgId, language } = usePlace();
  const words = t.ticket;
  const command = useCommand();
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<Problem | 'unreadable' | null>(null);
  const [sent, setSent] = useState<{ readonly bytes: number; readonly of: number } | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (reading: Promise<Chosen>): void => {
    setProblem(null);
    void command.run(async () => {
      const work = await reading
        .then((chosen) => collected(chosen, [], FILE_SET_LIMITS))
        .catch(() => ({ problem: 'unreadable' as const }));
      if ('problem' in work) {
        setProblem(work.problem);
        return;
      }
      const of = work.content.byteLength;
      isSending(true);
      try {
        change(await sendFiles(client, { orgId, ticketId }, work, (bytes) => setSent({ bytes, of })));
      } finally {
        setSent(null);
        isSending(false);
      }
    });
  };
  const fromField = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const list = [...(currentTarget.files ?? [])];
    // So that the same files can be chosen again after they were changed.
    currentTarget.value = '';
    if (list.length > 0) take(Promise.resolve(chosenBy(list)));
  };
  const most = sizeOf(words, language, FILE_SET_LIMITS.bytes);
  const problems = {
    unreadable: words.unreadable,
    empty: words.noFiles,
    tooMany: words.tooMany(words.files(FILE_SET_LIMITS.files)),
    tooLarge: words.tooLarge(most),
  };
  const told = problem === null ? wrong : problems[problem];
  return (
    <section
      class={isOver ? 'drop over' : 'drop'}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer) take(dropped(event.dataTransfer.items));
      }}
    >
      <h3>{label}</h3>
      <p class="soft small">{hint}</p>
      {files && <FilesOf ticketId={ticketId} files={files} />}
      <div class="actions">
        {CHOOSES_FOLDERS && (
          <button
            class="button quiet small"
            type="button"
            aria-label={`${words.chooseFolder}: ${label}`}
            onClick={() => folder.current?.click()}
          >
            {words.chooseFolder}
          </button>
        )}
        <button
          class="button quiet small"
          type="button"
          aria-label={`${words.chooseFiles}: ${label}`}
          onClick={() => picker.current?.click()}
        >
          {words.chooseFiles}
        </button>
        {files && (
          <button
            class="link"
            type="button"
            aria-label={`${words.removeFiles}: ${label}`}
            onClick={() => change(null)}
          >
            {words.removeFiles}
          </button>
        )}
      </div>
      <input type="file" hidden multiple ref={picker} onChange={fromField} />
      <input type="file" hidden multiple ref={folder} onChange={fromField} {...{ webkitdirectory: true }} />
      {sent && <progress max={sent.of} value={sent.bytes} aria-label={words.sending} />}
      <p role="status" class="small">
        {command.isRunning ? words.sending : ''}
      </p>
      {told !== null && (
        <p class="hint bad" role="alert">
          {told}
        </p>
      )}
      {command.error !== undefined && <Failure error={command.error} />}
    </section>
  );
};
