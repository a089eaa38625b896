import { render } from 'preact';
import { answerFromFrame, isInFrame } from '../shared/oidc.js';
import { App } from './app.js';
import { Page } from './page.js';

// The service answers every path below `/apply/` with the same document. The path ends with the application's id, or with
// `callback` when the browser returns from a sign-in. In a hidden frame, where a sign-in is renewed,
// the page only hands the provider's answer to the page around it.
const place = location.pathname.split('/').at(-1) ?? '';
const root = document.getElementById('app');

if (place === 'callback' && isInFrame()) answerFromFrame();
else if (root) {
  const worklet = new URL(root.dataset['worklet'] ?? '', location.href).href;
  const app = new App(new URL('../', location.href).href, worklet);
  root.replaceChildren();
  render(<Page app={app} />, root);
  // Not in the first bundle: the page works without it.
  import('../shared/keep-focus.js').then(
    (part) => part.keepFocus(),
    () => undefined,
  );
  void app.open(place);
}
