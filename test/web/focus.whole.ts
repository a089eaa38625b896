import { it } from '@jest/globals';
import { heading, OWNER, signInAs } from './console-support.js';
import { describeScene, type Scene } from './scene.js';
import { focusComesTo, openApply, signIn } from './support.js';

const MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

describeScene(
  'a control that its page removes leaves the focus near it',
  (scene: Scene) => {
    const press = async (name: string | RegExp): Promise<void> => {
      const button = scene.page.getByRole('button', {
        name,
        ...(typeof name === 'string' && { exact: true }),
      });
      await button.first().focus();
      await scene.page.keyboard.press('Enter');
    };

    it('for candidates: what opens, closes, sends or begins again', async () => {
      const { page, stage, role } = scene;
      const candidate = await stage.candidate(role);
      await openApply(page, stage, candidate);
      await signIn(page, stage, candidate.email);
      await press('Check microphone and sound');
      await focusComesTo(page, /^h1 Check your sound/);
      await press('Test the microphone');
      await page.getByRole('button', { name: 'Turn the microphone off' }).waitFor();
      await focusComesTo(page, /^h2 Microphone/);
      await press('Turn the microphone off');
      await focusComesTo(page, /^h2 Microphone/);
      await press('Practice');
      await page.getByRole('textbox').fill('I split the parser in two.');
      await press('Send the answer');
      await focusComesTo(page, /^h2 Tell us about something/);
      await press('Once more');
      // The form that opens has a field for the keyboard.
      await focusComesTo(page, /^textarea/);
    });

    it('for staff: a part of a form, and a button that its result replaces', async () => {
      const { page, stage, role } = scene;
      await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}/edit`);
      await signInAs(page, OWNER);
      await heading(page, 'Edit role').waitFor();
      await press(/^Remove: /);
      await focusComesTo(page, /^h2 Dimensions/);
      page.once('dialog', (dialog) => void dialog.accept());
      await page.goto(`${stage.service.url}/console/${stage.org}/signal`);
      await press('Show the distribution');
      await focusComesTo(page, /^h2 Scores by outcome/);
    });

    it('for staff: a field stays in use when the address takes its value over', async () => {
      const { page, stage } = scene;
      const base = `${stage.service.url}/console/${stage.org}`;
      await page.goto(`${base}/candidates`);
      await signInAs(page, OWNER);
      await page.getByLabel('Whole address').fill('back');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#q=back$/);
      await focusComesTo(page, /^input/);
      await page.keyboard.type('end');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#q=backend$/);
      await page.getByLabel('Invited from').fill('2001-05-02');
      await page.keyboard.press('Enter');
      await page.waitForURL(/from=2001-05-02/);
      await focusComesTo(page, /^input/);
      // What the address has is shown also if it comes from elsewhere.
      await page.goto(`${base}/candidates?from=2001-05-02`);
      await page.getByRole('button', { name: 'Clear all filters' }).click();
      await page.getByText('Clear all filters').waitFor({ state: 'detached' });
      await page.waitForFunction(`document.querySelector('input[type=date]').value === ''`);
    });
  },
  MICROPHONE,
);
