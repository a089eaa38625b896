import { useEffect } from 'preact/hooks';

/** Prints a page with all that it can open: on paper nothing can be opened. */
export const usePrintedWhole = (): void => {
  useEffect(() => {
    let opened: readonly Element[] = [];
    const open = (): void => {
      opened = [...document.querySelectorAll('main details:not([open])')];
      for (const one of opened) one.setAttribute('open', '');
    };
    const close = (): void => {
      for (const one of opened) one.removeAttribute('open');
      opened = [];
    };
    addEventListener('beforeprint', open);
    addEventListener('afterprint', close);
    return () => {
      removeEventListener('beforeprint', open);
      removeEventListener('afterprint', close);
    };
  }, []);
};
