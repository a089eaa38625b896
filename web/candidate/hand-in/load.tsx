import { useEffect, useState } from 'preact/hooks';
import type { BriefingTicket } from '../../../packages/client/src/contract.js';
import { Status } from '../../shared/components.js';
import { SCRIPT_MS, within } from '../../shared/request.js';
import type { App } from '../app.js';
import type { HandIns } from './hand-ins.js';

/**
 * Loads the part of the page that hands work in, which is not in the first bundle. Later calls return the same object.
 * @returns `null`: it could not be loaded, or the candidate is signed out
 */
export const loadHandIns = async (app: App): Promise<HandIns | null> => {
  const part = await within(SCRIPT_MS, import('./hand-ins.js')).catch(() => null);
  const { subject } = app.account;
  const sessionId = app.visit?.session.id;
  if (part === null || subject === null || sessionId === undefined) return null;
  app.handIns.value ??= new part.HandIns(app, subject, sessionId);
  return app.handIns.value;
};

/** The panel to hand in the work for a ticket. For a ticket without `kind`, which is worked on elsewhere, it is empty. */
export const HandInPart = ({
  app,
  ticket,
  title,
}: {
  readonly app: App;
  readonly ticket: BriefingTicket;
  readonly title: string;
}) => {
  const t = app.t.value;
  const handIns = app.handIns.value;
  const [failed, setFailed] = useState(false);
  const load = () => void loadHandIns(app).then((loaded) => setFailed(loaded === null));
  // A browser may cache a failed script, so the page is reloaded; without a connection, a reload would lose the page.
  const tryAgain = () => (app.online.value ? location.reload() : load());
  useEffect(() => {
    if (ticket.kind) load();
  }, []);
  // The panel needs the ticket's starter, which comes only when the whole ticket is read.
  if (!ticket.kind || ticket.contentLeftOut) return null;
  if (handIns) return <handIns.Panel handIns={handIns} ticket={ticket} title={title} />;
  return failed ? (
    <>
      <Status tone="bad">{t.work.notRead}</Status>
      <button class="button quiet" type="button" onClick={tryAgain}>
        {t.tryAgain}
      </button>
    </>
  ) : (
    <Status>{t.loading}</Status>
  );
};
