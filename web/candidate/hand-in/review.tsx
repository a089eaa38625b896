import { useEffect, useRef, useState } from 'preact/hooks';
import type { Work } from '../../shared/collecting.js';
import { sizeOf } from '../../shared/sizes.js';
import { type Line, linesOf, textOfFile } from './lines.js';
import type { TicketProps } from './panel.js';
import { TreeView } from './tree-view.js';
import { bytesOf, compared, type ComparedFile, countsOf } from './tree.js';

interface ReviewProps extends TicketProps {
  readonly work: Work;
  readonly send: () => void;
  readonly cancel: () => void;
}

/** Shows what will be handed in, compared with the starter, and asks for confirmation. */
export const Review = (props: ReviewProps) => {
  const { handIns, ticket, work, send, cancel } = props;
  const t = handIns.t.value;
  const language = handIns.app.language.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const starter = ticket.starter?.files ?? [];
  const size = sizeOf(t, language, work.manifest ? bytesOf(work.manifest) : work.content.byteLength);
  return (
    <section class="review" aria-label={t.review.title}>
      <h4 tabIndex={-1} ref={heading}>
        {t.review.title}
      </h4>
      <p>
        <strong>{work.name}</strong>
        <span class="soft">
          {work.manifest && ` · ${t.files(work.manifest.length)}`} · {size}
        </span>
      </p>
      {work.wrapper !== '' && <p class="soft">{t.review.wrapper(work.wrapper.slice(0, -1))}</p>}
      {work.leftOut.length > 0 && <p class="soft">{t.review.leftOut(work.leftOut.join(', '))}</p>}
      {work.manifest === null ? (
        <p>{t.review.unknown}</p>
      ) : (
        <Differences {...props} files={compared(starter, work.manifest)} hasStarter={starter.length > 0} />
      )}
      <div class="actions">
        <button class="button" type="button" onClick={send}>
          {t.review.send}
        </button>
        <button class="button quiet" type="button" onClick={cancel}>
          {t.review.cancel}
        </button>
      </div>
    </section>
  );
};

const Differences = (
  props: ReviewProps & { readonly files: readonly ComparedFile[]; readonly hasStarter: boolean },
) => {
  const { handIns, files, hasStarter } = props;
  const t = handIns.t.value.review;
  if (!hasStarter)
    return (
      <TreeView
        handIns={handIns}
        label={handIns.t.value.folders}
        files={files.map(({ path, bytes }) => ({ path, bytes }))}
      />
    );
  const counts = countsOf(files);
  const differing = files.filter(({ change }) => change !== 'same');
  return (
    <>
      <p>
        {differing.length === 0
          ? t.nothingChanged
          : (['changed', 'added', 'removed', 'same'] as const)
              .filter((change) => counts[change] > 0)
              .map((change) => t[change](counts[change]))
              .join(', ')}
      </p>
      {counts.removed > 0 && <p class="note">{t.missing(counts.removed)}</p>}
      {differing.length > 0 && (
        <TreeView handIns={handIns} label={handIns.t.value.folders} files={differing} />
      )}
      {files
        .filter(({ change }) => change === 'changed')
        .map(({ path }) => (
          <ChangedLines key={path} {...props} path={path} />
        ))}
    </>
  );
};

/** The changed lines of a file, read when they are opened. */
const ChangedLines = ({ handIns, ticket, work, path }: ReviewProps & { readonly path: string }) => {
  const t = handIns.t.value.review;
  const [lines, setLines] = useState<readonly Line[] | 'failed' | 'binary' | null>(null);
  const read = async () => {
    const before = (await handIns.starterOf(ticket).read()).find((file) => file.path === path);
    const after = work.files?.find((file) => file.path === path);
    const texts = [before, after].map((file) => textOfFile(file?.content ?? new Uint8Array()));
    const [former = null, current = null] = texts;
    setLines(former === null || current === null ? 'binary' : (linesOf(former, current) ?? 'failed'));
  };
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && lines === null) void read().catch(() => setLines('failed'));
      }}
    >
      <summary>{t.lines(path)}</summary>
      {typeof lines === 'string' ? (
        <p>{lines === 'failed' ? t.linesFailed : t.noLines}</p>
      ) : (
        <pre class="lines" tabIndex={0} role="region" aria-label={t.lines(path)}>
          {lines?.map((line, at) =>
            'unchanged' in line ? (
              <span key={at} class="soft">
                ⋯ {t.unchangedLines(line.unchanged)}
                {'\n'}
              </span>
            ) : (
              <span key={at} class={line.change}>
                <span aria-hidden="true">{SIGNS[line.change]} </span>
                {line.change !== 'same' && (
                  <span class="hidden">{line.change === 'added' ? t.addedLine : t.removedLine}</span>
                )}
                {line.text}
                {'\n'}
              </span>
            ),
          )}
        </pre>
      )}
    </details>
  );
};

const SIGNS = { added: '+', removed: '−', same: ' ' } as const;
