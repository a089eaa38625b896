import { useEffect } from 'preact/hooks';
import type { BriefingTicket } from '../../../packages/client/src/contract.js';
import { Status } from '../../shared/components.js';
import { FilesWork } from './files-work.js';
import type { HandIns } from './hand-ins.js';
import { Receipts } from './receipts.js';
import { TextAnswer } from './text-answer.js';
import type { TicketWork } from './ticket-work.js';

export interface TicketProps {
  readonly handIns: HandIns;
  readonly ticket: BriefingTicket;
  /** The ticket's title, or its number if it has none, as the page shows it. */
  readonly title: string;
}

/** Everything about the work for one ticket: the starter, the hand-in, and what has arrived. */
export const HandInPanel = (props: TicketProps) => {
  const { handIns, ticket } = props;
  const work = handIns.of(ticket.id);
  useEffect(() => {
    void work.load();
  }, []);
  if (!work.isServed.value) return null;
  return (
    <div class="hand-in">
      {ticket.kind === 'text' ? <TextAnswer {...props} /> : <FilesWork {...props} />}
      <Progress handIns={handIns} work={work} />
      <Receipts handIns={handIns} work={work} title={props.title} />
    </div>
  );
};

/** The progress of the hand-in that is being sent, or why the service refused it. */
const Progress = ({ handIns, work }: { readonly handIns: HandIns; readonly work: TicketWork }) => {
  const t = handIns.t.value.sending;
  const sending = work.sending.value;
  const refusal = work.refusal.value;
  const language = handIns.app.language.value;
  const part = sending && (sending.bytes === 0 ? 1 : sending.received / sending.bytes);
  // Read out at each quarter, not at each piece.
  const heard =
    part === null ? null : (Math.floor(part * 4) / 4).toLocaleString(language, { style: 'percent' });
  return (
    <>
      {sending && (
        <div class="sending">
          <p class="small">{t.progress(sending.name)}</p>
          <progress aria-label={t.progress(sending.name)} value={part ?? 0} max={1} />
        </div>
      )}
      <Status tone={refusal === null ? '' : 'bad'}>
        {sending && (sending.isWaiting ? t.waiting : t.percent(heard ?? ''))}
        {refusal !== null && t.refused(refusal)}
      </Status>
    </>
  );
};
