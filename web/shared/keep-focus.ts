/** What can take the focus of something that is removed: headings, and what a script may focus. */
const PLACES = 'h1, h2, h3, h4, legend, [tabindex="-1"]';
/** Longest time until the effects of a change have run, which may move the focus themselves. In milliseconds. */
const EFFECTS_MS = 100;

/**
 * Keeps the reader's place, for keyboards and screen readers: if a page removes the focused element, such as a button
 * that is replaced by its result, the focus moves to the nearest heading before it that remains. Without it the browser
 * moves the focus to the beginning of the document.
 */
export const keepFocus = (): void => {
  let focused: Node | null = null;
  let before: readonly HTMLElement[] = [];
  const move = () => {
    if (focused?.isConnected !== false || document.activeElement !== document.body) return;
    focused = null;
    // The browser refuses the focus for a place that is removed or hidden.
    before.some((place) => {
      place.tabIndex = -1;
      // Without a jump of the page for those who use a mouse.
      place.focus({ preventScroll: true });
      return document.activeElement === place;
    });
  };
  addEventListener('focusin', ({ target }) => {
    const element = target as Element;
    focused = element;
    before = [...document.querySelectorAll<HTMLElement>(PLACES)]
      .filter((place) => place.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
      .reverse();
  });
  new MutationObserver(() => {
    if (focused?.isConnected === false) setTimeout(move, EFFECTS_MS);
  }).observe(document.body, { childList: true, subtree: true });
};
