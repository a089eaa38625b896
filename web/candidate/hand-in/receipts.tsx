import { useState } from 'preact/hooks';
import { dateTime } from '../../shared/clock.js';
import { Status } from '../../shared/components.js';
import { sizeOf } from '../../shared/sizes.js';
import { Checks } from './checks.js';
import type { HandIn } from './contract.js';
import type { HandIns } from './hand-ins.js';
import type { TicketWork } from './ticket-work.js';
import { TreeView } from './tree-view.js';

interface ReceiptsProps {
  readonly handIns: HandIns;
  readonly work: TicketWork;
  readonly title: string;
}

/** What has arrived for a ticket: the last hand-in with the result of its checks, and earlier ones. */
export const Receipts = ({ handIns, work, title }: ReceiptsProps) => {
  const t = handIns.t.value.receipt;
  const [latest, ...earlier] = work.handedIn;
  if (work.isUnread.value)
    return (
      <>
        <Status tone="bad">{t.unread}</Status>
        <button class="button quiet" type="button" onClick={() => void work.load()}>
          {handIns.app.t.value.tryAgain}
        </button>
      </>
    );
  if (work.handIns.value === null) return null;
  return (
    <section class="receipts" aria-label={`${t.title}: ${title}`}>
      <p role="status" class={latest ? 'good' : 'soft'}>
        {latest
          ? `${t.arrived} ${t.latest(dateTime(handIns.app.language.value, latest.handedInAt ?? latest.begunAt))}`
          : t.nothing}
      </p>
      {latest && <Receipt handIns={handIns} work={work} handIn={latest} title={title} />}
      {earlier.length > 0 && (
        <details>
          <summary>{t.earlier(earlier.length)}</summary>
          {earlier.map((handIn) => (
            <Receipt key={handIn.id} handIns={handIns} work={work} handIn={handIn} title={title} />
          ))}
        </details>
      )}
    </section>
  );
};

const Receipt = ({ handIns, work, handIn, title }: ReceiptsProps & { readonly handIn: HandIn }) => {
  const t = handIns.t.value;
  const language = handIns.app.language.value;
  const [copied, setCopied] = useState<boolean | null>(null);
  const when = dateTime(language, handIn.handedInAt ?? handIn.begunAt);
  const size = sizeOf(t, language, handIn.bytes);
  const lines = [
    title,
    handIn.name,
    `${handIn.bytes} B`,
    handIn.handedInAt ?? '',
    `SHA-256 ${handIn.sha256}`,
    handIn.id,
  ];
  const copy = () => {
    const written = (navigator.clipboard as Clipboard | undefined)?.writeText(lines.join('\n'));
    void (written ?? Promise.reject(new Error())).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div class="receipt">
      <p>
        <strong>{handIn.name}</strong>{' '}
        <span class="soft">
          · {size} · {when}
        </span>
      </p>
      <p class="small">
        {t.receipt.hash} <code>{handIn.sha256}</code>
      </p>
      <Checks handIns={handIns} handIn={handIn} isHidden={work.hasHiddenResults.value} />
      {handIn.files && handIn.files.length > 1 && (
        <details>
          <summary>{t.files(handIn.files.length)}</summary>
          <TreeView handIns={handIns} label={t.folders} files={handIn.files} />
        </details>
      )}
      <button
        class="link"
        type="button"
        aria-label={`${t.receipt.copy}: ${handIn.name}, ${when}`}
        onClick={copy}
      >
        {t.receipt.copy}
      </button>
      <Status tone={copied === false ? 'bad' : 'good'}>
        {copied !== null && (copied ? t.receipt.copied : t.receipt.notCopied)}
      </Status>
    </div>
  );
};
