import { render } from 'preact';
import { App } from './app.js';
import { Page } from './page.js';
import { answerFromFrame, isInFrame } from './oidc.js';

const place = location.pathname.split('/').at(-1) ?? '';
const root = document.getElementById('app');

if (place === 'callback' && isInFrame()) answerFromFrame();
else if (root) {
  const worklet = new URL(root.dataset['worklet'] ?? '', location.href).href;
  const app = new App(new URL('../', location.href).href, worklet);
  root.replaceChildren();
  render(<Page app={app} />, root);
  void app.open(place);
}
