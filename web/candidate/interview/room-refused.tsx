import type { PageTexts as Texts } from '../../../src/languages/en/page.js';
import { type Action, refusalOf, type RoomState } from './room-state.js';

const known = (texts: Readonly<Record<string, string>> & { readonly other: string }, code: string): string =>
  (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? texts.other;

/** What failed last, in words. */
export const problemText = (t: Texts, code: string): string => known(t.room.problem, code);

interface RefusedProps {
  readonly t: Texts;
  readonly state: RoomState;
  readonly actions: readonly Action[];
  readonly turn: number;
}

/** The refused actions of a turn, with the reason of each and what to do. */
export const Refused = ({ t, state, actions, turn }: RefusedProps) => (
  <>
    {actions
      .flatMap((action) => refusalOf(state, action, turn) ?? [])
      .map(({ action, code }) => (
        <p class="note bad" role="alert" key={action}>
          {t.room.refusal[action]} {action !== 'interrupt' && known(t.room.because, code)}
        </p>
      ))}
  </>
);
