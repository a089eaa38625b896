/** A form with unsaved text that is shown. */
interface Unsaved {
  readonly question: string;
  /** The address of its page. */
  readonly here: string;
}

const shown = new Set<Unsaved>();

/** Whether the page may be left: no form has unsaved text, or the user agrees to lose it. @param to an address */
export const mayLeave = (to = ''): boolean => {
  const [form] = shown;
  return form === undefined || withoutFragment(to) === withoutFragment(form.here) || confirm(form.question);
};

const withoutFragment = (address: string): string => address.split('#')[0] ?? '';

const closing = (event: BeforeUnloadEvent): void => event.preventDefault();

addEventListener(
  'click',
  (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link?.href || link.target === '_blank' || mayLeave(link.href)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
// Before the router's listener, which shows the other page: browsers call those of a window in the order of their adding.
addEventListener('popstate', (event) => {
  const [form] = shown;
  if (form === undefined || mayLeave(location.href)) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', form.here);
});

/**
 * Asks before the page is left with unsaved text, until the returned function is called: by a link of the console, by
 * closing the window, or by going back or forward. Ask `mayLeave` before any other way.
 */
export const askBeforeLeaving = (question: string): (() => void) => {
  const form = { question, here: location.href };
  shown.add(form);
  addEventListener('beforeunload', closing);
  return () => {
    shown.delete(form);
    if (shown.size === 0) removeEventListener('beforeunload', closing);
  };
};
