import { useEffect } from 'preact/hooks';

/** Opens all sections of a page while it is printed. */
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
