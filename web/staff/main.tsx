import { render } from 'preact';
import { keepFocus } from '../shared/keep-focus.js';
import { answerFromFrame, isInFrame } from '../shared/oidc.js';
import { Console } from './console.js';
import { Shell } from './shell.js';

// The service answers every path below `/console/` with the same document. In a hidden frame, where a sign-in is renewed,
// the page only hands the provider's answer to the page around it.
const root = document.getElementById('app');
const base = root?.dataset['base'] ?? '/console/';

if (location.pathname === `${base}callback` && isInFrame()) answerFromFrame();
else if (root) {
  const console = new Console(base);
  root.replaceChildren();
  keepFocus();
  render(<Shell console={console} />, root);
  void console.open();
}
